"""Progress decided on files, and its re-check, agree with the definition: what happens in terminal sets of states."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag import read
from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.trace import Step, Trace
from symag.core.values import replace
from symag.lts import Lts, System
from symag.lts.certify.on_disk.filed_moves import FiledMoves
from symag.lts.certify.properties import check_absence, check_violation, lacks_progress
from symag.lts.certify.states import ExploredStates
from symag.lts.checking.check import select
from symag.lts.composition import composed
from symag.lts.methods import monolithic
from symag.lts.methods.explored_composition import ExploredComposition
from symag.lts.methods.fault_search import FaultSearch
from symag.lts.methods.progress_on_disk import progress_answers
from symag.lts.questions import CompositeQuestion
from tests.conftest import ROOT
from tests.lts.answering import explored_states
from tests.lts.explicit_liveness import State, reachable_moves
from tests.lts.systems.test_states_on_disk import composites, tiny, tiny_recheck

_ACTIONS = st.lists(st.sampled_from(("a", "b", "c", "0.own", "1.own")), min_size=1, max_size=2).map(tuple)
_QUESTIONS = st.builds(
    CompositeQuestion,
    *map(st.just, (2, "progress", "P", "progress P", None, "S")),
    st.none() | _ACTIONS,
    st.none() | _ACTIONS,
).map(lambda question: question if question.actions is not None else replace(question, condition=None))


def _progresses(components: Sequence[Lts], question: CompositeQuestion) -> bool:
    """By the definition: a fair run does all actions of a terminal set for ever, and no others."""
    moves = reachable_moves(components)
    beyond: dict[State, set[State]] = {}
    for state in moves:
        beyond[state], waiting = {state}, [state]
        while waiting:
            for _, after in moves[waiting.pop()]:
                if after not in beyond[state]:
                    beyond[state].add(after)
                    waiting.append(after)
    labels = {label for lts in components for label in lts.alphabet[1:]}
    goals = [{label} for label in labels] if question.actions is None else [set(question.actions)]
    for state, reached in beyond.items():
        if all(state in beyond[other] for other in reached):
            happening = {label for member in reached for label, _ in moves[member]}
            lasts = question.condition is None or happening & set(question.condition)
            if lasts and not all(happening & goal for goal in goals):
                return False
    return True


@settings(max_examples=200, deadline=None)
@given(composites(), _QUESTIONS, st.sampled_from((1, 2, 7)), st.sampled_from((0, 1 << 40)))
def test_random_systems(system: System, question: CompositeQuestion, few: int, room: int) -> None:
    found = explored_states(system)
    with tiny(few), tiny_recheck(few):
        search = FaultSearch(system, ("safety",), no_progress, room)
        search.run()
        (answer,) = progress_answers(system, search, [question], no_progress, 0.0)
        filed = FiledMoves(system, [0] * len(system.components), Deadline(None), 0)
    assert (filed.states, filed.faults) == (found.states, found.faults)
    assert lacks_progress(filed, question, filed.labels[1:]) == lacks_progress(found, question, found.labels[1:])
    if found.faults.error:
        assert answer.reason == monolithic.SAFETY_FIRST
        with pytest.raises(CertificationError, match="ERROR can be reached, so progress"):
            check_absence(system, question, Deadline(None), filed)
        return
    holds = answer.verdict is Verdict.HOLDS
    explored = ExploredComposition(composed(system.components, "S", system.priority), system.priority is not None)
    assert (explored.refutation(question)[0] is None) == holds
    assert (answer.trace is None) == holds == (not lacks_progress(filed, question, filed.labels[1:]))
    if system.priority is None:
        assert _progresses(system.components, question) == holds
    if answer.trace is not None:
        check_violation(system, question, answer.trace, Deadline(None))


def test_moves_backward_from_every_state(tmp_path: Path) -> None:
    """The files of the re-check have each move once."""
    path = tmp_path / "m.lts"
    path.write_text(_ROUNDS.replace("19", "3"))
    system = read(path).composite("SYS")
    filed, found = FiledMoves(system, [0] * 4, Deadline(None), 0), explored_states(system)
    for labels in (["p.1.again"], ["p.1.step", "p.2.again"]):
        assert filed.acting(labels).sum() == found.acting(labels).sum() > 0
    goal = np.zeros(filed.states, dtype=bool)
    goal[0] = True
    assert filed.leading_to(goal).all()


@pytest.mark.parametrize("condition", [None, ("y",)])
def test_a_system_without_a_move(condition: tuple[str, ...] | None) -> None:
    """No transition is on disk, and no search backward finds one."""
    lts = Lts.of("A", ("tau", "x", "y"), 1, [])
    system = System("S", (lts,), None, None, False, frozenset())
    question = CompositeQuestion(2, "progress", "P", "progress P", None, "S", ("x",), condition)
    search = FaultSearch(system, ("safety",), no_progress, 0)
    search.run()
    (answer,) = progress_answers(system, search, [question], no_progress, 0.0)
    assert (answer.verdict is Verdict.HOLDS) == (condition is not None) == _progresses(system.components, question)
    filed = FiledMoves(system, [0], Deadline(None), 0)
    assert lacks_progress(filed, question, filed.labels[1:]) == (condition is None)
    assert filed.leading_to(np.ones(1, dtype=bool)).all()


def test_a_condition_that_may_become_impossible_is_no_violation() -> None:
    """From the trace's loop fair runs go on to where the condition never happens: progress holds."""
    lts = Lts.of("A", ("tau", "x", "c", "y"), 2, [(0, 1, 0), (0, 2, 1), (1, 3, 1)])
    system = System("S", (lts,), None, None, False, frozenset())
    question = CompositeQuestion(2, "progress", "P", "progress P", None, "S", ("p",), ("c",))
    assert _progresses(system.components, question)
    with pytest.raises(CertificationError, match="the condition can become impossible"):
        check_violation(system, question, Trace("lasso", (Step({"A": 0}, action="x"),), 0), Deadline(None))


def test_the_recheck_goes_on_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moves fit into memory, but not what is made of them: the answer was not certified."""
    path = tmp_path / "m.lts"
    path.write_text(_ROUNDS.replace("19", "3") + "progress IF = if {p[1].step} then {none}\n")
    model = read(path)
    system, (question,) = model.composite("SYS"), select(model, (), ("IF",))
    (answer,) = monolithic.decide(system, [question], no_progress)
    assert answer.trace is not None
    asked = []

    def acting(*_: object) -> None:
        asked.append(1)
        raise MemoryError

    monkeypatch.setattr(ExploredStates, "acting", acting)
    check_violation(system, question, answer.trace, Deadline(None))
    with pytest.raises(CertificationError, match="there is progress"):
        check_violation(system, replace(question, actions=("p.1.again",)), answer.trace, Deadline(None))
    assert len(asked) == 2


#: 160,000 states. After the first ``stop`` the others only step and start again.
_ROUNDS = """
COUNTER = COUNT[0], COUNT[i:0..19] = (when (i < 19) step -> COUNT[i+1] | when (i == 19) again -> COUNTER).
||SYS = (p[1..4]:COUNTER).
"""


def test_the_command_under_a_limit_of_memory(tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    questions = "progress GO = {p[1].again}\nprogress IF = if {p[1].step} then {none}\n"
    questions += "assert A = []<>p[1].again\nassert B = <>[]!p[1].step\n"
    model.write_text(_ROUNDS + questions)
    command = [sys.executable, "-m", "symag", "check", str(model), "--memory", "26", "--json", "--method", "monolithic"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    answers = json.loads(finished.stdout)["results"]
    assert [(answer["verdict"], answer["certified"]) for answer in answers[:3]] == [("holds", True)] * 3
    assert (answers[3]["verdict"], answers[3]["certified"]) == ("violated", True)
    assert answers[2]["statistics"]["disk_mib"] > 0
    assert (answers[4]["verdict"], answers[4]["certified"]) == ("holds", True)
    assert (answers[5]["verdict"], answers[5]["certified"]) == ("violated", True), finished.stderr
    assert finished.returncode == 10


def test_transitions_that_fit_into_memory_alone(tmp_path: Path) -> None:
    """The library that finds components does not fit beside them."""
    model = tmp_path / "m.lts"
    model.write_text(_ROUNDS + "progress GO = {p[1].again}\n")
    command = [sys.executable, "-m", "symag", "check", str(model), "--memory", "48", "--timeout", "30", "--json"]
    command += ["--method", "monolithic", "--property", "GO", "--no-certify"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    (answer,) = json.loads(finished.stdout)["results"]
    assert (answer["verdict"], answer["statistics"]["disk_mib"] > 0) == ("holds", True)


def test_questions_are_numbered_as_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without room for transitions the answers come in the order of the questions."""
    path = tmp_path / "m.lts"
    path.write_text(_ROUNDS.replace("19", "3") + "progress GO = {p[1].again}\n")
    model = read(path)
    questions = select(model, (), ())
    system = model.composite("SYS")
    expected = [answer.verdict for answer in monolithic.decide(system, questions, no_progress)]
    monkeypatch.setattr(monolithic, "_explored", lambda *_: None)
    reverse = [answer.verdict for answer in monolithic.decide(system, questions[::-1], no_progress)]
    assert reverse == expected[::-1] == [Verdict.HOLDS] * 3
