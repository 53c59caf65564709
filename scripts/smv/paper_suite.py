"""Verdicts on the models of smv/paper and smv/coupled of the public suite, for every method.

    python -m scripts.smv.paper_suite [--methods rule-g,auto] [--models simple8,par24] [--timeout 60]
    python -m scripts.smv.paper_suite --methods "rule-g,rule-g --look-ahead"   # a method with options of its own
    python -m scripts.smv.paper_suite --methods rule-s --models simple8,msi3   # Rule-S decides these

A row for each property: the known verdict, then the CPU seconds of each method (of the whole command), with ``*``
if not certified, the limit, or ``WRONG``; below, the number of properties that each method decided. The known
verdicts are NuSMV's recorded ones, else the paper's, else those of a NuSMV on PATH; any two methods must agree.
Exit status 20 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from scripts.measuring import peers
from scripts.measuring.measure import Decision, check, say, seconds_text, suites, table

METHODS = ("auto", "monolithic", "rule-g", "rule-s")


def _natural(name: str) -> list[object]:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", default=",".join(METHODS), help="separated by commas (default: %(default)s)")
    parser.add_argument("--models", help="only these, separated by commas (default: all)")
    parser.add_argument("--timeout", type=float, default=60, help="wall seconds for each property (default: 60)")
    given = parser.parse_args()
    folder = suites()
    files = sorted([*folder.glob("paper/*.smv"), *folder.glob("coupled/*.smv")], key=lambda f: _natural(f.stem))
    if not files:
        print(f"no suite at {folder} (SYMAG_SUITES)", file=sys.stderr)
        return 2
    names = set(given.models.split(",")) if given.models else {file.stem for file in files}
    methods = given.methods.split(",")
    recorded = peers.recorded(folder)
    rows: list[list[str]] = []
    wrong: list[str] = []
    decided = dict.fromkeys(methods, 0)
    for file in (file for file in files if file.stem in names):
        answers: dict[str, dict[str, Decision]] = {}
        for method in methods:
            for entry, decision in check(file, ["--method", *method.split()], given.timeout):
                answers.setdefault(entry["text"], {})[method] = decision
                decided[method] += decision.known
                say(f"{file.stem} {method}: {decision.verdict} {decision.reason or ''} {decision.seconds:.2f} s")
        expected = _expected(file, answers, recorded.get(file.stem, {}).get("verdict"), given.timeout)
        for k, (text, by_method) in enumerate(answers.items()):
            row = [file.stem + (f" #{k + 1}" if len(answers) > 1 else ""), expected.get(text, "?")]
            for method in methods:
                row.append(_cell(by_method.get(method), expected.get(text), given.timeout))
                if "WRONG" in row[-1]:
                    wrong.append(f"{file.stem}: {method}: {text}")
            if len({decision.verdict for decision in by_method.values() if decision.known}) > 1:
                wrong.append(f"{file.stem}: the methods disagree: {text}")
            rows.append(row)
    print(f"CPU seconds, limit {given.timeout:g} s of wall time a property; * not certified; / between properties.\n")
    print(table(["model", "known", *methods], rows))
    print("\ndecided: " + ", ".join(f"{method} {decided[method]} of {len(rows)}" for method in methods))
    for line in wrong:
        print(f"WRONG VERDICT {line}")
    return 20 if wrong else 0


def _expected(file: Path, texts: Iterable[str], recorded: str | None, timeout: float) -> dict[str, str]:
    """The known verdicts by the property's text."""
    program = peers.nusmv()
    if file.parent.name == "coupled" or recorded:
        return dict.fromkeys(texts, recorded or "holds")
    return peers.verdicts(program, file, timeout) if program else {}


def _cell(decision: Decision | None, expected: str | None, timeout: float) -> str:
    if decision is None:
        return "-"
    if decision.known and expected and decision.verdict != expected:
        return f"WRONG {decision.verdict}"
    initial = f"{decision.verdict[0]} " if decision.known else ""
    return initial + seconds_text(decision, timeout)


if __name__ == "__main__":
    sys.exit(main())
