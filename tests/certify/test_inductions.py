"""Inductions in which every condition has its own number of steps, over paths whose states are functions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.invariants import Induction
from symag.smv.certify import check_certificate, read_certificate, write_certificate
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.induction import check_together
from symag.smv.checking.reports.certificate_text import certificate_lines
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of
from symag.smv.model.supports import Supports
from tests.brute_force import Explicit, find_error
from tests.strategies import models


def is_accepted(system: FlatSystem, item: Property, certificate: Induction) -> bool:
    try:
        return check_certificate(system, item, certificate)
    except CertificationError:
        return False


def is_inductive(explicit: Explicit, conditions: Sequence[Property], steps: Sequence[int]) -> bool:
    """By the definition, over all states: each condition is true on the first states of all runs, and after as many
    states as it has steps in which all conditions are true.
    """
    states = [state for state in explicit.all_states() if explicit.is_allowed(state)]
    successors = {state: {edge[2] for edge in explicit.edges(state)} for state in states}
    true = [explicit.satisfying(item.expression, states) for item in conditions]
    inside = set(states).intersection(*true)
    for satisfying, over in zip(true, steps, strict=True):
        first, last = set(explicit.initial_states()), set(inside)
        for step in range(over):
            if not first <= satisfying:
                return False
            first = {after for state in first for after in successors[state]}
            last = {after for state in last for after in successors[state]}
            last = last & inside if step < over - 1 else last
        if not last <= satisfying:
            return False
    return True


def invariants_of_states(system: FlatSystem) -> list[Property]:
    supports = Supports(system)
    items = []
    for item in system.properties:
        if item.kind != "INVARSPEC" or invariant_of(system, item) is None:
            continue
        read = supports.of(item.expression)
        if not read.next and not read.current & system.inputs:
            items.append(item)
    return items


def test_random_inductions_are_accepted_by_the_definition() -> None:
    answers: Counter[tuple[bool, bool]] = Counter()

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        try:
            system = read_text(data.draw(models(largest=32, properties=6)))
        except InputError:
            assume(False)
        assume(find_error(system) is None)
        items = invariants_of_states(system)
        assume(items)
        explicit, encoded = Explicit(system), EncodedSystem(system)
        assume(explicit.initial_states())
        for _ in range(6):
            chosen = data.draw(
                st.lists(st.sampled_from(items), min_size=1, max_size=3, unique_by=lambda item: item.text)
            )
            steps = [data.draw(st.integers(1, 4)) for _ in chosen]
            first, *others = chosen
            certificate = Induction(max(steps), (), tuple(item.text for item in others), sufficient_steps=tuple(steps))
            expected = is_inductive(explicit, chosen, steps)
            assert is_accepted(system, first, certificate) == expected, (chosen, steps)
            try:
                check_together(chosen, Induction(max(steps), ()), encoded, steps)
                is_accepted_together = True
            except CertificationError:
                is_accepted_together = False
            assert is_accepted_together == expected
            assert not expected or all(explicit.holds(item) for item in chosen)
            answers[expected, len(set(steps)) > 1] += 1

    run()
    for outcome in ((True, True), (True, False), (False, True), (False, False)):
        assert answers[outcome], answers


#: !a needs one step, x != 7 four.
NEEDS = """MODULE main VAR a : boolean; x : 0..7; ASSIGN init(a) := FALSE; next(a) := a; init(x) := 0;
next(x) := a ? 7 : x < 4 ? 0 : x = 7 ? 7 : x + 1;
INVARSPEC !a
INVARSPEC x != 7
"""


@pytest.mark.parametrize(
    ("steps", "sufficient", "is_right"),
    [
        (4, (), True),
        (4, (4, 1), True),
        (5, (4, 2), True),
        (3, (3, 1), False),
        (4, (3, 1), False),
        (4, (4,), False),
        (4, (4, 1, 1), False),
        (4, (4, 0), False),
        (4, (4, 5), False),
        (4, (5, 1), False),
    ],
)
def test_every_condition_over_its_own_steps(steps: int, sufficient: tuple[int, ...], is_right: bool) -> None:
    system = read_text(NEEDS)
    certificate = Induction(steps, (), ("!a",), sufficient_steps=sufficient)
    assert is_accepted(system, system.properties[1], certificate) == is_right


def test_conditions_that_follow_only_from_each_other_in_the_same_state_are_refused() -> None:
    """Each of two conditions may use the other only in the states before, but for the one with fewer steps."""
    system = read_text("MODULE main VAR a : boolean; b : boolean; INIT a & b INVAR a = b INVARSPEC a INVARSPEC b")
    first, second = system.properties
    for steps in ((1, 1), (1, 2), (2, 1), (3, 2)):
        certificate = Induction(max(steps), (), ("b",), sufficient_steps=steps)
        assert not is_accepted(system, first, certificate)
        with pytest.raises(CertificationError):
            check_together((first, second), Induction(max(steps), ()), EncodedSystem(system), steps)


@pytest.mark.parametrize("change", [{"distinct": True}, {"sufficient_steps": (2, 1, 1)}])
def test_steps_of_their_own_need_paths_of_any_states(change: dict[str, object]) -> None:
    system = read_text(NEEDS)
    certificate = replace(Induction(4, (), ("!a",), sufficient_steps=(4, 1)), **change)
    with pytest.raises(CertificationError, match="steps"):
        check_certificate(system, system.properties[1], certificate)


def test_steps_of_their_own_are_for_properties_of_states() -> None:
    system = read_text(NEEDS + "INVARSPEC next(x) != 7\n")
    certificate = Induction(4, (), ("!a", "x != 7"), sufficient_steps=(4, 1, 4))
    assert is_accepted(system, system.properties[2], replace(certificate, sufficient_steps=()))
    with pytest.raises(CertificationError, match="properties of states"):
        check_certificate(system, system.properties[2], certificate)


def test_in_a_file(tmp_path: object) -> None:
    system = read_text(NEEDS)
    checked = system.properties[1]
    path = f"{tmp_path}/c.json"
    for certificate in (Induction(4, (), ("!a",), sufficient_steps=(4, 1)), Induction(4, (), ("!a",))):
        write_certificate(path, system, checked, certificate)
        assert read_certificate(path, system) == (checked, certificate)
        with open(path, encoding="utf-8") as stream:
            evidence = json.load(stream)["evidence"]
        assert evidence.get("sufficient_steps") == (list(certificate.sufficient_steps) or None)
    for wrong in ([4], [4, 1, 1], [0, 1], [4, 5], [4, "1"], 4):
        evidence["sufficient_steps"] = wrong
        with open(path, encoding="utf-8") as stream:
            root = json.load(stream)
        root["evidence"] = evidence
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(root, stream)
        with pytest.raises(InputError, match="sufficient_steps"):
            read_certificate(path, system)


def test_as_text() -> None:
    system = read_text(NEEDS)
    certificate = Induction(4, (), ("!a",), sufficient_steps=(4, 1))
    head = "inductive over 4 steps, with"
    assert list(certificate_lines(system, certificate)) == [
        head,
        "  the property  (over 4 steps)",
        "  !a  (over 1 step)",
    ]
    assert list(certificate_lines(system, replace(certificate, sufficient_steps=()))) == [head, "  !a"]
