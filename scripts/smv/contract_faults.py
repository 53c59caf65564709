"""Faults seeded into a model with contracts: does ``symag contracts`` report every one that makes a guarantee wrong?

    python -m scripts.smv.contract_faults MODEL.smv[:CONTRACTS.toml] ... [--timeout 20]

A fault replaces one token of an ASSIGN or DEFINE. Without a file of contracts they are in the model's comments. Each
version is a run of ``symag contracts``. The judge is ``symag check --method monolithic`` on the version with each
guarantee as INVARSPEC: a fault is wrong if one of them is violated in the whole. Harmless faults may be reported too,
for a part alone has more runs. Exit status 1 if a wrong fault was missed, or what is reported is not certified.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scripts.measuring.measure import SYMAG, run, say
from scripts.measuring.measurements import stop_with_children

#: What a fault makes of a token.
FAULTS = {
    "&": ("|",),
    "=": ("!=",),
    "<": (">", "<="),
    ">": (">=", "<"),
    "+": ("-",),
    "-": ("+",),
    "TRUE": ("FALSE",),
    "FALSE": ("TRUE",),
    "idle": ("waiting", "busy"),
    "waiting": ("idle", "busy"),
    "busy": ("idle", "waiting"),
    "nobody": ("one", "two"),
    "one": ("nobody", "two"),
    "two": ("nobody", "one"),
    "0": ("1",),
    "1": ("2",),
    "3": ("4",),
    "4": ("5",),
    "!": ("",),
}


def faulty(text: str) -> Iterator[str]:
    """The versions of a model with one fault in an assignment or a DEFINE."""
    for section in re.finditer(r"^(?:ASSIGN|DEFINE).*?(?=^MODULE|^VAR|^DEFINE|^INVARSPEC)", text, re.M | re.S):
        for token in re.finditer(r"\w+|:=|[&=<>+!-]", section[0]):
            for instead in FAULTS.get(token[0], ()):
                start = section.start() + token.start()
                yield text[:start] + instead + text[start + len(token[0]) :]


def outcome(version: Path, contracts: Path | None, timeout: float) -> str:
    """Of one faulty version: not read, harmless, harmless but reported, found, MISSED, or undecided."""
    command = [*SYMAG, "contracts", str(version), *([] if contracts is None else [str(contracts)]), "--json"]
    answer = run([*command, "--timeout", f"{timeout:g}"], 20 * timeout)
    if answer.status not in (0, 10, 30):
        return "not read" if answer.status == 3 else f"UNDECIDED ({answer.status}: {answer.errors.strip()[:100]})"
    report = json.loads(answer.output)["obligations"]
    wrong = [item for item in report if item["verdict"] == "violated"]
    if not all(item["certified"] for item in report if item["verdict"] != "unknown"):
        return "UNDECIDED (not certified)"
    guarantees = sorted({item["text"] for item in report if item["kind"] == "guarantee"})
    judged = version.with_name("judged.smv")
    invariants = "".join(f"INVARSPEC {text}\n" for text in guarantees)
    judged.write_text(
        re.sub(r"^(INVARSPEC|SPEC|LTLSPEC).*?$", "", version.read_text(), flags=re.M).replace(
            "MODULE main\n", f"MODULE main\n{invariants}", 1
        )
    )
    judge = run([*SYMAG, "check", str(judged), "--method", "monolithic"], timeout)
    if judge.status == 0:
        return "harmless, reported" if wrong else "harmless"
    if judge.status != 10:
        return f"UNDECIDED (judge: {judge.status})"
    return "found" if wrong else "MISSED"


def main() -> int:
    """Try all faults of each model, print what became of them; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", metavar="MODEL.smv[:CONTRACTS.toml]")
    parser.add_argument("--timeout", type=float, default=20.0, help="wall-clock seconds for each question")
    given = parser.parse_args()
    stop_with_children()
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        version = Path(folder) / "version.smv"
        for argument in given.models:
            path, _, contracts = argument.partition(":")
            counts: Counter[str] = Counter()
            for text in faulty(Path(path).read_text(encoding="utf-8")):
                version.write_text(text, encoding="utf-8")
                counts[outcome(version, Path(contracts) if contracts else None, given.timeout)] += 1
            say(f"{path}: {dict(sorted(counts.items()))}")
            total += counts
    print(f"{total['found']} of {total['found'] + total['MISSED']} faults that make a guarantee wrong are found")
    return int(any(kind.startswith(("MISSED", "UNDECIDED")) for kind in total))


if __name__ == "__main__":
    sys.exit(main())
