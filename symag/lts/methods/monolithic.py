"""The method ``monolithic``: composes everything and explores all reachable states."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.lts.certificates import ExplorationClaim
from symag.lts.composition import composed
from symag.lts.language.systems import System
from symag.lts.methods.explored_composition import ExploredComposition, about_foreign, competing
from symag.lts.methods.fault_search import SAFETY_FIRST, FaultSearch, enough_for, figures_of, only_faults
from symag.lts.methods.options import MONOLITHIC
from symag.lts.questions import CompositeQuestion


def decide(
    system: System, questions: Sequence[CompositeQuestion], progress: Progress, most: int | None = None
) -> Iterator[PropertyResult]:
    """The answers in order; the composition is made once. Raises MemoryError.

    Raises TooManyStates where progress or assertions are asked of more than ``most`` states.

    A trace to a deadlock or to ERROR is a shortest one. As in LTSA progress and assertions are not decided if ERROR
    can be reached: check safety first. The search ends as soon as all questions are answered. Where all transitions do
    not fit into memory, the states are searched again for deadlock and ERROR, and progress is decided on files. So are
    assertions about more than a few states. Then a trace is a shortest one to where the question is lost, and goes
    round there somehow.
    """
    started = time.process_time()
    progress(f"composing {system.name}")
    kinds = {question.kind for question in questions}
    explored = None if only_faults(kinds) else _explored(system, kinds, most)
    answered = 0
    if explored is not None:
        for question in questions:
            if question.kind == "assert" and explored.is_large and explored.why_undecided(question) is None:
                answer = _followed(system, question, explored.alphabet, progress)
                if answer.verdict is not Verdict.UNKNOWN:
                    yield answer
                    answered += 1
                    continue
            try:
                answer = explored.answer(question, started)
            except MemoryError:
                # The product of an assertion. Out of the block, so that what did not suffice is free again.
                break
            yield answer
            answered += 1
    del explored
    if answered < len(questions):
        yield from _without_transitions(system, questions[answered:], progress)


def _explored(system: System, kinds: Collection[str], most: int | None) -> ExploredComposition | None:
    """The composition with all transitions; None if they do not fit into memory, which is free again then."""
    try:
        composition = composed(system.components, system.name, system.priority, most, enough_for(kinds))
        return ExploredComposition(composition, system.priority is not None)
    except MemoryError:
        return None


def _without_transitions(
    system: System, questions: Sequence[CompositeQuestion], progress: Progress
) -> Iterator[PropertyResult]:
    """The answers in order."""
    started = time.process_time()
    search = FaultSearch(system, enough_for({question.kind for question in questions}), progress)
    search.run()
    faults = [question for question in questions if only_faults([question.kind])]
    lasting = [question for question in questions if question.kind == "progress"]
    answers = [fault_answers(search, faults, len(system.components), started)]
    if lasting:
        # Most systems fit into memory.
        from symag.lts.methods.progress_on_disk import progress_answers

        answers.append(progress_answers(system, search, lasting, progress, started))
    given = dict(zip((question.index for question in (*faults, *lasting)), chain(*answers), strict=True))
    is_wrong, alphabet, figures = (
        search.trace("safety") is not None,
        search.alphabet,
        figures_of(search, len(system.components)),
    )
    # An assertion has a search of its own.
    del search, answers
    for question in questions:
        if question.index in given:
            yield given[question.index]
            continue
        reason = SAFETY_FIRST if is_wrong else None if system.priority is None else competing(question, alphabet)
        if reason is not None:
            yield PropertyResult(Verdict.UNKNOWN, MONOLITHIC, reason=reason, statistics=figures)
            continue
        yield _followed(system, question, alphabet, progress)


def _followed(
    system: System, question: CompositeQuestion, alphabet: Collection[str], progress: Progress
) -> PropertyResult:
    """The answer about an assertion by a search of its own."""
    # Few systems are so large.
    from symag.lts.methods.followed_assertions import assertion_answer

    answer = assertion_answer(system, question, progress)
    return replace(answer, warnings=(*about_foreign(question, alphabet), *answer.warnings))


def fault_answers(
    search: FaultSearch, questions: Sequence[CompositeQuestion], components: int, started: float
) -> Iterator[PropertyResult]:
    """The answers of a search that has ended; ``started`` is the process's CPU time when it began."""
    for question in questions:
        trace = search.trace("deadlock" if question.kind == "deadlock" else "safety")
        figures = figures_of(search, components)
        figures["cpu_seconds"] = round(time.process_time() - started, 3)
        if not search.complete:
            figures["stopped_early"] = 1
        if search.bytes_on_disk:
            figures["disk_mib"] = round(search.bytes_on_disk / 2**20, 1)
        verdict = Verdict.HOLDS if trace is None else Verdict.VIOLATED
        certificate = ExplorationClaim() if trace is None else None
        yield PropertyResult(verdict, MONOLITHIC, trace=trace, certificate=certificate, statistics=figures)
