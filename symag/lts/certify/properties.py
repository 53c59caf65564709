"""Re-check of answers about composed labelled transition systems, one state at a time, by the definitions.

The re-check reads the same component systems as the search, and shares no code that composes or searches them:

- A label in several alphabets happens in all of those components at once; tau happens in one. With
  priorities the lower actions of a state count only if it has no higher one.
- A run has ended if every component that can end is in its END state, and all labels of the others are also
  labels of those.
- Under fair choice a run reaches, from every state that it visits infinitely often, all states reachable from
  there. So progress of a set of actions fails exactly if a state can be reached from which none of them can
  happen (with a condition: and from which the condition's actions stay possible for ever).
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.trace import Trace
from symag.lts.certify.assertion_chain import Outcomes, rounds_that_count
from symag.lts.certify.assertion_moments import outcomes
from symag.lts.certify.assertion_words import cannot_hold, is_false_at_end, is_true_around
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.product_on_demand import ProductOnDemand, State
from symag.lts.certify.states import ExploredStates, Faults, explored, reachable_faults
from symag.lts.language.fluents import Temporal, mentioned
from symag.lts.language.systems import System
from symag.lts.lts import ERROR
from symag.lts.questions import CompositeQuestion

if TYPE_CHECKING:
    # For start-up: few systems need it.
    from symag.lts.certify.on_disk.filed_moves import FiledMoves


#: What is known of a system: its states with their moves, in memory or in files; or only what is wrong in some state.
KnownStates: TypeAlias = "ExploredStates | FiledMoves | Faults"


def check_violation(system: System, question: CompositeQuestion, trace: Trace, deadline: Deadline) -> None:
    """Accept a trace as a refutation. Raises CertificationError with the step that fails, and OutOfTimeError.

    For progress all states that can be reached from the trace's loop are explored.
    """
    _check_judged(system, question)
    _check_goal(ProductOnDemand(system), question, check_run(system, trace), trace, deadline)


def _check_judged(system: System, question: CompositeQuestion) -> None:
    """Refuse an assertion over free actions with priorities: such an action would compete with the others."""
    if question.formula is not None and system.priority is not None:
        alphabet = {label for lts in system.components for label in lts.alphabet}
        if not mentioned(question.formula) <= alphabet:
            raise _refused("the composite has priorities, and the assertion speaks of an action that no process has")


def check_run(system: System, trace: Trace) -> list[tuple[object, ...]]:
    """Accept a trace as a run from the initial state; its states, for a lasso with that to which it returns.

    Raises CertificationError with the step that fails.
    """
    product = ProductOnDemand(system)
    states: list[tuple[object, ...]] = [tuple(step.state.values()) for step in trace.steps]
    if not states or states[0] != product.start:
        raise _refused("the trace does not begin in the initial state")
    if trace.kind == "lasso" and trace.loop is not None:
        states.append(states[trace.loop])
    for index, (before, after) in enumerate(itertools.pairwise(states)):
        label = trace.steps[index].action
        if ERROR in before:
            raise _refused(f"step {index + 1} comes after ERROR")
        moves = product.moves(_numbers(before))
        if label is not None and label not in product.labels and label != "tau" and before == after:
            continue  # an assertion's action that no component has: it may happen at any time
        wrong = after == (ERROR,)
        if not any(a == label and (ERROR in t if wrong else t == after) for a, t in moves):
            raise _refused(f"step {index + 1}, {label}, is not possible")
    return states


def _check_goal(
    product: ProductOnDemand,
    question: CompositeQuestion,
    states: list[tuple[object, ...]],
    trace: Trace,
    deadline: Deadline,
) -> None:
    last = states[-1]
    if question.kind == "safety":
        if last != (ERROR,):
            raise _refused("the trace does not lead to ERROR")
        return
    if last == (ERROR,):
        raise _refused("the trace leads to ERROR")
    if question.kind == "deadlock":
        if product.moves(_numbers(last)) or product.has_ended(_numbers(last)):
            raise _refused("the trace does not lead to a deadlock")
        return
    if question.formula is not None and trace.loop is None:
        actions = [step.action for step in trace.steps[:-1]]
        if cannot_hold(question.formula, actions):
            return
        if product.moves(_numbers(last)) or not mentioned(question.formula).issubset(product.labels):
            raise _refused("the assertion may be true on a run that goes on from the trace")
        if not is_false_at_end(question.formula, actions):
            raise _refused("the assertion is true on the trace, which ends where nothing can happen")
        return
    start = _numbers(states[trace.loop] if trace.loop is not None else last)
    if question.formula is not None:
        _check_round(product.system, start, question.formula, trace, deadline)
        return
    with contextlib.suppress(MemoryError):
        _check_lost(explored(product.system, start, deadline), question, product.labels)
        return
    # Out of the block above, so that what did not suffice is free again.
    _check_lost(_filed(product.system, start, deadline), question, product.labels)


def _check_lost(beyond: ExploredStates | FiledMoves, question: CompositeQuestion, alphabet: Collection[str]) -> None:
    """Refuse that progress is lost where a trace goes round, beyond which these states are."""
    if beyond.faults.error:
        raise _refused("ERROR can be reached from where the trace goes round")
    if question.condition is not None and not _able(beyond, question.condition).all():
        raise _refused("the condition can become impossible where the trace goes round")
    goals = [(label,) for label in alphabet] if question.actions is None else [question.actions]
    if all(beyond.acting(labels).any() for labels in goals):
        raise _refused("there is progress where the trace goes round")


def _check_round(system: System, start: State, formula: Temporal, trace: Trace, deadline: Deadline) -> None:
    """Accept a lasso as a violation of an assertion; ``start`` is where it goes round. Raises CertificationError.

    Its word violates the assertion, and so do all fair runs that begin with its stem and enough rounds of its loop; or
    only some, where the loop is in a terminal set of states: they take every finite path through the set infinitely
    often. As each run has a fair continuation, some fair run violates the assertion in both cases.
    """
    actions = [step.action or "" for step in trace.steps]
    assert trace.loop is not None
    if is_true_around(formula, actions, trace.loop):
        raise _refused("the assertion is true on the trace")
    begin = [*actions, *actions[trace.loop :] * (rounds_that_count(formula) - 1)]
    known = _outcomes(system, start, formula, deadline, None, begin)
    if not known.violated:
        raise _refused("the assertion is true on the fair runs that begin like the trace")
    if known.satisfied and not _is_terminal(system, start, deadline):
        raise _refused(
            "some fair runs that begin like the trace satisfy the assertion, and its loop may be left for ever"
        )


def _is_terminal(system: System, start: State, deadline: Deadline) -> bool:
    """Whether all states beyond a state lead back to it; False where their moves do not fit into memory."""
    with contextlib.suppress(MemoryError):
        states = explored(system, start, deadline)
        begin = np.zeros(states.states, dtype=bool)
        begin[0] = True
        return bool(states.leading_to(begin).all())
    return False


def _outcomes(
    system: System,
    start: Sequence[int],
    formula: Temporal,
    deadline: Deadline,
    beyond: ExploredStates | FiledMoves | None,
    stem: Sequence[str] = (),
) -> Outcomes:
    """What runs from a state on do to the formula; ``beyond`` are all states from there if they are known.

    Raises CertificationError where ERROR can be reached.
    """
    if beyond is None or isinstance(beyond, ExploredStates):
        with contextlib.suppress(MemoryError):
            # Without a name here, so that what did not suffice is free again below.
            return _in_memory(explored(system, start, deadline) if beyond is None else beyond, formula, deadline, stem)
    # Few systems are so large.
    from symag.lts.certify.on_disk.filed_assertions import filed_outcomes

    return filed_outcomes(system, start, formula, deadline, stem)


def _in_memory(states: ExploredStates, formula: Temporal, deadline: Deadline, stem: Sequence[str]) -> Outcomes:
    if states.faults.error:
        raise _refused("ERROR can be reached, so the assertion is not decided")
    return outcomes(states, formula, deadline, stem)


def _with_moves(system: System, deadline: Deadline) -> ExploredStates | FiledMoves:
    """All reachable states, with their moves: where they do not fit into memory, in files. Raises OutOfTimeError."""
    start = [0] * len(system.components)
    with contextlib.suppress(MemoryError):
        return explored(system, start, deadline)
    # Out of the block above, so that what did not suffice is free again.
    return _filed(system, start, deadline)


def _filed(system: System, start: Sequence[int], deadline: Deadline) -> FiledMoves:
    # Few systems are so large.
    from symag.lts.certify.on_disk.filed_moves import FiledMoves

    return FiledMoves(system, start, deadline)


def all_states(system: System, kinds: Collection[str], deadline: Deadline) -> KnownStates:
    """What ``check_absence`` of these kinds of questions needs to know of the system. Raises OutOfTimeError."""
    if set(kinds) <= {"deadlock", "safety"}:
        return reachable_faults(system, deadline)
    return _with_moves(system, deadline)


def check_absence(
    system: System, question: CompositeQuestion, deadline: Deadline, already: KnownStates | None = None
) -> None:
    """Accept that nothing violates the question; explores all states again unless ``already`` has them.

    For deadlock and safety it is enough to know whether there are faults. Raises CertificationError, OutOfTimeError.
    """
    _check_judged(system, question)
    if question.kind in ("deadlock", "safety"):
        known = reachable_faults(system, deadline) if already is None else already
        faults = known if isinstance(known, Faults) else known.faults
        wrong = faults.deadlock if question.kind == "deadlock" else faults.error
    else:
        states = _with_moves(system, deadline) if already is None or isinstance(already, Faults) else already
        if states.faults.error:
            raise _refused(f"ERROR can be reached, so {question.kind} is not decided")
        if question.formula is None:
            wrong = lacks_progress(states, question, states.labels[1:])
        else:
            start = ProductOnDemand(system).start
            wrong = _outcomes(system, start, question.formula, deadline, states).violated
    if wrong:
        raise _refused("the property is violated")


def lacks_progress(states: ExploredStates | FiledMoves, question: CompositeQuestion, alphabet: Sequence[str]) -> bool:
    """Whether a question about progress is violated; ``alphabet`` is what one about every action asks for."""
    goals = [(label,) for label in alphabet] if question.actions is None else [question.actions]
    return any(_can_stop(states, label, question.condition) for label in goals)


def _can_stop(states: ExploredStates | FiledMoves, actions: Sequence[str], condition: Sequence[str] | None) -> bool:
    without = ~_able(states, actions)
    if condition is None or not without.any():
        return bool(without.any())
    # Those of them from which the condition's actions are impossible too.
    silent = without & ~_able(states, condition)
    return bool((without & ~states.leading_to(silent)).any())


def _able(states: ExploredStates | FiledMoves, actions: Sequence[str]) -> Truths:
    """The states from which one of the actions can happen, now or later."""
    return states.leading_to(states.acting(actions))


def _numbers(state: tuple[object, ...]) -> State:
    return tuple(int(str(local)) for local in state)


def _refused(reason: str) -> CertificationError:
    return CertificationError(f"the answer is not accepted: {reason}")
