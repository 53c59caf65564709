"""Runs NuSMV and ``symag nusmv`` on every model of a folder and compares their output.

    python -m scripts.nusmv.compare_with_nusmv FOLDER [--options "-coi -dynamic"] [--timeout 60] [--models msi,abp]

The verdict lines, in order, and the exit status are compared; a row shows the difference if there is one.
``form`` compares the rest too: warnings and reports word by word, traces by their shape (the kinds of lines in
order), as a counterexample need not be the same run. CPU seconds are those of each whole command. NuSMV has to
be on PATH. Exit status 20 if a verdict differs.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.measuring import peers
from scripts.measuring.measure import SYMAG, Run, run, say, table

_VERDICT = re.compile(r"-- (?P<what>(?:specification|invariant|the result of) .*?)\s+is (?P<value>\S+)")
_TRACE = re.compile(r"  -> (?:State|Input): |    \S+ = |  -- Loop starts here")


def verdict_lines(output: str) -> list[tuple[str, str]]:
    """Every property with its value, in the order in which they are printed."""
    own = (_VERDICT.fullmatch(line) for line in output.splitlines())
    return [(item["what"], item["value"]) for item in own if item is not None]


def shape(output: str) -> list[str]:
    """The lines without the banner and blank ones; the states of a trace as one word."""
    return list(_without_repetition(_shapes(output)))


def _shapes(output: str) -> Iterator[str]:
    for line in output.splitlines():
        if line.strip() and not line.startswith("*** "):
            yield "(states)" if _TRACE.match(line) else line


def _without_repetition(lines: Iterator[str]) -> Iterator[str]:
    last = None
    for line in lines:
        if line != "(states)" or last != "(states)":
            yield line
        last = line


def difference(theirs: Run, ours: Run) -> str:
    """What differs first, or an empty text."""
    if theirs.stopped:
        return "" if not ours.stopped else "both stopped"
    if ours.stopped:
        return "symag stopped"
    expected, own = verdict_lines(theirs.output), verdict_lines(ours.output)
    for (what, value), (our_what, our_value) in zip(expected, own, strict=False):
        if what != our_what:
            return f"order: {our_what[:40]} for {what[:40]}"
        if value != our_value:
            return f"WRONG: {our_value} for {value}: {what[:60]}"
    if len(expected) != len(own):
        return f"{len(own)} verdicts for {len(expected)}"
    if theirs.status != ours.status:
        return f"exit {ours.status} for {theirs.status}"
    return ""


def form(theirs: Run, ours: Run) -> str:
    """The first line that differs in shape, or an empty text."""
    if theirs.stopped or ours.stopped:
        return "-"
    expected, own = shape(theirs.output), shape(ours.output)
    for line, our_line in zip(expected, own, strict=False):
        if line != our_line:
            return f"{our_line[:50]!r} for {line[:50]!r}"
    return "" if len(expected) == len(own) else f"{len(own)} lines for {len(expected)}"


def compare(program: str, paths: Sequence[Path], options: Sequence[str], timeout: float) -> int:
    """Prints the table; 20 if a verdict differs."""
    rows: list[list[str]] = []
    agreeing = verdicts = wrong = 0
    for path in paths:
        theirs = run([program, *options, str(path)], timeout)
        ours = run([*SYMAG, "nusmv", *options, str(path)], timeout)
        own = difference(theirs, ours)
        wrong += own.startswith("WRONG")
        agreeing += not own
        verdicts += len(verdict_lines(ours.output))
        seconds = [f"> {timeout:g}" if item.stopped else f"{item.seconds:.2f}" for item in (theirs, ours)]
        rows.append([path.name, *seconds, own or "same", form(theirs, ours) or "same"])
        say(" | ".join(rows[-1]))
    print(table(["model", "NuSMV s", "symag s", "verdicts", "form"], rows))
    print(f"\n{agreeing} of {len(paths)} models agree; {verdicts} verdicts printed; {wrong} models with a wrong one")
    return 20 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="searched for *.smv, folders in it too")
    parser.add_argument("--options", default="", help="NuSMV's options, in one argument")
    parser.add_argument("--models", help="only files whose path contains one of these (separated by commas)")
    parser.add_argument("--timeout", type=float, default=60, help="wall seconds for each run (default: 60)")
    given = parser.parse_args()
    program = peers.nusmv()
    if program is None:
        print("NuSMV is not on PATH", file=sys.stderr)
        return 2
    paths = sorted(given.folder.rglob("*.smv"))
    if given.models:
        paths = [path for path in paths if any(part in str(path) for part in given.models.split(","))]
    if not paths:
        print(f"no models in {given.folder}", file=sys.stderr)
        return 2
    return compare(program, paths, shlex.split(given.options), given.timeout)


if __name__ == "__main__":
    sys.exit(main())
