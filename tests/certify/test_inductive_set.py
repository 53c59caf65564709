"""Inductive sets of random systems, made by brute force, against the SAT re-check."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.certify import check_certificate, inductive_set
from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams, TooMuchMemoryError
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.inductive_set import check_inductive_set
from symag.smv.certify.properties import invariant
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression
from tests.brute_force import Explicit, State, find_error
from tests.certify.diagram_builder import DiagramBuilder
from tests.judging import is_accepted as is_judged
from tests.strategies import models

FOREVER = Deadline(None)


def certificate(system: FlatSystem, explicit: Explicit, states: list[State]) -> InductiveSet:
    builder = DiagramBuilder(system, explicit.names)
    root = builder.root([explicit.valuation(state) for state in states])
    return InductiveSet(builder.table(), (root,))


def too_large(diagrams: DecisionDiagrams, memory: int) -> contextlib.AbstractContextManager[None]:
    raise TooMuchMemoryError


def is_accepted(system: FlatSystem, expression: Expression, evidence: InductiveSet) -> bool:
    """The answer, which SAT and the BDDs of both packages must give alike, and the one after the other."""
    answers = set()
    packages: tuple[tuple[int, Package], ...] = ((0, "dd"), (0, "oxidd"), (1_000, "auto"))
    for sat_nodes, package in packages:
        encoded = EncodedSystem(system, package)
        answers.add(is_judged(check_inductive_set, encoded, expression, evidence, FOREVER, sat_nodes))
    # BDDs that need too much memory, after which SAT decides; and SAT that is not quick enough, after which BDDs do.
    for seconds in (10.0, -1.0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DecisionDiagrams, "within", too_large)
            patch.setattr(inductive_set, "_SECONDS", seconds)
            answers.add(is_judged(check_inductive_set, EncodedSystem(system, "dd"), expression, evidence, FOREVER, 0))
    (answer,) = answers
    return answer


def is_inductive(explicit: Explicit, expression: Expression, states: set[State]) -> bool:
    """The definition, state by state."""
    allowed = [state for state in explicit.all_states() if explicit.is_allowed(state)]
    inside = [state for state in allowed if state in states]
    return (
        states.issuperset(explicit.initial_states())
        and all(target in states for state in inside for _, _, target in explicit.edges(state))
        and explicit.satisfying(expression, inside) == set(inside)
    )


@settings(max_examples=60, deadline=None)
@given(models(largest=32), st.data())
def test_exactly_the_inductive_sets_are_accepted(text: str, data: st.DataObject) -> None:
    system = read_text(text)
    assert find_error(system) is None
    explicit = Explicit(system)
    reachable = list(explicit.reachable())
    allowed = [state for state in explicit.all_states() if explicit.is_allowed(state)]
    for checked in system.properties[::2]:
        expression = invariant(system, checked)
        assert expression is not None
        safe = explicit.satisfying(expression, allowed)
        assert is_accepted(system, expression, certificate(system, explicit, reachable)) is safe.issuperset(reachable)
        for states in (list(safe), data.draw(st.lists(st.sampled_from(allowed), unique=True)) if allowed else []):
            wanted = is_inductive(explicit, expression, set(states))
            assert is_accepted(system, expression, certificate(system, explicit, states)) is wanted


@settings(max_examples=40, deadline=None)
@given(models(largest=32), st.data())
def test_no_diagram_proves_a_violated_invariant(text: str, data: st.DataObject) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    assume(explicit.names)
    bits = st.tuples(st.sampled_from(explicit.names), st.just(0))
    for checked in system.properties[::2]:
        expression = invariant(system, checked)
        assert expression is not None
        if explicit.holds(checked):
            continue
        names = data.draw(st.lists(bits, min_size=1, max_size=6))
        nodes = tuple(
            (
                data.draw(st.integers(0, len(names) - 1)),
                data.draw(st.integers(0, number + 1)),
                data.draw(st.integers(0, number + 1)),
            )
            for number in range(data.draw(st.integers(1, 8)))
        )
        evidence = InductiveSet(DiagramTable(tuple(names), nodes), (len(nodes) + 1,))
        assert not is_accepted(system, expression, evidence)


COUNTER = """
MODULE main
VAR x : 0..5; y : boolean;
ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : 0; esac;
INVARSPEC x <= 3
INVARSPEC x < 3
"""


def test_the_reason_names_the_premise() -> None:
    system = read_text(COUNTER)
    explicit = Explicit(system)
    loose, tight = (item.expression for item in system.properties)
    assert loose is not None
    assert tight is not None
    good = [state for state in explicit.all_states() if state[0] <= 3]
    check_inductive_set(EncodedSystem(system), loose, certificate(system, explicit, good), FOREVER)
    for expression, states, message in (
        (tight, good, "a state of the set violates the property"),
        (loose, good[2:], "an initial state is not in the set"),
        (loose, good[:6], "a transition leaves the set"),
    ):
        with pytest.raises(CertificationError, match=message):
            check_inductive_set(EncodedSystem(system), expression, certificate(system, explicit, states), FOREVER)


@pytest.mark.parametrize(
    ("table", "root", "message"),
    [
        (DiagramTable((("z", 0),), ()), 1, "an unknown variable: z"),
        (DiagramTable((("x", 3),), ()), 1, "bit 3 of x"),
        (DiagramTable((("x", 0),), ((0, 2, 1),)), 2, "node 2"),
        (DiagramTable((("x", 0),), ((1, 0, 1),)), 2, "node 2"),
        (DiagramTable((), ()), 2, "no diagram node 2"),
    ],
)
def test_malformed_tables_are_refused(table: DiagramTable, root: int, message: str) -> None:
    system = read_text(COUNTER)
    expression = system.properties[0].expression
    assert expression is not None
    with pytest.raises(CertificationError, match=message):
        check_inductive_set(EncodedSystem(system), expression, InductiveSet(table, (root,)), FOREVER)


@pytest.mark.parametrize("text", ["x in case c : {0, 1, 2, 3}; esac", "!(x in case c : {4, 5}; esac)"])
def test_a_set_without_a_value_contains_anything(text: str) -> None:
    """Where no condition is true the set is unknown, so that neither membership nor its negation is proved."""
    system = read_text(f"MODULE main VAR c : boolean; x : 0..3; INVARSPEC {text}")
    with pytest.raises(CertificationError, match="a state of the set violates the property"):
        check_certificate(system, system.properties[0], InductiveSet(DiagramTable((), ()), (1,)))
