"""Cells of tables about labelled transition systems: run under limits, kept in a file, printed as they end."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.measuring.measure import ROOT, Decision, check, say, seconds_text
from scripts.measuring.measurements import put_into

MODELS = ROOT / "models" / "lts"
#: Reasons of an answer that did not come in time.
OUT_OF_TIME = ("outer limit", "timeout")


@dataclass(frozen=True)
class Case:
    """A model, in ``MODELS`` or with its full path, with its composite and constants as ``NAME=VALUE``."""

    file: str
    target: str
    constants: tuple[str, ...] = ()
    kind: str = "safety"

    def arguments(self) -> list[str]:
        """What ``symag check`` has to be told besides the method."""
        given = [argument for constant in self.constants for argument in ("--const", constant)]
        return ["--target", self.target, "--property", self.kind, *given]

    def __str__(self) -> str:
        return " ".join((self.target, *self.constants, *([] if self.kind == "safety" else [self.kind])))


def add_limits(parser: argparse.ArgumentParser, seconds: float, long: float | None = None) -> None:
    """The options that ``Cells`` reads; ``long`` is for cells that the paper could not finish."""
    parser.add_argument(
        "--timeout", type=float, default=seconds, help="CPU seconds for each process of a cell (default: %(default)g)"
    )
    if long is not None:
        parser.add_argument(
            "--long", type=float, default=long, help="the same where the paper has no answer (default: %(default)g)"
        )
    parser.add_argument("--memory", type=int, default=2000, help="MiB for each cell (default: %(default)s)")
    parser.add_argument(
        "--repeat", type=int, default=1, help="the median of this many short runs (default: %(default)s)"
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="keep each cell here as it ends; cells that are there are not run"
    )


class _Copy(io.StringIO):
    """Keeps what is printed, and prints it at once."""

    def write(self, text: str) -> int:
        if sys.__stdout__ is not None:
            sys.__stdout__.write(text)
            sys.__stdout__.flush()
        return super().write(text)


@contextmanager
def copied(file: Path | None, script: str) -> Iterator[None]:
    """What is printed stands between the marks of the script in a Markdown file afterwards, if there is one."""
    text = _Copy()
    with redirect_stdout(text):
        yield
    if file is not None:
        put_into(file, script, [f"```\n{text.getvalue().strip()}\n```"])


class Cells:
    """Runs cells. ``wrong`` gathers those with a verdict other than the expected one."""

    def __init__(self, given: argparse.Namespace, certify: bool) -> None:
        self._given = given
        self._certify = certify
        self._known: dict[str, Decision] = {}
        self._others: dict[str, tuple[str, str]] = {}
        self.wrong: list[str] = []
        if given.record is not None and given.record.exists():
            for line in given.record.read_text().splitlines():
                entry = json.loads(line)
                if "decision" in entry:
                    self._known[entry["cell"]] = Decision(**entry["decision"])
                else:
                    self._others[entry["cell"]] = tuple(entry["found"])

    def decided(self, case: Case, *options: str, expected: str | None = "holds", long: bool = False) -> Decision:
        """The answer of ``symag check`` about one composite; ``long``: with the longer limit."""
        given = self._given
        limit = self.limit(long)
        arguments = [*case.arguments(), "--memory", str(given.memory), *options]
        if not self._certify:
            arguments.append("--no-certify")
        key = " ".join((Path(case.file).name, *arguments, f"{limit:g}"))
        if key not in self._known:
            ((_, decision),) = check(MODELS / case.file, arguments, limit, given.repeat, processor=True)
            self._keep(key, decision)
        decision = self._known[key]
        shown = f"{case} {' '.join(options)}"
        say(f"{shown}: {decision.verdict} {decision.seconds:.1f} s {decision.reason or ''}")
        if decision.known and expected is not None and decision.verdict != expected:
            self.wrong.append(f"{shown} is {decision.verdict}")
        return decision

    def kept(self, key: str, search: Callable[[], tuple[str, str]]) -> tuple[str, str]:
        """What was found under the key before, or else by the search."""
        if key not in self._others:
            self._others[key] = search()
            self._write({"cell": key, "found": self._others[key]})
        return self._others[key]

    def limit(self, long: bool = False) -> float:
        """CPU seconds of a cell."""
        return float(self._given.long if long else self._given.timeout)

    def seconds(self, decision: Decision, long: bool = False) -> str:
        """CPU seconds, the limit that was hit, or ``memory``."""
        if decision.reason in OUT_OF_TIME:
            return f">{self.limit(long):g}"
        text = seconds_text(decision, self.limit(long))
        return text if self._certify else text.rstrip("*")

    def ended(self) -> int:
        """Prints what is wrong; the exit status."""
        for answer in self.wrong:
            print(f"WRONG: {answer}")
        return 20 if self.wrong else 0

    def _keep(self, key: str, decision: Decision) -> None:
        self._known[key] = decision
        self._write({"cell": key, "decision": asdict(decision)})

    def _write(self, entry: Mapping[str, object]) -> None:
        if self._given.record is not None:
            with self._given.record.open("a") as file:
                file.write(json.dumps(entry) + "\n")


class Lines:
    """A table whose rows are printed one by one; ``samples`` are rows that show how wide its columns get."""

    def __init__(self, header: Sequence[str], samples: Sequence[Sequence[str]] = ()) -> None:
        rows = (header, *samples)
        self._widths = [max(len(row[k]) for row in rows) for k in range(len(header))]
        self.show(header)
        self.show(["-" * width for width in self._widths])

    def show(self, row: Sequence[str]) -> None:
        """Prints a row."""
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, self._widths, strict=True))
        print(line.rstrip(), flush=True)


def figure(decision: Decision, name: str) -> str:
    """A statistic as text; for an unfinished run its last value, with ``+`` after it."""
    value = decision.statistics.get(name)
    if value is None:
        return "-"
    text = f"{value:.2f}" if isinstance(value, float) and name.endswith("seconds") else f"{value:.0f}"
    return text if decision.known else f"{text}+"


#: A smaller figure is better; None is no answer.
Pairs = Sequence[tuple[float | None, float | None]]


def compared(first: str, second: str, pairs: Pairs, margin: float = 0.1) -> str:
    """How two columns compare where at least one has an answer; no answer is worse than any.

    What differs by less than the share ``margin`` is equal.
    """
    better = worse = equal = 0
    for one, other in pairs:
        if one is None or other is None:
            better += one is not None
            worse += other is not None
        elif abs(one - other) <= margin * max(one, other):
            equal += 1
        else:
            better += one < other
            worse += one > other
    return f"{first} better than {second} in {better} of {better + worse + equal} cells, worse in {worse}"


def answered(pairs: Pairs) -> Pairs:
    """The pairs in which both have an answer."""
    return [pair for pair in pairs if None not in pair]


def measured(decision: Decision, name: str | None = None) -> float | None:
    """CPU seconds, or a statistic, to be compared; None without an answer."""
    if not decision.known:
        return None
    return decision.seconds if name is None else float(decision.statistics[name])
