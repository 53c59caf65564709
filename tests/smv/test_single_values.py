"""Variables with one value are defines; what is assigned to them only constrains."""

from __future__ import annotations

from symag.smv import read_text
from tests.brute_force import Explicit


def test_an_assignment_to_a_variable_with_one_value_becomes_a_constraint() -> None:
    system = read_text(
        "MODULE main VAR x : 3..3; y : boolean; ASSIGN init(x) := 3; next(x) := case y : {2, 3}; TRUE : x; esac;"
    )
    assert not system.assignments
    assert [len(group) for group in (system.init, system.invar, system.trans)] == [1, 0, 1]
    assert len(Explicit(system).reachable()) == 2


def test_a_process_may_assign_a_variable_with_one_value() -> None:
    system = read_text(
        "MODULE main VAR x : 3..3; p : process worker(x); MODULE worker(x) VAR y : boolean; ASSIGN next(x) := 3;"
    )
    assert not system.assignments
    assert len(Explicit(system).reachable()) == 2
