"""Random properties of random small models: every answer must be certified, and agree with NuSMV's.

    python -m scripts.nusmv.random_properties [--first 0] [--models 400] [--nusmv PROGRAM] [--keep FOLDER] [--by-parts]
        [--methods]

Each model (one per seed) has seven properties: LTL with past and bounded operators over atoms that read arrays with
variable indices, sets, ``case``, words, inputs and next values; CTL; and invariants of states and of transitions.
Properties with refused or missing evidence, failures, and verdicts that differ from NuSMV's are printed; their models
are written to FOLDER. Exit status 1 if there is any. 400 models take some minutes of CPU. With --methods every method
decides every property, some with several options, in 5 s each: answers that are not certified and different verdicts
are printed; a model takes some ten seconds of CPU.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.nusmv.random_models import model
from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.core.limits import Limits
from symag.core.results import PropertyResult, Reason, Verdict, kind_of
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.checking.check import check
from symag.smv.methods import monolithic
from symag.smv.methods.by_parts import rule_g
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem


def options_of(seed: int) -> SmvOptions:
    """Options that change the search and so its evidence; a third of the seeds has the usual ones."""
    return (SmvOptions(), SmvOptions(direction="backward"), SmvOptions(cone_of_influence=False))[seed % 3]


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a model: outcomes counted, and what is wrong, one line each."""

    outcomes: Counter[str]
    wrong: tuple[str, ...]


def judged(text: str, options: SmvOptions, nusmv: str | None = None, by_parts: bool = False) -> Report:
    """Decide and re-check every property of a model; with NuSMV compare the verdicts."""
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    system = read_text(text)
    decide = monolithic.session(system, options)
    results: list[PropertyResult] = []
    for item in system.properties:
        result = decide(item, lambda _: None)
        results.append(result)
        outcomes[item.kind + " " + result.verdict.value] += 1
        wrong += _refusals(system, result, len(results) - 1, outcomes)
        if by_parts and item.kind == "INVARSPEC":
            try:
                parts = rule_g.decide(system, item, options, lambda _: None)
            except UnsupportedError:
                continue
            if parts.verdict is Verdict.UNKNOWN:
                continue
            wrong += _refusals(system, parts, len(results) - 1, outcomes)
            if {parts.verdict, result.verdict} == {Verdict.HOLDS, Verdict.VIOLATED}:
                wrong.append(f"rule-g {parts.verdict.value}, monolithic {result.verdict.value}: {item.text}")
    if nusmv is not None:
        wrong += _differences(text, system, results, nusmv, outcomes)
    return Report(outcomes, tuple(wrong))


def _refusals(system: FlatSystem, result: PropertyResult, place: int, outcomes: Counter[str]) -> Iterator[str]:
    """A line if the evidence of the answer is refused, or if there is none."""
    item = system.properties[place]
    if result.verdict is Verdict.UNKNOWN:
        yield f"unknown ({result.reason}): {item.kind} {item.text}"
        return
    try:
        certified = accept(system, item, result, 60).certified
    except CertificationError as error:
        outcomes["refused"] += 1
        yield f"refused ({result.method}, {result.verdict.value}: {error}): {item.kind} {item.text}"
        return
    if not certified:
        outcomes["not certified"] += 1
        yield f"not certified ({result.method}, {result.verdict.value}): {item.kind} {item.text}"


_LINE = re.compile(r"^-- (?:invariant|specification) .*?\s+is (true|false)$", re.MULTILINE | re.DOTALL)


#: Every method but ``auto``, ``external`` and ``monolithic``, with options that change the evidence.
_WAYS = (
    *(
        (name, SmvOptions())
        for name in ("rule-s", "rule-g", "bmc", "pdr", "k-liveness", "sweeping", "parts", "simulation")
    ),
    ("monolithic", SmvOptions(facts=True)),
    ("monolithic", SmvOptions(bdd="oxidd")),
    ("rule-g", SmvOptions(facts=True)),
    ("rule-s", SmvOptions(wires="none")),
    ("k-induction", SmvOptions()),
    ("k-induction", SmvOptions(facts=True)),
    ("pdr", SmvOptions(facts=True)),
    ("pdr", SmvOptions(cone_of_influence=False)),
    ("parts", SmvOptions(invariants="sets")),
)

#: Seconds for a method and its re-check.
_SECONDS = 5.0


def compared(text: str, ways: Sequence[tuple[str, SmvOptions]] = _WAYS) -> Report:
    """Decide every property of a model by some methods, and re-check the answers."""
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    system = read_text(text)
    for item in system.properties:
        verdicts: dict[Verdict, str] = {}
        for method, options in (("monolithic", SmvOptions()), *ways):
            ((_, result),) = check(system, [item], method, options, Limits(seconds=_SECONDS))
            reason = kind_of(result.reason)
            outcomes[f"{method} {result.verdict.value if reason is None else reason.value}"] += 1
            if result.verdict is Verdict.UNKNOWN:
                if reason in (Reason.REFUSED, Reason.CRASHED, Reason.INTERNAL_ERROR):
                    wrong.append(f"{method}: {result.reason}: {item.kind} {item.text}")
                continue
            verdicts.setdefault(result.verdict, method)
            if not result.certified:
                warnings = "; ".join(result.warnings)
                wrong.append(f"not certified ({method}, {result.verdict.value}, {warnings}): {item.kind} {item.text}")
        if len(verdicts) > 1:
            wrong.append(f"{verdicts}: {item.kind} {item.text}")
    return Report(outcomes, tuple(wrong))


#: NuSMV sorts LTL properties by the sizes of their cones unless an option forbids it.
_COMMANDS = """set on_failure_script_quits
set counter_examples 0
set use_coi_size_sorting 0
go
check_ctlspec
check_ltlspec
check_invar
quit
"""


def _differences(
    text: str, system: FlatSystem, results: Sequence[PropertyResult], program: str, outcomes: Counter[str]
) -> Iterator[str]:
    """NuSMV prints CTL, then LTL, then invariants, in the order of the text; symag's properties have that order.

    Models on which NuSMV 2.6 ends with "reached invalid code" (at some formulas with T) are counted only, and so are
    those with COMPASSION: NuSMV honours it in LTL only, and there calls one and the same formula true with
    COMPASSION (TRUE, p) and false with JUSTICE p (seed 1394).
    """
    if system.compassion:
        outcomes["models with COMPASSION"] += 1
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.smv"
        path.write_text(text)
        try:
            (Path(folder) / "commands").write_text(_COMMANDS)
            command = [program, "-source", "commands", "m.smv"]
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            outcomes["NuSMV stopped"] += 1
            return
    matches = _LINE.findall(ran.stdout)
    if len(matches) != len(results):
        outcomes["models on which NuSMV ends early"] += 1
        return
    outcomes["compared"] += len(matches)
    for item, result, value in zip(system.properties, results, matches, strict=True):
        if (result.verdict is Verdict.HOLDS) != (value == "true"):
            yield f"WRONG: NuSMV {value}, symag {result.verdict.value}: {item.kind} {item.text}"


def _say_alone() -> Callable[[str], None]:
    """A ``print`` that METIS, which writes to standard output, does not write between."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return lambda line: print(line, file=output, flush=True)


def main() -> int:
    """Run the seeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--models", type=int, default=400)
    parser.add_argument("--nusmv", metavar="PROGRAM")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--by-parts", action="store_true", help="Decide invariants by Rule-G as well.")
    parser.add_argument("--methods", action="store_true", help="Decide every property by every method.")
    arguments_ = parser.parse_args()
    say = _say_alone()
    outcomes: Counter[str] = Counter()
    wrong = 0
    for seed in range(arguments_.first, arguments_.first + arguments_.models):
        text = model(seed)
        try:
            report = (
                compared(text)
                if arguments_.methods
                else judged(text, options_of(seed), arguments_.nusmv, arguments_.by_parts)
            )
        except InputError as error:
            report = Report(Counter(["refused by the reader"]), (str(error),))
        except Exception:
            report = Report(Counter(["failed"]), (traceback.format_exc(),))
        outcomes += report.outcomes
        for line in report.wrong:
            say(f"seed {seed}: {' '.join(line.split())}")
        if report.wrong:
            wrong += 1
            if arguments_.keep is not None:
                arguments_.keep.mkdir(parents=True, exist_ok=True)
                (arguments_.keep / f"{seed}.smv").write_text(text)
    say(", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
