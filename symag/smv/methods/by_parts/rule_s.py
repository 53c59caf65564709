"""The method ``rule-s``: two modules, one assumption (paper, Sections 2.3 and 5.3).

First the strongest assumption that remembers nothing is tried, for either part of every partition. Then assumptions are
learned for either part: both orders of every partition take turns under growing bounds on assumption states. A
separating automaton serves both orders.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.smv.methods.by_parts.ascv.ascv_s import AscvS, Memoryless, ProvedByRuleS
from symag.smv.methods.by_parts.ascv.separating_s import SeparatingS
from symag.smv.methods.by_parts.ascv.sides import ViolatingWord, run_of
from symag.smv.methods.by_parts.decision import DecompositionProblem, candidates, statistics, subjects
from symag.smv.methods.by_parts.evidence import assume_guarantee_certificate, holds, violated, without_parts
from symag.smv.methods.by_parts.phases import PhaseProgress
from symag.smv.methods.by_parts.turns import Attempt, take_turns
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.safety import by_monitor
from symag.smv.model.flat import FlatSystem, Property


def decide(system: FlatSystem, target: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide an invariant, or a safety property of LTL by its monitor, by Rule-S.

    Raises UnsupportedError for other properties, UsageError for other numbers of parts than two,
    InputError and MemoryExhausted. ``unknown`` if no partition is feasible.
    """
    return by_monitor(_decide_invariant, system, target, options, progress)


_Run = AscvS | SeparatingS | Memoryless
_Attempt = Attempt[_Run, ProvedByRuleS | ViolatingWord]


def _decide_invariant(system: FlatSystem, target: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    started = time.process_time()
    if options.parts not in (None, 2):
        raise UsageError("rule-s works with two parts")
    options = replace(options, parts=2)
    phases = PhaseProgress(progress)
    phases.enter("partition", "encoding")
    (prepared,) = subjects(system, target, options, (options.wires or "property",), phases)
    attempts = [] if len(prepared.cone.variables) < 2 else list(_attempts(prepared, options, phases))
    if not attempts:
        return without_parts(prepared, "rule-s")
    phases.enter("learning", f"learning for {len(attempts)} partitions and orders")
    attempt, outcome = take_turns(attempts)
    figures = statistics(prepared, attempt.partition, started) | {
        "assumption_states": [attempt.run.states],
        **attempt.run.figures,
    }
    if isinstance(outcome, ViolatingWord):
        runs = (run_of(attempt.modules[0], attempt.run.conjecture, outcome.word),)
        result = violated(prepared, "rule-s", attempt.modules, outcome.word, figures, options, progress, runs)
        return result or _decide_invariant(system, target, replace(options, cone_of_influence=False), progress)
    paired = [(attempt.run.bits, len(outcome.assumption.edges), reached) for reached in outcome.reached]
    certificate = assume_guarantee_certificate(prepared, "rule-s", attempt.modules, [outcome.assumption], paired)
    return holds(prepared, "rule-s", certificate, figures)


def _attempts(prepared: DecompositionProblem, options: SmvOptions, phases: PhaseProgress) -> Iterator[_Attempt]:
    """The attempts in the order of their turns."""
    numbers = itertools.count()
    cuts = []
    for partition in candidates(prepared, options, 2):
        modules = prepared.modules(partition)
        cuts.append((partition, modules, prepared.composition(modules)))
    if options.one_state_first:
        for partition, (first, second), whole in cuts:
            for pair in ((first, second), (second, first)):
                cheap = Memoryless(*pair, whole.letter_bits, phases.of(partition), f"{next(numbers)}.")
                yield Attempt(prepared, partition, pair, cheap, cheap.rounds())
    for partition, (first, second), whole in cuts:
        progress = phases.of(partition)
        if options.learner == "separating":
            search = SeparatingS(first, second, whole, progress, f"{next(numbers)}.")
            yield Attempt(prepared, partition, (first, second), search, search.rounds())
            continue
        for pair in ((first, second), (second, first)):
            learning = AscvS(*pair, whole.letter_bits, progress, f"{next(numbers)}.")
            yield Attempt(prepared, partition, pair, learning, learning.rounds())
