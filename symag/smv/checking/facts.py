"""Facts of a model over its own names: found in one child process, re-checked in another."""

from __future__ import annotations

import time

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.limits import Deadline, Limits, OutOfTimeError, Progress
from symag.process.race import limited_recheck
from symag.smv.certificates.invariants import InductiveFacts
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.inductive_facts import check_inductive_facts
from symag.smv.facts.circuit import reduced
from symag.smv.facts.finding import REACHES, Fact, FactFinder, InductiveFactSet, Reach
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.properties import invariant_of
from symag.smv.model.supports import Supports
from symag.smv.reduction.evaluation_errors import refuse_errors_of_evaluation


class StatedFact(Struct, frozen=True):
    """An invariant: ``form`` is ``clause`` or ``relation``; ``uses`` are the facts that imply its step."""

    form: str
    text: str
    variables: tuple[str, ...]
    uses: tuple[int, ...]


class ModelFacts(Struct, frozen=True):
    """All facts that were found and accepted by the re-check; none if ``reason`` says why it did not finish.

    ``proved``: they prove the target invariant (None without a target). ``is_empty``: the model has no initial state,
    so everything is a fact and none is listed.
    """

    facts: tuple[StatedFact, ...]
    proved: bool | None
    reason: str | None
    is_empty: bool
    statistics: dict[str, float]


class _Answer(Struct, frozen=True):
    facts: tuple[StatedFact, ...]
    is_proof: bool
    is_empty: bool
    statistics: dict[str, float]


def model_facts(
    system: FlatSystem,
    target: Property | None,
    reach: Reach,
    seed: int,
    limits: Limits,
    progress: Progress,
    certify: bool = True,
) -> ModelFacts:
    """The facts of a model, or those that prove one invariant of it.

    ``reach`` bounds the sets of variables that linear relations are over. Raises InputError for a model with an
    expression that can fail, UnsupportedError for a target that is not an invariant of states, CertificationError if
    the re-check refuses a fact.
    """
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    if target is not None and invariant_of(system, target) is None:
        raise UnsupportedError(f"facts for {target.text}: it is not an invariant of states")

    def search(report: Progress) -> _Answer:
        refuse_errors_of_evaluation(system, [] if target is None else [target])
        return _search(system, target, reach, seed, report)

    outcome = limited_recheck("facts", search, limits, progress, deadline)
    if outcome.value is None:
        return ModelFacts((), None if target is None else False, outcome.reason or "timeout", False, {})
    answer: _Answer = outcome.value
    statistics = {**answer.statistics, "seconds": round(outcome.seconds, 3)}
    proved = None if target is None else answer.is_proof or answer.is_empty
    if not answer.facts or not certify:
        return ModelFacts(answer.facts, proved, None, answer.is_empty, statistics)

    def judge(report: Progress) -> bool:
        report("re-checking the facts")
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        return _accepted(system, target, answer, left)

    judged = limited_recheck("certify", judge, limits, progress, deadline)
    statistics["certify_seconds"] = round(judged.seconds, 3)
    if not judged.value:
        return ModelFacts((), None if target is None else False, judged.reason or "timeout", False, statistics)
    return ModelFacts(answer.facts, proved, None, False, statistics)


def _search(system: FlatSystem, target: Property | None, reach: Reach, seed: int, progress: Progress) -> _Answer:
    started = time.process_time()
    expression = None if target is None else invariant_of(system, target)
    subject = system if expression is None else reduced(system, expression)
    finder = FactFinder(subject, seed, progress, own_names=True)
    if finder.is_empty:
        return _Answer((), False, True, {})
    facts: InductiveFactSet | None = None
    if expression is None:
        facts = finder.facts(reach)
    elif not finder.is_violated(expression):
        facts = finder.proof(expression, REACHES[: REACHES.index(reach) + 1])
    statistics = {
        "cpu_seconds": round(time.process_time() - started, 3),
        "sat_queries": 0 if facts is None else facts.queries,
    }
    if facts is None:
        return _Answer((), False, False, statistics)
    supports = Supports(system)
    stated = tuple(_stated(fact, supports) for fact in facts.facts)
    return _Answer(stated, expression is not None, False, statistics)


def _stated(fact: Fact, supports: Supports) -> StatedFact:
    read = supports.of(fact.expression).current
    return StatedFact(fact.form, flat_expression_text(fact.expression), tuple(sorted(read)), fact.uses)


def _accepted(system: FlatSystem, target: Property | None, answer: _Answer, seconds: float | None) -> bool:
    """Whether separate code accepts the facts, and the property with them; False if the time runs out."""
    texts, uses = [fact.text for fact in answer.facts], [fact.uses for fact in answer.facts]
    invariant = invariant_of(system, target) if target is not None and answer.is_proof else None
    try:
        certificate = InductiveFacts(tuple(texts), tuple(uses))
        check_inductive_facts(EncodedSystem(system), invariant, certificate, Deadline(seconds))
    except OutOfTimeError:
        return False
    return True
