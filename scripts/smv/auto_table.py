"""Measures ``auto`` against every single method on the models of a folder, in CPU seconds of all processes.

python -m scripts.smv.auto_table FOLDER... [--limit 20] [--sample N --seed S] [--methods pdr,parts,...] [--peers]
    [--over] [--only TEXT] [--record FILE.jsonl] [--print-only] [--decided FILE.jsonl] [--into models/TABLES.md]

A row is a file with all its properties. A single method competes if it decides all properties that ``auto`` decides; as
only faster ones matter, no process gets more time than the fastest so far took (at first ``auto``). The table has the
ratio to the best of them, and a list of the rows over 1.5 times its seconds plus 0.5; near this bound auto and the best
one are medians of three runs. Where ``auto`` is within the bound of the time that the command takes for one bit, no
method can be so fast that it is not: of such a row only the methods that decided are measured. ``--sample`` takes that
many files of each folder. ``--over`` is for whole suites: only rows over the bound are printed, and a single method is
stopped, with all its processes, when it can no longer put ``auto`` over it; where auto is not done, after
``--limit`` seconds. ``--peers`` adds NuSMV (SMV files: forward, backward, -coi -dynamic) and ABC (AIGER files:
pdr) if they are on PATH, and all properties are invariants. Limits are CPU seconds of a process. A later run with the
same ``--record`` continues. Exit status 20 if two methods contradict each other.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.measuring import peers
from scripts.measuring.measure import SYMAG, check, run, say, table
from scripts.measuring.measurements import filled, put_into, show, stop_with_children
from symag.core.errors import InputError
from symag.core.values import replace
from symag.smv import read

METHODS = ("monolithic forward", "monolithic backward", "rule-g", "bmc", "k-induction", "pdr", "sweeping", "parts")
SUFFIXES = (".smv", ".aig", ".aag", ".btor2")

#: The goal: at most this many times the best single method's seconds, and this many seconds more.
FACTOR, MORE = 1.5, 0.5

#: Rows where auto takes between these many times the seconds of the bound are measured again.
_NEAR = 0.75, 1.4

#: With --over all processes of auto have this many times --limit seconds together.
_AUTO = 4.0


@dataclass(frozen=True)
class Cell:
    """One run over one file: CPU seconds, the verdicts of decided properties by index, and who decided (auto)."""

    model: str
    how: str
    seconds: float
    verdicts: Mapping[str, str]
    by: str = ""
    all_properties: int = 0
    runs: int = 1

    def answers(self, other: Cell) -> bool:
        """Whether all that the other decided is decided here too."""
        return bool(self.verdicts) and set(other.verdicts) <= set(self.verdicts)


def main() -> int:
    """Measure what is not on record, print the table; the exit status."""
    arguments = _arguments()
    stop_with_children()
    known = _known(arguments.record)
    methods = (
        METHODS if arguments.methods is None else [item for item in arguments.methods.split(",") if item != "none"]
    )
    rows = []
    recorded = _recorded(arguments.decided)
    bit = known.get(("", "one bit")) or _one_bit(arguments.record)
    for name, path in _files(arguments.folders, arguments.only, arguments.sample, arguments.seed):
        cells = {}
        if arguments.decided is not None:
            if name not in recorded:
                continue
            cells["ABC recorded"] = recorded[name]
        row = _Row(name, path, known, cells, arguments)
        row.measure("auto")
        if "auto" in cells and not cells["auto"].all_properties:
            continue
        for how in _in_order(methods, cells.get("auto")):
            if row.may_matter(how, bit.seconds):
                row.measure(how)
        row.repeat_near_the_bound(methods)
        for how in _peers_for(path) if arguments.peers else ():
            row.measure(how)
        if "auto" in cells:
            rows.append(cells)
    paragraphs = list(_report(rows, methods, arguments))
    for paragraph in paragraphs:
        show(paragraph)
    if arguments.into is not None:
        put_into(arguments.into, arguments.mark, paragraphs)
    wrong = [line for cells in rows for line in _contradictions(cells)]
    for line in wrong:
        print(f"CONTRADICTION {line}")
    return 20 if wrong else 0


@dataclass(frozen=True)
class _Row:
    """A file with its cells, which it measures unless they are known."""

    name: str
    path: Path
    known: dict[tuple[str, str], Cell]
    cells: dict[str, Cell]
    given: argparse.Namespace

    def measure(self, how: str) -> None:
        """Add the cell of a method or a peer, measured if it is not known."""
        cell = self.known.get((self.name, how))
        if cell is None and not self.given.print_only:
            cell = replace(_measured(self.path, how, self._limit(how), self._together(how)), model=self.name)
            say(f"{self.name} {how}: {len(cell.verdicts)} decided in {cell.seconds:.2f} s {cell.by}")
            _record(self.given.record, cell)
        if cell is not None:
            self.cells[how] = cell

    def may_matter(self, how: str, least: float) -> bool:
        """Whether the seconds of a method can tell if auto is within the goal; no command takes less than ``least``."""
        auto = self.cells.get("auto")
        if auto is None or (how == "bmc" and "holds" in auto.verdicts.values()):
            return False  # bmc proves nothing
        far = not _is_whole(auto) or auto.seconds > FACTOR * least + MORE
        return far or (how in _deciding(auto) and not self.given.over)

    def repeat_near_the_bound(self, methods: Sequence[str]) -> None:
        """Replace the seconds of auto and of the best method by medians of three runs if they are near the bound."""
        best = _best(self.cells, methods)
        if best is None or self.given.print_only:
            return
        bound = FACTOR * best.seconds + MORE
        for how in ("auto", best.how):
            if not _NEAR[0] * bound < self.cells["auto"].seconds < _NEAR[1] * bound or self.cells[how].runs > 1:
                return
            cell = self.cells[how]
            again = [_measured(self.path, how, self.given.limit, None).seconds for _ in range(2)]
            cell = replace(cell, seconds=statistics.median([cell.seconds, *again]), runs=3)
            say(f"{self.name} {how}: {cell.seconds:.2f} s, the median of three")
            _record(self.given.record, cell)
            self.cells[how] = cell

    def _limit(self, how: str) -> float:
        auto = self.cells.get("auto")
        limit: float = self.given.limit
        if auto is None or how.startswith(("NuSMV", "ABC")) or not _is_whole(auto):
            return limit
        fastest = min((cell.seconds for cell in self.cells.values() if cell.answers(auto)), default=limit)
        return min(limit, math.ceil(fastest))

    def _together(self, how: str) -> float | None:
        """The CPU seconds for all processes of a command; None for no such limit."""
        limit: float = self.given.limit
        auto = self.cells.get("auto")
        if not self.given.over:
            return None
        if auto is None:
            return _AUTO * limit
        if not _is_whole(auto):
            return limit
        rivals = [cell.seconds for name, cell in self.cells.items() if name != "auto" and cell.answers(auto)]
        return min([(auto.seconds - MORE) / FACTOR, *rivals])


def _is_whole(auto: Cell) -> bool:
    """Whether it decides all properties of the file."""
    return bool(auto.verdicts) and len(auto.verdicts) == auto.all_properties


def _best(cells: Mapping[str, Cell], methods: Sequence[str]) -> Cell | None:
    """The fastest of the single methods that decide all that auto decides."""
    rivals = (cells[how] for how in methods if how in cells and cells[how].answers(cells["auto"]))
    return min(rivals, key=lambda cell: cell.seconds, default=None)


def _deciding(auto: Cell) -> set[str]:
    """The names of the methods that decided in ``auto``, as in METHODS."""
    return {name.replace("(", "").replace(")", "") for name in auto.by.split(", ")}


def _in_order(methods: Sequence[str], auto: Cell | None) -> list[str]:
    """The methods that decided in ``auto`` first."""
    first = set() if auto is None else _deciding(auto)
    return sorted(methods, key=lambda how: how not in first)


def _one_bit(record: Path | None) -> Cell:
    """The CPU seconds of the command on a model of one bit: the least of three runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bit.smv"
        path.write_text("MODULE main\nVAR b : boolean;\nASSIGN init(b) := TRUE; next(b) := b;\nINVARSPEC b\n")
        runs = [_measured(path, "k-induction", 20.0, None) for _ in range(3)]
    cell = replace(min(runs, key=lambda run: run.seconds), model="", how="one bit")
    say(f"one bit: {cell.seconds:.2f} s")
    _record(record, cell)
    return cell


def _record(record: Path | None, cell: Cell) -> None:
    if record is not None:
        with record.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(cell)) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="folders, or files")
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds for each process (default 20)")
    parser.add_argument("--methods", help="the single methods, separated by commas (default: all; none: none)")
    parser.add_argument("--peers", action="store_true", help="NuSMV and ABC too, where they are on PATH")
    parser.add_argument("--sample", type=int, metavar="N", help="only N files of each folder, by --seed")
    parser.add_argument("--seed", type=int, default=1, help="for --sample (default 1)")
    parser.add_argument("--record", type=Path, help="keep the cells in this file, and take them from it")
    parser.add_argument("--print-only", action="store_true", help="print from the record, measure nothing")
    parser.add_argument("--over", action="store_true", help="find and print only the rows over the bound")
    parser.add_argument("--only", default="", help="files whose path contains this text")
    parser.add_argument("--decided", type=Path, help="only files that ABC decided, by this verdicts.jsonl")
    parser.add_argument("--into", type=Path, help="put the tables into this file, between the marks of --mark")
    parser.add_argument("--mark", default="auto_table.py", help="the name in those marks")
    return parser.parse_args()


def _files(folders: Sequence[Path], only: str, sample: int | None, seed: int) -> Iterator[tuple[str, Path]]:
    """The models with their names: the path below the folder."""
    for folder in folders:
        if folder.is_file():
            yield folder.name, folder
            continue
        paths = sorted(item for item in folder.rglob("*") if item.suffix in SUFFIXES and only in str(item))
        if sample is not None and sample < len(paths):
            paths = sorted(random.Random(seed).sample(paths, sample))
        for path in paths:
            yield path.relative_to(folder).as_posix(), path


def _recorded(decided: Path | None) -> dict[str, Cell]:
    """ABC's answers and seconds in a verdicts.jsonl, where there is one."""
    entries = [] if decided is None else map(json.loads, decided.read_text(encoding="utf-8").splitlines())
    return {
        entry["model"]: Cell(entry["model"], "ABC recorded", entry["seconds"], {"all": entry["abc_pdr"]})
        for entry in entries
        if entry["abc_pdr"] is not None
    }


def _known(record: Path | None) -> dict[tuple[str, str], Cell]:
    if record is None or not record.is_file():
        return {}
    cells = [Cell(**json.loads(line)) for line in record.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {(cell.model, cell.how): cell for cell in cells}


def _peers_for(path: Path) -> tuple[str, ...]:
    if path.suffix == ".smv":
        if not _has_only_invariants(path):
            return ()
        settings = ("NuSMV plain", "NuSMV backward", "NuSMV -coi -dynamic") if peers.nusmv() else ()
        return (*settings, *(("ABC pdr", "ABC scorr+pdr") if peers.abc() else ()))
    return ("ABC pdr",) if peers.abc() and path.suffix in (".aig", ".aag") else ()


def _has_only_invariants(path: Path) -> bool:
    """Whether the peers, which are asked for invariants, answer all properties of an SMV file."""
    try:
        return all(item.kind == "INVARSPEC" for item in read(path).properties)
    except InputError:
        return False


def _measured(path: Path, how: str, limit: float, together: float | None) -> Cell:
    program, _, setting = how.partition(" ")
    if program == "NuSMV":
        return _nusmv(path, how, setting, limit)
    if program == "ABC":
        return _abc(path, how, setting, limit)
    options = ["--method", program, *(["--direction", setting] if setting else [])]
    entries = check(path, options, limit, processor=True, together=together)
    if not entries:
        return Cell(path.name, how, 0.0, {})  # no properties
    decided = {str(entry["index"]): item.verdict for entry, item in entries if item.known or item.verdict == "computed"}
    by = ", ".join(dict.fromkeys(str(item.method) for _, item in entries if item.known))
    return Cell(path.name, how, entries[0][1].seconds, decided, by if how == "auto" else "", len(entries))


def _nusmv(path: Path, how: str, setting: str, limit: float) -> Cell:
    """NuSMV on all invariants of a file; it prints them in the order of their indices."""
    program = peers.nusmv()
    assert program is not None
    seconds, verdicts = peers.invariant_verdicts(program, path, setting, limit)
    return Cell(path.name, how, seconds, {str(index): verdict for index, verdict in enumerate(verdicts)}, "", 0)


def _abc(path: Path, how: str, setting: str, limit: float) -> Cell:
    """ABC on all properties together; its answer is only that all hold, or that one does not."""
    program = peers.abc()
    assert program is not None
    with tempfile.TemporaryDirectory() as folder:
        graph = path
        if path.suffix == ".smv":
            graph = Path(folder) / "model.aig"
            if run([*SYMAG, "convert", "-q", str(path), str(graph)], 60).status != 0:
                return Cell(path.name, how, 0.0, {}, "no AIGER")
        decision = peers.abc_prove(program, graph, setting, limit, 1)
    return Cell(path.name, how, decision.seconds, {"all": decision.verdict} if decision.known else {})


def _report(rows: Sequence[Mapping[str, Cell]], methods: Sequence[str], given: argparse.Namespace) -> Iterator[str]:
    others = sorted({how for cells in rows for how in cells if how.startswith(("NuSMV", "ABC"))})
    header = ["model", "decided", "by", "auto", "best", "of", "ratio", *others]
    body, ratios, over, lost, ahead = [], [], [], [], []
    for cells in rows:
        auto = cells["auto"]
        best = _best(cells, methods)
        ratio = auto.seconds / best.seconds if best is not None and auto.verdicts else None
        missed = {index for how in methods if how in cells for index in cells[how].verdicts} - set(auto.verdicts)
        name = auto.model.rpartition(".")[0]
        if ratio is not None and best is not None:
            ratios.append(ratio)
            if auto.seconds > FACTOR * best.seconds + MORE:
                over.append(name)
        elif auto.verdicts:
            ahead.append(name)
        if missed:
            lost.append(name)
        if given.over and _is_whole(auto) and name not in (*over, *lost):
            continue
        decided = f"{len(auto.verdicts)} of {auto.all_properties}"
        own = f"{auto.seconds:.2f}" if _is_whole(auto) else f"> {given.limit:g}"
        text = "-" if best is None else f"{best.seconds:.2f}"
        body.append(
            [name[-40:], decided, auto.by[:40], own, text, "-" if best is None else best.how]
            + ["-" if ratio is None else f"{ratio:.2f}"]
            + [_peer_text(cells.get(how)) for how in others]
        )
    yield filled(
        f"CPU seconds of all processes, {given.limit:g} s for a process, one run each, near the bound medians of three;"
        " best: the fastest single method that decides all that auto decides ('-': none within the time that auto took,"
        " or none needed, see the script); peers: what they decide of the file's properties, with seconds."
        + (" Only rows over the bound or with undecided properties." if given.over else "")
        + ("" if given.sample is None else f" A sample of {given.sample} files of each folder, seed {given.seed}.")
    )
    yield "```\n" + table(header, body) + "\n```"
    if not methods:
        whole = sum(_is_whole(cells["auto"]) for cells in rows)
        yield f"auto decides all properties of {whole} of {len(rows)} files."
        return
    within = len(ratios) - len(over)
    middle = f", median ratio {statistics.median(ratios):.2f}" if ratios else ""
    yield filled(
        f"Within {FACTOR} x + {MORE} s of the best single method: {within + len(ahead)} of {len(ratios) + len(ahead)}"
        f" files ({len(ahead)} of them without a rival){middle}. Over it: {', '.join(over) or 'none'}."
        f" Decided by a single method and not by auto: {', '.join(lost) or 'none'}."
    )


def _peer_text(cell: Cell | None) -> str:
    if cell is None:
        return "?"
    counts = sorted(set(cell.verdicts.values()))
    what = "none" if not counts else counts[0] if "all" in cell.verdicts else f"{len(cell.verdicts)}"
    return f"{what} {cell.seconds:.2f}"


def _contradictions(cells: Mapping[str, Cell]) -> Iterator[str]:
    auto = cells["auto"]
    for how, cell in cells.items():
        if how.startswith("NuSMV"):
            continue
        if "all" in cell.verdicts:
            together = "violated" if "violated" in auto.verdicts.values() else "holds"
            if _is_whole(auto) and cell.verdicts["all"] != together:
                yield f"{auto.model}: {how} says {cell.verdicts['all']}, auto {together}"
            continue
        for index, verdict in cell.verdicts.items():
            if auto.verdicts.get(index, verdict) != verdict:
                yield f"{auto.model} {index}: {how} says {verdict}, auto {auto.verdicts[index]}"


if __name__ == "__main__":
    sys.exit(main())
