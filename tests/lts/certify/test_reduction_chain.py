"""Steps of minimisation as certificates: whatever the classes, what is accepted is safe; forgeries; files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError
from symag.core.limits import Deadline, no_progress
from symag.core.values import replace
from symag.lts import Lts, System, read_text
from symag.lts.certificates import ReductionChain, ReductionStep
from symag.lts.certify.kinds import check_certificate, read_labelled_certificate
from symag.lts.certify.reduction_chain import check_reduction_chain
from symag.lts.composition import composed
from symag.lts.determinisation import quotient
from symag.lts.lts import renamed
from symag.lts.methods.reduce.method import decide_with
from symag.lts.questions import questions
from symag.lts.safety_problem import safety_problem
from tests.judging import is_accepted
from tests.lts.answering import written
from tests.lts.explicit_safety import distance_to_error
from tests.lts.strategies import safety_systems

MODEL = """
CELL = (put -> get -> CELL).
property TWO = (in -> ONE), ONE = (in -> FULL | out -> TWO), FULL = (out -> ONE).
||SYS = (a:CELL/{in/a.put, mid/a.get} || b:CELL/{mid/b.put, out/b.get} || TWO).
"""


def _accepts(system: System, certificate: ReductionChain) -> bool:
    return is_accepted(check_reduction_chain, system, certificate, Deadline(60))


@settings(max_examples=150, deadline=None)
@given(safety_systems(most=3, states=3), st.data())
def test_any_classes_are_accepted_exactly_if_what_is_left_is_safe(system: System, data: st.DataObject) -> None:
    """With the quotients that the definition gives; soundness follows, and is checked too."""
    problem = safety_problem(system)
    items = dict(enumerate([replace(lts, end=None) for lts in (*problem.components, *problem.observers)]))
    able = [number for number, lts in items.items() if not lts.has_error]
    left_out = tuple(data.draw(st.sets(st.sampled_from(able)))) if able else ()
    for number in left_out:
        del items[number]
    steps = []
    while items and len(steps) < 2:
        members = tuple(data.draw(st.sets(st.sampled_from(sorted(items)), min_size=1, max_size=2)))
        group = [items.pop(number) for number in members]
        whole = composed(group, "group")
        seen = {label for lts in items.values() for label in lts.alphabet[1:]}
        labels = [["tau"], *([label] if label in seen else [] for label in whole.lts.alphabet[1:])]
        count = whole.lts.states
        classes = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
        number_of: dict[int, int] = {}
        block = np.array([number_of.setdefault(each, len(number_of)) for each in classes], dtype=np.int64)
        items[-1 - len(steps)] = quotient(renamed(whole.lts, labels), block)
        rows = [[*local, each] for local, each in zip(whole.local_states.tolist(), classes, strict=True)]
        steps.append(ReductionStep(members, np.array(rows, dtype=np.int64)))
    accepted = _accepts(system, ReductionChain(left_out, tuple(steps), tuple(items)))
    assert accepted == (not items or distance_to_error(list(items.values())) is None)
    assert not accepted or distance_to_error(system.components) is None


def _certified() -> tuple[System, ReductionChain]:
    """The cells are one item, whose classes count the values in them."""
    rows = np.array([[0, 0, 0], [1, 0, 1], [0, 1, 1], [1, 1, 2]], dtype=np.int64)
    return read_text(MODEL).composite("SYS"), ReductionChain((), (ReductionStep((0, 1), rows),), (-1, 2))


def _with_step(chain: ReductionChain, step: ReductionStep) -> ReductionChain:
    return replace(chain, steps=(step,))


def test_forgeries_are_refused() -> None:
    system, good = _certified()
    assert _accepts(system, good)
    (step,) = good.steps
    one_class = np.concatenate([step.classes[:, :-1], np.zeros((len(step.classes), 1), dtype=np.int64)], axis=1)
    cases = {
        "reaches ERROR": _with_step(good, replace(step, classes=one_class)),
        "gives no class to the state": _with_step(good, replace(step, classes=step.classes[1:])),
        "two classes to one state": _with_step(
            good, replace(step, classes=np.concatenate([step.classes, step.classes[:1]]))
        ),
        "not of its members' states": _with_step(good, replace(step, classes=step.classes[:, 1:])),
        "members that are not there": _with_step(good, replace(step, members=(7, 8))),
        "item 2 is left out, but can come to ERROR": replace(good, left_out=(2,)),
        "what is left out has members": replace(good, left_out=(0, 0)),
        "is left out, but": replace(good, last=()),
    }
    for message, forged in cases.items():
        with pytest.raises(CertificationError, match=message):
            check_reduction_chain(system, forged, Deadline(60))


def test_a_step_without_members_is_refused() -> None:
    system, good = _certified()
    empty = ReductionStep((), np.zeros((1, 1), dtype=np.int64))
    with pytest.raises(CertificationError, match="composes nothing"):
        check_reduction_chain(system, replace(good, steps=(empty, *good.steps)), Deadline(60))


def test_what_the_method_finds_is_accepted() -> None:
    system, _ = _certified()
    found = decide_with(safety_problem(system), no_progress, 0).certificate
    assert isinstance(found, ReductionChain)
    assert any(len(step.members) > 1 for step in found.steps)
    assert _accepts(system, found)


def test_it_is_no_evidence_for_an_assertion() -> None:
    system, good = _certified()
    assertion = replace(questions(read_text(MODEL), "SYS", False)[0], kind="assert")
    with pytest.raises(CertificationError, match="for safety only"):
        check_certificate(system, assertion, good, Deadline(60))


def test_files_say_the_same(tmp_path: Path) -> None:
    model = read_text(MODEL)
    path, document = written(tmp_path, model, _certified()[1])
    document["evidence"]["steps"][0]["classes"][0][-1] = 1 << 70
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match="less than 64 bits"):
        read_labelled_certificate(path, model)


def test_an_action_that_another_item_has_stays_visible() -> None:
    """The lock of b is composed first: were its actions silent then, P would see nothing of what it forbids."""
    one = Lts.of("M", ("tau", "a"), 2, [(0, 1, 1)])
    never = Lts.of("P", ("tau", "a"), 1, [(0, 1, -1)], is_property=True)
    system = System("S", (one, never), None, None, False, frozenset())
    step = ReductionStep((0,), np.array([[0, 0], [1, 1]], dtype=np.int64))
    assert not _accepts(system, ReductionChain((), (step,), (-1, 1)))
