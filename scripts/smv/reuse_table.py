"""The gain by a proof of an earlier version: CPU seconds of a first proof, and after one change of the model.

    python -m scripts.smv.reuse_table MODEL[:PROPERTY] ... [--timeout 60] [--changes 3] [--methods auto,pdr] [--fresh]
                                   [--proofs FOLDER]

A change is in one line: of SMV TRUE becomes FALSE in an assignment, or the reverse; of BTOR2 a constant becomes its
successor; of AIGER (as ASCII: binary files are converted first) a latch starts with the other value, or a gate negates
an operand. Changes are drawn with a fixed seed; those that violate a property are skipped and counted, all others are
rows. Columns: CPU seconds of the first proof of all properties, of that of the changed model with ``--reuse`` (and
with ``--fresh`` also without), the share of the first, and the reused evidence. Each run is a whole command, with
certification; short runs are the median of three.

"The five largest public models" of models/TABLES.md are those with the most state bits among the models of the public
suites that symag proves in more than 5 s of CPU: zip_wbarbiter, dme1-16, dme2-16, zip_wbp2classic, zip_wbc2pipeline.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.measuring.measure import SYMAG, Decision, check, say, table
from scripts.measuring.measurements import stop_with_children

#: Constants in an assignment, and what each becomes.
_OTHER = {"TRUE": "FALSE", "FALSE": "TRUE"}
_PLACE = re.compile(r"(?<=:=)([^;]*?)\b(TRUE|FALSE)\b|(?<=:)(\s*)\b(TRUE|FALSE)\b(?=\s*;)")
_CONSTANT = re.compile(r"^(\d+ const \d+ )([01]+)$", re.MULTILINE)


def changed(text: str, suffix: str = ".smv") -> Iterator[tuple[int, str]]:
    """Versions of a model that differ in one line, with the line's number."""
    if suffix == ".aag":
        yield from _changed_aiger(text)
        return
    for match in (_CONSTANT if suffix == ".btor2" else _PLACE).finditer(text):
        group = 2 if match.group(2) else 4
        start, end = match.span(group)
        value = match.group(group)
        other = _OTHER[value] if value in _OTHER else f"{(int(value, 2) + 1) % (1 << len(value)):0{len(value)}b}"
        yield text.count("\n", 0, start) + 1, text[:start] + other + text[end:]


def _changed_aiger(text: str) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    sizes = [int(word) for word in lines[0].split()[1:]]
    _, inputs, latches, outputs, gates, *others = sizes
    for number in range(1 + inputs, 1 + inputs + latches):
        own, following, *reset = lines[number].split()
        start = "0" if reset == ["1"] else "1"
        yield number + 1, "\n".join([*lines[:number], f"{own} {following} {start}", *lines[number + 1 :]])
    first = 1 + inputs + latches + outputs + sum(others)
    for number in range(first, first + gates):
        gate, left, right = map(int, lines[number].split())
        yield number + 1, "\n".join([*lines[:number], f"{gate} {left ^ 1} {right}", *lines[number + 1 :]])


def measured(path: Path, options: list[str], timeout: float) -> tuple[list[Decision], list[str]]:
    """The decisions of a command, and the notes of its answers."""
    answers = check(path, options, timeout, 3, processor=True)
    return [decision for _, decision in answers], [note for entry, _ in answers for note in entry.get("notes", [])]


def proofs_of(model: Path, name: str | None, method: str, kept: Path) -> Path:
    """The folder of the first proofs. It is of the text and the property: models in two folders may have one name."""
    digest = hashlib.sha256(model.read_bytes() + (name or "").encode()).hexdigest()[:12]
    return kept / f"{model.stem}-{method}-{digest}"


def rows(
    model: Path, name: str | None, method: str, timeout: float, changes: int, folder: Path, kept: Path, fresh: bool
) -> Iterator[list[str]]:
    """A line for each change of one model, and one for the changes that were skipped."""
    arguments_ = ["--method", method, *(() if name is None else ("--property", name))]
    if model.suffix == ".aig":
        ascii_model = folder / f"{model.stem}.aag"
        subprocess.run([*SYMAG, "convert", str(model), str(ascii_model)], check=True, capture_output=True)
        model = ascii_model
    proofs = proofs_of(model, name, method, kept)
    known = proofs.with_name(f"{proofs.name}.seconds")
    if known.exists():
        cost = float(known.read_text())
    else:
        proofs.mkdir(parents=True, exist_ok=True)
        first, _ = measured(model, [*arguments_, "--certificate", str(proofs)], timeout)
        cost = first[0].seconds
        if not all(decision.verdict == "holds" for decision in first):
            yield [model.stem, method, "", f"{cost:.2f}", "", "", "", f"not proved: {first[0].verdict}"]
            return
        known.write_text(f"{cost}\n")
    versions = list(changed(model.read_text(), model.suffix))
    random.Random(0).shuffle(versions)
    count = skipped = 0
    for line, text in versions:
        version = folder / f"{model.stem}-changed{model.suffix}"
        version.write_text(text)
        again, notes = measured(version, [*arguments_, "--reuse", str(proofs)], timeout)
        if any(decision.verdict == "violated" for decision in again):
            skipped += 1
            continue
        whole = sum("the whole proof" in note for note in notes)
        what = f"{whole} whole proofs, {len(notes) - whole} in part"
        undecided = sum(not decision.known for decision in again)
        alone = f"{measured(version, arguments_, timeout)[0][0].seconds:.2f}" if fresh else "-"
        seconds = again[0].seconds
        own = what + (f", {undecided} UNDECIDED" if undecided else "")
        yield [
            *(model.stem, method, str(line), f"{cost:.2f}", f"{seconds:.2f}", alone),
            *(f"{seconds / cost:.0%}", f"of {len(again)} properties: {own}"),
        ]
        count += 1
        if count == changes:
            break
    yield [model.stem, method, "", f"{cost:.2f}", "", "", "", f"{skipped} changes that violate a property"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", metavar="MODEL[:PROPERTY]")
    parser.add_argument("--timeout", type=float, default=60.0, help="CPU seconds of each process")
    parser.add_argument("--changes", type=int, default=3, help="how many changes of each model")
    parser.add_argument("--fresh", action="store_true", help="measure each changed model without --reuse too")
    parser.add_argument("--proofs", type=Path, help="a folder for the first proofs and their cost, kept for later runs")
    parser.add_argument("--methods", default="auto", help="separated by commas")
    given = parser.parse_args()
    stop_with_children()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for argument in given.models:
            path, _, name = argument.partition(":")
            for method in given.methods.split(","):
                kept = given.proofs or Path(folder)
                model_arguments = (Path(path), name or None, method, given.timeout, given.changes, Path(folder), kept)
                for row in rows(*model_arguments, given.fresh):
                    say(" ".join(row))
                    lines.append(row)
    print(table(["model", "method", "line", "first", "reused", "fresh", "share", "what"], lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
