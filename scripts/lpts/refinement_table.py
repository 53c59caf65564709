"""Prints what each heuristic of ``agar`` for probabilistic systems is worth on the rows of Table 1 of agar-lpts-2012.

    python -m scripts.lpts.refinement_table [--row NAME]... [--variant NAME]... [--rule ASym|ASym-N|agar]
        [--repeat 3] [--wrong] [--timeout 60]

A variant is the method as it is with one heuristic off, or with another choice in its place. Cells: rounds (checks of
the first premise) and refinements; the largest assumption and the largest composition, in states; CPU seconds of the
search alone, without start, reading and re-check: the median of ``--repeat`` runs, of one if it takes over 1 second. A
run is a process of its own. ``ASym`` and ``ASym-N`` have the components as the paper orders them, ``agar`` chooses the
first part itself. ``--wrong`` uses the specifications that do not hold. The exit status is 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from scripts.lpts.simulation_table import MODELS, ROWS, Row
from symag.core.limits import Progress, no_progress
from symag.core.results import Verdict
from symag.lpts.language.reading import read_specification, read_system
from symag.lpts.lpts import Lpts
from symag.lpts.methods import componentwise
from symag.lpts.methods.agar import agar, agar_n
from symag.lpts.methods.componentwise import AssumptionRefinement
from symag.lpts.methods.concrete import ConcreteSystem, PartitionedSystem
from symag.lpts.methods.factored import FactoredTree
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.refinement import Projection, SpuriousCounterexample, analysed, coarsest
from symag.lpts.methods.requirements import BlockRequirement, Decision
from symag.lpts.methods.simulation import refutation
from symag.lpts.problems import SimulationProblem

_AS_IT_IS = "as it is"
_Conflict = tuple[ConcreteSystem, Projection]


@contextlib.contextmanager
def _forgetting() -> Iterator[None]:
    """Nothing that the specification answered in one round is known in the next."""
    original = BlockRequirement.decide

    def decide(self: BlockRequirement, system: Lpts, progress: Progress, most_trees: int = 1) -> Decision:
        self.answers.clear()
        return original(self, system, progress, most_trees)

    with mock.patch.object(BlockRequirement, "decide", decide):
        yield


def _block(conflict: _Conflict) -> int:
    """The number of states in the smaller blocks of a split."""
    level, view = conflict
    analysis = analysed(view, level)
    assert isinstance(analysis, SpuriousCounterexample)
    return sum(min(len(some), len(level.members(class_)) - len(some)) for class_, some in analysis.parts.items())


@contextlib.contextmanager
def _one_part(cost: Callable[[_Conflict], float]) -> Iterator[None]:
    """A tree refines one part only: the one of least cost, the earlier one of several."""
    original = AssumptionRefinement._conflicts

    def conflicts(
        self: AssumptionRefinement, tree: FactoredTree, before: Sequence[PartitionedSystem]
    ) -> list[_Conflict]:
        return sorted(original(self, tree, before), key=cost)[:1]

    with mock.patch.object(AssumptionRefinement, "_conflicts", conflicts):
        yield


@contextlib.contextmanager
def _splitting_once() -> Iterator[None]:
    """A part is split once by a tree, although its assumption may still be able to run it."""

    def exclude(self: AssumptionRefinement, level: ConcreteSystem, view: Projection) -> None:
        analysis = analysed(view, level)
        assert isinstance(analysis, SpuriousCounterexample)
        level.split(analysis.parts)
        self._refinements += 1

    with mock.patch.object(AssumptionRefinement, "_exclude", exclude):
        yield


@dataclass(frozen=True)
class Variant:
    """``change`` is what differs while it runs; a search asks for trees of at most ``conflicts``."""

    change: Callable[[], contextlib.AbstractContextManager[object]] = contextlib.nullcontext
    conflicts: int = LptsOptions().conflicts


#: ``newest``: the class that was made last has the greatest number, and the most refined part the most classes.
VARIANTS: Mapping[str, Variant] = {
    _AS_IT_IS: Variant(),
    "one conflict in a round": Variant(conflicts=1),
    "one conflict, which splits once": Variant(_splitting_once, conflicts=1),
    "four conflicts": Variant(conflicts=4),
    "a conflict splits once": Variant(_splitting_once),
    "conflicts as in the paper": Variant(lambda: mock.patch.object(componentwise, "analysed", coarsest)),
    "one part: smallest block": Variant(lambda: _one_part(_block)),
    "one part: largest gain": Variant(lambda: _one_part(lambda conflict: -_block(conflict))),
    "one part: newest": Variant(lambda: _one_part(lambda conflict: -conflict[0].abstraction.states)),
    "trees not minimised": Variant(lambda: mock.patch.object(refutation, "_MOST_NODES_TO_CUT", 0)),
    "nothing reused": Variant(_forgetting),
}
RULES = ("ASym", "ASym-N", "agar")


def problem_of(row: Row, wrong: bool) -> SimulationProblem:
    """The problem of a row, from its generator."""
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name) / "system.nm", Path(name) / "specification.nm"]
        for path, more in zip(paths, ([], ["--wrong" if wrong else "--specification"]), strict=True):
            command = [sys.executable, str(MODELS / row.model[0]), *row.model[1:], *more]
            path.write_text(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
        return SimulationProblem(read_system(str(paths[0])).components, read_specification(str(paths[1])))


def searched(row: Row, problem: SimulationProblem, rule: str, variant: Variant) -> tuple[Verdict, dict[str, float]]:
    """The verdict of one search, and its statistics with the CPU seconds."""
    number = {component.name: k for k, component in enumerate(problem.components)}
    options = LptsOptions(conflicts=variant.conflicts)
    if rule == "ASym":
        first = tuple(number[name] for name in row.first)
        options = LptsOptions(conflicts=variant.conflicts, groups=(first,), order=first[:1])
    elif rule == "ASym-N":
        options = LptsOptions(conflicts=variant.conflicts, order=tuple(number[name] for name in row.order.split(",")))
    with variant.change():
        began = time.process_time()
        outcome = (agar_n if rule == "ASym-N" else agar)(problem, options, no_progress)
        return outcome.verdict, {**outcome.statistics, "cpu_seconds": time.process_time() - began}


def cell(row: Row, problem: SimulationProblem, rule: str, name: str, repeat: int, timeout: float) -> list[str]:
    """The figures of a variant as texts; none without an answer in time. Raises AssertionError for a wrong verdict."""
    runs: list[dict[str, float]] = []
    while len(runs) < repeat and (not runs or runs[0]["cpu_seconds"] <= 1):
        receiver, sender = multiprocessing.get_context("fork").Pipe(duplex=False)

        def work() -> None:
            signal.setitimer(signal.ITIMER_PROF, timeout)
            sender.send(searched(row, problem, rule, VARIANTS[name]))  # noqa: B023

        process = multiprocessing.get_context("fork").Process(target=work)
        process.start()
        sender.close()
        try:
            verdict, figures = receiver.recv()
        except EOFError:
            return [f"none in {timeout:g} s"]
        finally:
            process.join()
        runs.append({**figures, "holds": verdict is Verdict.HOLDS})
    seconds = statistics.median(run["cpu_seconds"] for run in runs)
    names = ("rounds", "refinements", "assumption_states_max", "largest_composition_states")
    return ["holds" if runs[0]["holds"] else "violated", *(f"{runs[0][name]:g}" for name in names), f"{seconds:.2f}"]


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", action="append", choices=[row.name for row in ROWS])
    parser.add_argument("--variant", action="append", choices=tuple(VARIANTS))
    parser.add_argument("--rule", action="append", choices=RULES)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--timeout", type=float, default=60.0, help="CPU seconds of a search (default: %(default)g)")
    arguments = parser.parse_args(given)
    print("| model | rule | variant | rounds | refinements | largest assumption | largest composition | CPU s |")
    print("|" + "---|" * 8, flush=True)
    wrong = 0
    for row in (row for row in ROWS if not arguments.row or row.name in arguments.row):
        problem = problem_of(row, arguments.wrong)
        for rule in arguments.rule or ("ASym-N",):
            for name in arguments.variant or VARIANTS:
                verdict, *figures = cell(row, problem, rule, name, arguments.repeat, arguments.timeout)
                if verdict in ("holds", "violated"):
                    wrong += (verdict == "violated") != arguments.wrong
                    text = " | ".join(figures)
                else:
                    text = f"{verdict} | | | | "
                print(f"| {row.name} | {rule} | {name} | {text} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
