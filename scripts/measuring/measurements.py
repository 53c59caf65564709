"""Cells of tables about SMV models: measured once, kept in a file, and printed from it."""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from scripts.measuring import peers
from scripts.measuring.measure import ROOT, SYMAG, Decision, check, run, say

#: The text for a cell without a record when nothing is measured.
NOT_MEASURED = Decision("unknown", 0.0, "?")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that ``Record`` reads."""
    parser.add_argument("--models", help="only these, separated by commas (default: all)")
    parser.add_argument("--timeout", type=float, help="CPU seconds for each process measured (default: 60)")
    parser.add_argument("--repeat", type=int, help="the median of this many short runs (default: 3)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep each cell here as it ends")
    parser.add_argument("--print-only", action="store_true", help="measure nothing: print what is on record")
    parser.add_argument("--into", type=Path, metavar="FILE.md", help="put the tables between this file's marks too")


@dataclass
class Record:
    """Decisions by cell, and the settings they were measured under; in a file too, a line each, if there is one.

    A file that was begun is gone on with, under its settings; a line that was cut off when a run was killed does
    not count. ``tools`` are the other programs that are measured.
    """

    timeout: float
    repeat: int
    when: str
    machine: str
    tools: tuple[str, ...]
    file: Path | None
    measuring: bool
    known: dict[tuple[str, ...], Decision] = field(default_factory=dict)

    @classmethod
    def of(cls, given: argparse.Namespace, settings: Mapping[str, str]) -> Record:
        """The record that the options ask for; ``settings`` names the ``models``. Ends with 2 if they contradict it."""
        tools = [name for name, program in (("NuSMV", peers.nusmv()), ("abc", peers.abc())) if program]
        now = {"when": time.strftime("%Y-%m-%d"), "machine": _machine(), "tools": tools, **settings}
        chosen: dict[str, Any] = {"timeout": given.timeout or 60.0, "repeat": given.repeat or 3, **now}
        lines = _whole_lines(given.record) if given.record is not None and given.record.exists() else []
        if not lines and given.print_only:
            raise SystemExit("--print-only needs a --record with measurements")
        if lines:
            begun = json.loads(lines[0])
            question = {"timeout": given.timeout, "repeat": given.repeat, **settings}
            for name, value in question.items():
                if value is not None and value != begun[name]:
                    print(f"{given.record} was begun with {name} {begun[name]}, not {value}", file=sys.stderr)
                    raise SystemExit(2)
            chosen = begun
        record = cls(
            chosen["timeout"],
            chosen["repeat"],
            chosen["when"],
            chosen["machine"],
            tuple(chosen["tools"]),
            given.record,
            not given.print_only,
        )
        for line in lines[1:]:
            entry = json.loads(line)
            record.known[tuple(entry["cell"])] = Decision(**entry["decision"])
        if not lines:
            record._write(chosen)
        elif record.measuring and record.file is not None:
            record.file.write_text("".join(f"{line}\n" for line in lines))
        return record

    def keep(self, cell: tuple[str, ...], decision: Decision) -> None:
        """Remember a cell; it is on the disk when this returns."""
        self.known[cell] = decision
        self._write({"cell": cell, "decision": asdict(decision)})

    def _write(self, entry: Mapping[str, Any]) -> None:
        if self.file is None:
            return
        with self.file.open("a") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())


@dataclass
class Measurements:
    """Measures each (model, options) once; ``expected`` are the verdicts, ``wrong`` gathers those that differ."""

    models: Mapping[str, tuple[Path, str | None]]
    record: Record
    expected: Mapping[str, str]
    wrong: list[str] = field(default_factory=list)

    @property
    def timeout(self) -> float:
        """CPU seconds for each process."""
        return self.record.timeout

    def symag(self, name: str, method: str, *options: str) -> Decision:
        """symag's answer to the model's property."""
        path, property_name = self.models[name]
        chosen = ["--method", method, *options, *(["--property", property_name] if property_name else [])]

        def decide() -> Decision:
            return check(path, chosen, self.timeout, self.record.repeat, processor=True)[0][1]

        return self._once((name, "symag", *chosen), decide)

    def nusmv(self, name: str, setting: str) -> Decision:
        """NuSMV's answer; our own models keep one INVARSPEC only for it."""
        path, property_name = self.models[name]

        def decide() -> Decision:
            program = _needed(peers.nusmv(), "NuSMV")
            with tempfile.TemporaryDirectory() as folder:
                alone = Path(folder) / path.name
                alone.write_text(only(path.read_text(), property_name))
                return peers.check_invariants(program, alone, setting, self.timeout, self.record.repeat)

        return self._once((name, "NuSMV", setting), decide)

    def abc(self, name: str, setting: str) -> Decision:
        """ABC's answer to the model's property, written as AIGER by symag (whose time does not count)."""
        path, property_name = self.models[name]

        def decide() -> Decision:
            program = _needed(peers.abc(), "abc")
            with tempfile.TemporaryDirectory() as folder:
                graph = Path(folder) / "model.aig"
                chosen = ["--property", property_name] if property_name else []
                if run([*SYMAG, "convert", "-q", str(path), str(graph), *chosen], self.timeout).status != 0:
                    return Decision("unknown", 0.0, "no AIGER")
                return peers.abc_prove(program, graph, setting, self.timeout, self.record.repeat)

        return self._once((name, "ABC", setting), decide)

    def ended(self) -> int:
        """Prints what is wrong; the exit status."""
        for line in self.wrong:
            print(f"WRONG VERDICT {line}")
        return 20 if self.wrong else 0

    def _once(self, cell: tuple[str, ...], decide: Callable[[], Decision]) -> Decision:
        name, *how = cell
        known = self.record.known.get(cell)
        if known is None and not self.record.measuring:
            return NOT_MEASURED
        if known is None:
            known = decide()
            self.record.keep(cell, known)
            say(f"{' '.join(cell)}: {known.verdict} {known.reason or ''} {known.seconds:.2f} s")
        line = f"{name}: {' '.join(how)} says {known.verdict}, not {self.expected[name]}"
        if known.known and known.verdict != self.expected[name] and line not in self.wrong:
            self.wrong.append(line)
        return known


def only(text: str, property_name: str | None) -> str:
    """The model with the named INVARSPEC alone (generated models: one property a paragraph, at the end)."""
    if property_name is None:
        return text
    head, *properties = text.split("INVARSPEC NAME ")
    return (
        head
        + "INVARSPEC "
        + next(property_ for property_ in properties if property_.startswith(property_name)).partition(":=")[2]
    )


def generate(folder: Path, chosen: Mapping[str, tuple[str, str]]) -> dict[str, tuple[Path, str | None]]:
    """Write generated models to a folder; ``chosen`` gives the generator's command and the property's name."""
    models: dict[str, tuple[Path, str | None]] = {}
    for name, (command, property_name) in chosen.items():
        text = subprocess.run(
            [sys.executable, "-B", *command.split()],
            cwd=ROOT / "models" / "families",
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        file = folder / f"{name}.smv"
        file.write_text(text)
        models[name] = (file, property_name)
    return models


def filled(text: str) -> str:
    """The text in lines of a page's width, paragraph by paragraph."""
    return "\n\n".join(textwrap.fill(part, 118, break_on_hyphens=False) for part in text.split("\n\n"))


def show(paragraph: str) -> None:
    """A paragraph of Markdown as plain text, on standard output."""
    lines = (line.removeprefix("### ") for line in paragraph.splitlines() if line != "```")
    print("\n".join(lines), end="\n\n", flush=True)


def put_into(file: Path, script: str, paragraphs: Sequence[str]) -> None:
    """Replace what stands between the marks of a script in a Markdown file.

    Raises ValueError if the file has no such marks.
    """
    begin, end = f"<!-- {script}: begin -->", f"<!-- {script}: end -->"
    text = file.read_text()
    if text.count(begin) != 1 or end not in text.partition(begin)[2]:
        raise ValueError(f"{file} has no '{begin}' with '{end}' after it")
    before, _, rest = text.partition(begin)
    inside = "\n\n".join(paragraphs)
    file.write_text(f"{before}{begin}\n\n{inside}\n\n{end}{rest.partition(end)[2]}")


def stop_with_children() -> None:
    """From now on SIGTERM ends the script as Ctrl-C does: what it measures is killed first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def _needed(program: str | None, name: str) -> str:
    if program is None:
        raise SystemExit(f"the record was begun with {name} on PATH: put it there again")
    return program


def _whole_lines(file: Path) -> list[str]:
    """The lines that were written to their end."""
    text = file.read_text()
    return text[: text.rfind("\n") + 1].splitlines()


def _machine() -> str:
    """The processor, and how many of them."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), None)
    return f"{model or platform.machine()} ({os.cpu_count()} processors)"
