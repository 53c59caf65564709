"""Quotients as certificates: accepted exactly if M || N/~ is safe, whatever the classes; forgeries; files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts import System, read_text
from symag.lts.certificates import StateQuotient
from symag.lts.certify.kinds import check_certificate, read_labelled_certificate
from symag.lts.certify.state_quotient import check_state_quotient
from symag.lts.composition import composed
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.quotient.method import decide
from symag.lts.questions import questions
from symag.lts.safety_problem import SafetyProblem, safety_problem
from tests.judging import is_accepted
from tests.lts.answering import written
from tests.lts.explicit_safety import distance_to_error
from tests.lts.quotient_brute_force import divided
from tests.lts.strategies import safety_systems

MODEL = """
WORKER = (take -> work -> give -> WORKER).
LOCK = (take -> give -> LOCK).
property SAFE = (a.work -> a.give -> SAFE | b.work -> b.give -> SAFE).
||SYS = ({a, b}:WORKER || {a, b}::LOCK || SAFE).
"""


def _accepts(system: System, certificate: StateQuotient) -> bool:
    return is_accepted(check_state_quotient, system, certificate, Deadline(60))


@settings(max_examples=200, deadline=None)
@given(safety_systems(most=3, states=3), st.data())
def test_any_classes_are_accepted_exactly_if_the_system_with_the_quotient_is_safe(
    system: System, data: st.DataObject
) -> None:
    """Soundness follows: such a system can do all that the real one can."""
    problem = safety_problem(system)
    replaced = tuple(data.draw(st.sets(st.integers(0, len(problem.components) - 1), min_size=1)))
    n = composed([replace(problem.components[k], end=None) for k in replaced], "N")
    classes = data.draw(st.lists(st.integers(0, 2), min_size=n.lts.states, max_size=n.lts.states))
    number: dict[int, int] = {}
    block = [number.setdefault(each, len(number)) for each in classes]
    kept = [lts for k, lts in enumerate(problem.components) if k not in replaced]
    safe = distance_to_error([*kept, divided(n.lts, block), problem.property]) is None
    rows = tuple((tuple(local), each) for local, each in zip(n.local_states.tolist(), classes, strict=True))
    accepted = _accepts(system, StateQuotient(replaced, rows))
    assert accepted == safe
    assert not accepted or distance_to_error(system.components) is None


@settings(max_examples=100, deadline=None)
@given(safety_systems(most=3, states=3))
def test_what_the_method_finds_is_accepted(system: System) -> None:
    problem = safety_problem(system)
    outcome = decide(problem, LtsOptions(), no_progress)
    if outcome.verdict is Verdict.HOLDS:
        assert isinstance(outcome.certificate, StateQuotient)
        check_state_quotient(system, outcome.certificate, Deadline(60))


def _certified() -> tuple[System, StateQuotient]:
    system = read_text(MODEL).composite("SYS")
    problem: SafetyProblem = safety_problem(system)
    found = decide(problem, LtsOptions(), no_progress).certificate
    assert isinstance(found, StateQuotient)
    return system, found


def test_forgeries_are_refused() -> None:
    system, good = _certified()
    assert _accepts(system, good)
    one_class = tuple((local, 0) for local, _ in good.classes)
    twice = (*good.classes, (good.classes[0][0], 7))
    cases = {
        "M || N/~ .= P does not hold": replace(good, classes=one_class),
        "gives no class to the state": replace(good, classes=good.classes[:-1]),
        "two classes to one state": replace(good, classes=twice),
        r"it replaces \[3\], of 3 components": replace(good, replaced=(3,)),
        r"it replaces \[1, 1\], of 3": replace(good, replaced=(1, 1)),
        "its classes are not of its members' states": replace(good, replaced=(1,)),
        "numbers of less than 64 bits": replace(good, classes=((good.classes[0][0], 1 << 70), *good.classes[1:])),
    }
    for message, forged in cases.items():
        with pytest.raises(CertificationError, match=message):
            check_state_quotient(system, forged, Deadline(60))


def test_it_is_no_evidence_for_deadlock() -> None:
    system, good = _certified()
    deadlock = questions(read_text(MODEL), "SYS", False)[0]
    with pytest.raises(CertificationError, match="for safety only"):
        check_certificate(system, deadlock, good, Deadline(60))


def test_files_say_the_same(tmp_path: Path) -> None:
    model = read_text(MODEL)
    path, document = written(tmp_path, model, _certified()[1])
    document["evidence"]["classes"][0].pop()
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match="a list of 3 numbers"):
        read_labelled_certificate(path, model)
