"""Conjuncts of constraints that have no variable in common are constraints of their own."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from symag.core.values import replace
from symag.smv import read_text
from symag.smv.model.conjuncts import with_independent_constraints
from symag.smv.model.dependencies import Cones
from symag.smv.model.flat import Constraint, FlatSystem
from symag.smv.model.supports import Supports
from symag.smv.model.typed import conjunction
from tests.small_systems import explore, small_systems


def joined(constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    return (Constraint(conjunction(*(each.expression for each in constraints)), 0),)


@given(small_systems(), st.booleans())
def test_the_same_states_and_steps(flat: FlatSystem, at_once: bool) -> None:
    if at_once:
        flat = replace(flat, init=joined(flat.init), invar=joined(flat.invar), trans=joined(flat.trans))
    separated = with_independent_constraints(flat)
    assert explore(separated) == explore(flat)
    if at_once:
        supports = Supports(separated)
        for group in (separated.init, separated.invar, separated.trans):
            read = [name for each in group for name in supports.of(each.expression).variables]
            assert len(read) == len(set(read))


def test_a_cone_has_only_what_matters() -> None:
    system = read_text(
        "MODULE main VAR a : 0..9; b : boolean; c : boolean; "
        "INIT a = 0 & (!b & TRUE) & a < 5; TRANS next(a) = a & next(b) = c & (next(c) -> b); INVARSPEC a = 0"
    )
    assert [len(group) for group in (system.init, system.invar, system.trans)] == [3, 0, 2]
    invariant = system.properties[0].expression
    assert invariant is not None
    assert Cones(system).variables(invariant) == {"a"}


def test_a_constraint_that_may_fail_stays_whole() -> None:
    system = read_text("MODULE main VAR a : boolean; x : 0..9; INIT a & 10 / x > 2; INVARSPEC a")
    assert len(system.init) == 1


def test_many_conjuncts_in_linear_time() -> None:
    names = [f"x{number}" for number in range(3_000)]
    variables = " ".join(f"{name} : boolean;" for name in names)
    chain = " & ".join(f"({one} -> {other})" for one, other in itertools.pairwise(names))
    system = read_text(f"MODULE main VAR {variables} INIT {' & '.join(names)} INVAR {chain}")
    assert (len(system.init), len(system.invar)) == (3_000, 1)
