"""The gain by a proof of an earlier version: CPU seconds of a first proof, and after one change of the model.

    python scripts/reuse_table.py MODEL[:PROPERTY] ... [--timeout 60] [--changes 3] [--methods auto,pdr,monolithic]

A change replaces TRUE by FALSE in an assignment, or the reverse; those are used that leave all verdicts ``holds``.
Columns: the proof of the model, that of the changed model without and with ``--reuse``, their ratio, and the reused
evidence. Each run is a whole command, with certification; short runs are the median of three.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import Decision, check, say, table
from measurements import stop_with_children

#: Constants in an assignment, and what each becomes.
_OTHER = {"TRUE": "FALSE", "FALSE": "TRUE"}
_PLACE = re.compile(r"(?<=:=)([^;]*?)\b(TRUE|FALSE)\b|(?<=:)(\s*)\b(TRUE|FALSE)\b(?=\s*;)")


def changed(text: str) -> Iterator[tuple[int, str]]:
    """Versions of a model that differ in one line, with the line's number."""
    for match in _PLACE.finditer(text):
        group = 2 if match.group(2) else 4
        start, end = match.span(group)
        yield text.count("\n", 0, start) + 1, text[:start] + _OTHER[match.group(group)] + text[end:]


def measured(path: Path, options: list[str], timeout: float) -> tuple[list[Decision], list[str]]:
    """The decisions of a command, and the notes of its answers."""
    answers = check(path, options, timeout, 3, processor=True)
    return [decision for _, decision in answers], [note for entry, _ in answers for note in entry.get("notes", [])]


def rows(model: Path, name: str | None, method: str, timeout: float, changes: int, folder: Path) -> Iterator[list[str]]:
    """A line for each change of one model."""
    arguments_ = ["--method", method, *(() if name is None else ("--property", name))]
    proofs = folder / f"{model.stem}-{method}"
    proofs.mkdir()
    first, _ = measured(model, [*arguments_, "--certificate", str(proofs)], timeout)
    if not all(decision.verdict == "holds" for decision in first):
        yield [model.stem, method, "", f"{first[0].seconds:.2f}", "", "", "", f"not proved: {first[0].verdict}"]
        return
    count = 0
    for line, text in changed(model.read_text()):
        version = folder / f"{model.stem}{model.suffix}"
        version.write_text(text)
        fresh, _ = measured(version, arguments_, timeout)
        if not fresh or not all(decision.verdict == "holds" for decision in fresh):
            continue
        again, notes = measured(version, [*arguments_, "--reuse", str(proofs)], timeout)
        kept = "; ".join(dict.fromkeys(re.sub(r" (the proof )?in \S+:?", "", note) for note in notes)) or "nothing"
        ratio = f"{again[0].seconds / fresh[0].seconds:.2f}"
        verdicts = "" if all(decision.verdict == "holds" for decision in again) else " UNDECIDED"
        figures = (f"{runs_[0].seconds:.2f}" for runs_ in (first, fresh, again))
        yield [model.stem, method, str(line), *figures, ratio, kept + verdicts]
        count += 1
        if count == changes:
            return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", metavar="MODEL[:PROPERTY]")
    parser.add_argument("--timeout", type=float, default=60.0, help="CPU seconds of each process")
    parser.add_argument("--changes", type=int, default=3, help="how many changes of each model")
    parser.add_argument("--methods", default="auto", help="separated by commas")
    given = parser.parse_args()
    stop_with_children()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for argument in given.models:
            path, _, name = argument.partition(":")
            for method in given.methods.split(","):
                for row in rows(Path(path), name or None, method, given.timeout, given.changes, Path(folder)):
                    say(" ".join(row))
                    lines.append(row)
    print(table(["model", "method", "line", "first", "changed", "reused", "ratio", "what"], lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
