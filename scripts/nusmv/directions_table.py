"""Forward and backward search of symag beside NuSMV's, on invariants of the public models, in CPU seconds.

    python -m scripts.nusmv.directions_table [--suites elastic,paper,nusmv] [--models miter_e] [--record FILE]
    python -m scripts.nusmv.directions_table --record FILE --before OLDER --print-only --into models/TABLES.md

The question is all invariants of a model: INVARSPEC, CTL ``AG p`` and LTL ``G p``, all as INVARSPEC; of a model without
any, forward, the reachable states. NuSMV: ``check_invar -s forward`` (``backward``) with -coi and -dynamic; symag:
``check --method monolithic --direction``. Both are the whole command, reading included, limits are CPU seconds of a
process, short runs are medians. A row is a model and a direction that NuSMV decides in more than 0.2 s. ``--before``
names the record of another version, for what got slower. Exit status 20 if the two tools differ on a verdict.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.measuring import peers
from scripts.measuring.measure import NOT_REPEATED, SYMAG, check, run, say, table
from scripts.measuring.measurements import filled, put_into, show, stop_with_children
from scripts.nusmv.nusmv_record import preprocessed
from scripts.smv.bdd_engines_table import models
from symag.core.errors import InputError, UnsupportedError
from symag.smv.model.printer import expression_text
from symag.smv.model.properties import invariant_of
from symag.smv.reader import read

WAYS = ("forward", "backward")
#: A row needs at least LEAST seconds of NuSMV; one got slower if it takes this many times as long, and 0.05 s more.
LEAST, SLOWER, NOISE = 0.2, 1.1, 0.05
_MAIN = re.compile(r"^\s*MODULE\s+main\b[^\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """One tool on one model in one direction: CPU seconds, verdicts in order, the search's own seconds, certified."""

    seconds: float
    verdicts: list[str]
    search: float = 0.0
    certified: int = 0

    @property
    def decided(self) -> bool:
        return bool(self.verdicts) and "unknown" not in self.verdicts


@contextlib.contextmanager
def questions(path: Path) -> Iterator[tuple[Path, list[str]]]:
    """The model, or a copy with invariants for its properties; and the names of the INVARSPECs to decide."""
    with preprocessed(path) as text, tempfile.TemporaryDirectory() as folder:
        system = read(text)
        invariants = [invariant for item in system.properties if (invariant := invariant_of(system, item)) is not None]
        if any(item.kind == "INVARSPEC" for item in system.properties) or not invariants:
            yield text, [str(item.index) for item in system.properties if item.kind == "INVARSPEC"]
            return
        names = [f"invariant_{number}" for number in range(len(invariants))]
        lines = [
            f"INVARSPEC NAME {name} := {expression_text(one)};" for name, one in zip(names, invariants, strict=True)
        ]
        copy = Path(folder, path.name)
        copy.write_text(_MAIN.sub(lambda main: "\n".join((main[0], *lines)), text.read_text(errors="replace"), 1))
        yield copy, names


def _nusmv(program: str, path: Path, names: Sequence[str], way: str, limit: float) -> Cell:
    if not names:
        seconds = peers.reach(program, path, "-coi -dynamic", limit)
        return Cell(limit, []) if seconds is None else Cell(seconds, ["reached"])
    setting = "backward" if way == "backward" else "-coi -dynamic"
    spent, verdicts = peers.invariant_verdicts(program, path, setting, limit)
    return Cell(spent, verdicts if len(verdicts) == len(names) else ["unknown"])


def _symag(path: Path, names: Sequence[str], way: str, limit: float, certify: bool) -> Cell:
    if not names:
        done = run([*SYMAG, "info", str(path), "--reachable", "--json"], limit, True)
        return Cell(done.seconds, ["reached" if done.status == 0 else "unknown"])
    chosen = [option for name in names for option in ("--property", name)]
    options = ["--method", "monolithic", "--direction", way, *chosen, *([] if certify else ["--no-certify"])]
    entries = check(path, options, limit, processor=True)
    decisions = [decision for _, decision in entries]
    search = sum(float(one.statistics.get("cpu_seconds") or 0) for one in decisions)
    certified = sum(one.certified for one in decisions)
    return Cell(decisions[0].seconds, [one.verdict for one in decisions], search, certified)


class Record:
    """Cells by suite/model, direction and tool; in a file too, a line each, if there is one."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.known: dict[tuple[str, str, str], Cell] = {}
        if file is not None and file.exists():
            for line in file.read_text().splitlines():
                entry = json.loads(line)
                self.known[entry["model"], entry["way"], entry["tool"]] = Cell(**entry["cell"])

    def keep(self, model: str, way: str, tool: str, cell: Cell) -> None:
        self.known[model, way, tool] = cell
        if self._file is not None:
            with self._file.open("a") as file:
                entry = {"model": model, "way": way, "tool": tool, "cell": asdict(cell)}
                file.write(json.dumps(entry) + "\n")


def _measure(record: Record, name: str, path: Path, program: str, given: argparse.Namespace) -> None:
    """All missing cells of a model; the tools take turns in each repetition."""
    with questions(path) as (model, names):
        for way in WAYS if names else WAYS[:1]:
            kept = record.known.get((name, way, "NuSMV"))
            if (name, way, "symag") in record.known or (kept is not None and not _counts(kept)):
                continue
            pairs: list[tuple[Cell, Cell]] = []
            while len(pairs) < given.repeat and (not pairs or max(c.seconds for c in pairs[0]) < NOT_REPEATED):
                theirs = _nusmv(program, model, names, way, given.limit)
                if not _counts(theirs):
                    break
                pairs.append((theirs, _symag(model, names, way, given.limit, False)))
            if not pairs:
                record.keep(name, way, "NuSMV", theirs)
                say(f"{name} {way}: NuSMV {_text(theirs)}")
                continue
            theirs, ours = map(_middle, zip(*pairs, strict=True))
            record.keep(name, way, "NuSMV", theirs)
            if names:
                record.keep(name, way, "certified", _symag(model, names, way, given.limit, True))
            record.keep(name, way, "symag", ours)
            say(f"{name} {way}: NuSMV {_text(theirs)}, symag {_text(ours)}")


def _counts(theirs: Cell) -> bool:
    """Whether NuSMV's cell makes a row; else symag is not measured."""
    return theirs.decided and theirs.seconds > LEAST


def _middle(cells: Sequence[Cell]) -> Cell:
    return sorted(cells, key=lambda cell: cell.seconds)[(len(cells) - 1) // 2]


def _text(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    return f"{cell.seconds:.2f}" if cell.decided else f"> {cell.seconds:.0f}"


def differences(record: Record) -> Iterator[str]:
    """Where both tools decide all properties and their verdicts are not the same ones."""
    for (model, way, tool), ours in record.known.items():
        theirs = record.known.get((model, way, "NuSMV"))
        both = tool == "symag" and theirs is not None and theirs.decided and ours.decided
        if both and theirs is not None and sorted(ours.verdicts) != sorted(theirs.verdicts):
            yield f"{model} {way}: NuSMV {theirs.verdicts}, symag {ours.verdicts}"


def _report(record: Record, before: Record, names: Sequence[str], limit: float) -> Iterator[str]:
    body: list[list[str]] = []
    lost: list[str] = []
    ratios: dict[str, list[float]] = {way: [] for way in WAYS}
    apart: dict[str, list[float]] = {way: [] for way in WAYS}
    slower = []
    for name, way in ((name, way) for name in names for way in WAYS):
        theirs, ours = record.known.get((name, way, "NuSMV")), record.known.get((name, way, "symag"))
        if theirs is None or ours is None:
            continue
        old = before.known.get((name, way, "symag"))
        if (
            old is not None
            and old.decided
            and (not ours.decided or (ours.seconds > SLOWER * old.seconds and ours.seconds > old.seconds + NOISE))
        ):
            slower.append(f"{name} {way} ({_text(old)} to {_text(ours)})")
        ratio = ours.seconds / theirs.seconds if ours.decided else None
        ratios[way].append(ours.seconds / theirs.seconds)
        if ours.search:
            apart[way].append(max(ours.search, 0.01) / theirs.seconds)
        checked = record.known.get((name, way, "certified"))
        again = "-" if checked is None else f"{max(checked.seconds - ours.seconds, 0):.2f}"
        sure = "-" if checked is None else f"{checked.certified} of {len(checked.verdicts)}"
        row = [name, way, f"{theirs.seconds:.2f}", _text(ours), "-" if ratio is None else f"{ratio:.2f}"]
        row += [f"{ours.search:.2f}" if ours.search else "-", again, sure]
        row.append("" if ratio is not None and ratio < 1 else "lost")
        body.append([*row, _text(old)])
        if row[-1]:
            lost.append(f"{name} {way}")
    yield filled(
        f"CPU seconds of the whole command, {limit:g} s for a process; search: symag's search and encoding alone,"
        " without start and reading; re-check: what certification adds; before: symag before the change."
    )
    header = ["model", "direction", "NuSMV", "symag", "ratio", "search", "re-check", "certified", "", "before"]
    yield "```\n" + table(header, body) + "\n```"
    for way in WAYS:
        if ratios[way]:
            alone = f"; of the search's seconds {_mean(apart[way]):.2f}" if apart[way] else ""
            yield filled(
                f"{way}: {len(ratios[way])} rows, faster on {sum(ratio < 1 for ratio in ratios[way])}, geometric mean"
                f" of the ratios {_mean(ratios[way]):.2f} (undecided ones with the limit){alone}."
            )
    yield filled(
        f"Lost: {', '.join(lost) or 'none'}. Over 10% and {NOISE:g} s slower than before:"
        f" {', '.join(slower) or 'none'}."
    )


def _mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", default="elastic,paper,nusmv", help="(default: %(default)s)")
    parser.add_argument("--models", help="only these, separated by commas")
    parser.add_argument("--limit", type=float, default=10.0, help="CPU seconds of a process (default: 10)")
    parser.add_argument("--repeat", type=int, default=3, help="the median of this many short runs (default: 3)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the cells here, and take them from it")
    parser.add_argument("--before", type=Path, metavar="FILE", help="the record of another version")
    parser.add_argument("--print-only", action="store_true", help="print from the record, measure nothing")
    parser.add_argument("--into", type=Path, metavar="FILE.md")
    given = parser.parse_args()
    stop_with_children()
    program = peers.nusmv()
    if program is None and not given.print_only:
        print("NuSMV is not on PATH", file=sys.stderr)
        return 2
    record, before = Record(given.record), Record(given.before)
    chosen = list(models(given))
    for name, path in () if given.print_only else chosen:
        try:
            _measure(record, name, path, str(program), given)
        except (InputError, UnsupportedError) as error:
            say(f"{name}: {error}")
    paragraphs = list(_report(record, before, [name for name, _ in chosen], given.limit))
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        put_into(given.into, "directions_table.py", paragraphs)
    wrong = list(differences(record))
    for line in wrong:
        print(f"CONTRADICTION {line}", file=sys.stderr)
    return 20 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
