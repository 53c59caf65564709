"""The models of the quotient paper: what their headers say that they meet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.lts import Lts, read
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.quotient.environment_refinement import EnvironmentRefinement, equivalence_classes
from symag.lts.methods.quotient.flows import Forward, extend
from symag.lts.methods.quotient.method import decide
from symag.lts.methods.quotient.modal_abstraction import modal_abstraction, two_processes
from symag.lts.safety_problem import SafetyProblem, safety_problem

MODELS = Path(__file__).resolve().parent.parent.parent / "models" / "lts"
#: How N (and with the numbers 1 and 2 exchanged M) comes to each of its states.
WAYS = {
    "j": "",
    "k": "r1",
    "l": "r1 c1",
    "m": "r2 r1",
    "n": "r2 r1 c1",
    "o": "r2 c2 r1",
    "p": "r2 c2 r1 c1",
    "q": "r2",
    "r": "r2 c2",
}


def _mutual_exclusion() -> SafetyProblem:
    return safety_problem(read(str(MODELS / "mutual_exclusion.lts")).composite("SYSTEM"))


def _after(lts: Lts, word: str) -> int:
    state = 0
    for label in word.split():
        action = lts.alphabet.index(label)
        (state,) = (t for s, a, t in lts.triples() if (s, a) == (state, action))
    return state


def _names(classes: np.ndarray, lts: Lts) -> set[str]:
    """The classes as sets of the paper's letters."""
    by_class: dict[int, str] = {}
    for letter, word in WAYS.items():
        number = int(classes[_after(lts, word)])
        by_class[number] = by_class.get(number, "") + letter
    return set(by_class.values())


def test_mutual_exclusion_has_the_papers_classes() -> None:
    problem = _mutual_exclusion()
    m, n = problem.components
    assert (m.states, n.states) == (9, 9)
    processes = two_processes(m, n, problem.property)
    forward = Forward(processes, modal_abstraction(processes.m, np.arange(9)), processes.n)
    labels = forward.seeds()
    extend(forward, labels, list(labels))
    assert _names(equivalence_classes(labels, labels, 9), n) == {"j", "k", "l", "q", "r", "mnop"}
    assert not any(label[_after(n, WAYS[letter])] for label in labels.values() for letter in "mnop")
    refinement = EnvironmentRefinement(processes)
    while refinement.step():
        pass
    assert _names(refinement.classes(), n) == {"j", "qr", "klmnop"}


def test_mutual_exclusion_the_papers_abstraction_suffices_forward() -> None:
    problem = _mutual_exclusion()
    m, n = problem.components
    processes = two_processes(m, n, problem.property)
    other = str.maketrans("12", "21")
    letters = dict(zip("jklmnopqr", "abcdefghi", strict=True))
    block = np.zeros(9, dtype=np.int64)
    for letter, word in WAYS.items():
        block[_after(m, word.translate(other))] = 0 if letters[letter] == "a" else 1 + (letters[letter] in "hi")
    flow = Forward(processes, modal_abstraction(processes.m, block), processes.n)
    lower, upper = flow.seeds(), flow.seeds()
    extend(flow, lower, list(lower), dict.fromkeys(lower, 0))
    extend(flow, upper, list(upper))
    assert "mnop" in _names(equivalence_classes(lower, upper, 9), n)


@pytest.mark.parametrize(
    ("target", "verdict", "most_states", "most_steps"),
    [
        ("A", Verdict.HOLDS, 8, 169),
        ("B", Verdict.HOLDS, 1, 18),
        ("C", Verdict.HOLDS, 8, 168),
        ("D", Verdict.VIOLATED, 2, 65),
    ],
)
def test_sliding_window(target: str, verdict: Verdict, most_states: int, most_steps: int) -> None:
    problem = safety_problem(read(str(MODELS / "sliding_window.lts")).composite(target))
    assert [lts.states for lts in problem.components] == [192, 192]
    outcome = decide(problem, LtsOptions(), no_progress)
    assert outcome.verdict is verdict
    assert outcome.statistics["assumption_states"] <= most_states
    assert outcome.statistics["steps"] <= most_steps


@pytest.mark.parametrize(("target", "states"), [("A", 145), ("C", 65), ("D", 17)])
def test_sliding_window_has_an_early_drop(target: str, states: int) -> None:
    problem = safety_problem(read(str(MODELS / "sliding_window.lts")).composite(target))
    outcome = decide(problem, LtsOptions(steps=0), no_progress)
    assert outcome.statistics["assumption_states"] == states
