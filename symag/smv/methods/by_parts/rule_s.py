"""The method ``rule-s``: two modules, one assumption (paper, Sections 2.3 and 5.3).

The assumption can be learned for either part; both orders of every partition take turns under growing bounds
on assumption states. A separating automaton serves both orders, the strongest assumption that remembers nothing only
one (``ascv.separating_s``).
"""

from __future__ import annotations

import time
from dataclasses import replace

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.reasons import Reason
from symag.core.results import PropertyResult, Verdict
from symag.smv.methods.by_parts.ascv.ascv_s import AscvS, ProvedByRuleS
from symag.smv.methods.by_parts.ascv.separating_s import SeparatingS
from symag.smv.methods.by_parts.ascv.sides import ViolatingWord, run_of
from symag.smv.methods.by_parts.decision import candidates, statistics, subjects
from symag.smv.methods.by_parts.evidence import assume_guarantee_certificate, holds, violated
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


def _decide_invariant(system: FlatSystem, target: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    started = time.process_time()
    if options.parts not in (None, 2):
        raise UsageError("rule-s works with two parts")
    options = replace(options, parts=2)
    phases = PhaseProgress(progress)
    phases.enter("partition", "encoding")
    (prepared,) = subjects(system, target, options, (options.wires or "property",), phases)
    attempts: list[Attempt[AscvS | SeparatingS, ProvedByRuleS | ViolatingWord]] = []
    for number, partition in enumerate(candidates(prepared, options, 2)):
        first, second = prepared.modules(partition)
        for order, modules in enumerate(((first, second), (second, first))):
            whole = prepared.composition(modules)
            name = f"{number}.{order}."
            run: AscvS | SeparatingS = (
                AscvS(*modules, whole.letter_bits, phases.of(partition), name)
                if options.learner == "lstar"
                else SeparatingS(*modules, whole, phases.of(partition), name, remembers=order == 1)
            )
            attempts.append(Attempt(prepared, partition, modules, run, run.rounds()))
    if not attempts:
        return PropertyResult(Verdict.UNKNOWN, "rule-s", reason=Reason.UNSUPPORTED.text("no feasible partition"))
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
