"""Equivalences of two systems against their definitions; forged evidence is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.limits import Deadline
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lpts.bisimulation import quotient
from symag.lpts.certificates.assumptions import TreeCounterexample
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certificates.equivalences import (
    DistinguishingFormula,
    DistinguishingTree,
    EquivalenceClasses,
    ModalConjunct,
)
from symag.lpts.certify.kinds import certificate_text, check_certificate, read_certificate
from symag.lpts.lpts import Lpts
from symag.lpts.methods.equivalence.deciding import decide_equivalence
from symag.lpts.problems import EquivalenceProblem
from tests.judging import is_accepted
from tests.lpts.strategies import by_label, composed, from_moves, greatest_simulation, systems

HALF, ONE = Fraction(1, 2), Fraction(1)


def bisimilar(left: Lpts, right: Lpts) -> bool:
    """The coarsest bisimulation by its definition: pairs with different moves to classes are split until none are."""
    moves = {(0, s): each for s, each in by_label(left).items()} | {(1, s): each for s, each in by_label(right).items()}
    class_of = dict.fromkeys(moves, 0)
    while True:
        signatures = {}
        for (side, state), each in moves.items():
            signature = set()
            for action, mu in each:
                masses: dict[int, Fraction] = {}
                for target, mass in mu.items():
                    masses[class_of[side, target]] = masses.get(class_of[side, target], Fraction(0)) + mass
                signature.add((action, frozenset(masses.items())))
            signatures[side, state] = class_of[side, state], frozenset(signature)
        numbers = {signature: number for number, signature in enumerate(dict.fromkeys(signatures.values()))}
        refined = {state: numbers[signature] for state, signature in signatures.items()}
        if len(numbers) == len(set(class_of.values())):
            return refined[0, 0] == refined[1, 0]
        class_of = refined


def simulates(left: Lpts, right: Lpts) -> bool:
    """The greatest fixed point of the definition, with no action completed."""
    return (0, 0) in greatest_simulation(by_label(left), by_label(right))


def accepted(problem: EquivalenceProblem, evidence: ProbabilisticCertificate) -> bool:
    return is_accepted(check_certificate, problem, evidence, Deadline(None))


@st.composite
def problems(draw: st.DrawFn) -> EquivalenceProblem:
    """Two systems that have often much in common: the other is a quotient, a copy with one move less, or any."""
    components = tuple(draw(st.lists(systems(states=3, moves=4, silent=True), min_size=1, max_size=2)))
    whole, _ = composed(list(components))
    other = draw(st.sampled_from(["any", "quotient", "less"]))
    if other == "any":
        right = draw(systems(states=3, moves=4, silent=True))
    elif other == "quotient":
        drawn = [0, *(draw(st.integers(0, 3)) for _ in range(whole.states - 1))]
        right = quotient(whole, np.unique(drawn, return_inverse=True)[1].reshape(-1))
    else:
        triples = whole.triples()
        if triples:
            triples.pop(draw(st.integers(0, len(triples) - 1)))
        right = Lpts.of("R", whole.alphabet, whole.states, triples)
    return EquivalenceProblem(components, right, draw(st.sampled_from(["bisimulation", "simulation"])))


@settings(max_examples=150, deadline=None)
@given(problems())
def test_equivalences_are_their_definitions(problem: EquivalenceProblem) -> None:
    whole, _ = composed(list(problem.components))
    if problem.relation == "bisimulation":
        expected = bisimilar(whole, problem.other)
    else:
        expected = simulates(whole, problem.other) and simulates(problem.other, whole)
    outcome = decide_equivalence(problem)
    event(f"{problem.relation}: {outcome.verdict}")
    assert (outcome.verdict is Verdict.HOLDS) == expected
    assert accepted(problem, outcome.evidence)


def machine(first: Fraction) -> Lpts:
    """Sends, and then acknowledges; or may also refuse, with the other probability."""
    return from_moves(
        {
            0: [("send", {1: first, 2: ONE - first})],
            1: [("ack", {0: ONE})],
            2: [("ack", {0: ONE}), ("nak", {3: ONE})],
            3: [("", {0: ONE})],
        }
    )


def problem_of(first: Fraction, relation: str) -> EquivalenceProblem:
    return EquivalenceProblem((machine(HALF),), machine(first), relation)  # type: ignore[arg-type]


def test_the_formula_names_the_move_and_its_masses() -> None:
    evidence = decide_equivalence(problem_of(Fraction(1, 3), "bisimulation")).evidence
    assert isinstance(evidence, DistinguishingFormula)
    last = evidence.formulas[-1][0]
    assert (last.asserted, last.action) == (True, "send")
    assert last.masses[0][0] == HALF


def test_forged_evidence_is_refused() -> None:
    same, different = problem_of(HALF, "bisimulation"), problem_of(Fraction(1, 3), "bisimulation")
    classes = decide_equivalence(same).evidence
    formula = decide_equivalence(different).evidence
    assert isinstance(classes, EquivalenceClasses)
    assert isinstance(formula, DistinguishingFormula)
    one_class = classes.left.copy()
    one_class[:, -1] = 0
    nested = formula.formulas[-1][0]
    forgeries: list[ProbabilisticCertificate] = [
        replace(classes, left=classes.left[1:]),
        replace(classes, left=classes.left[:-1]),
        replace(classes, left=np.concatenate((classes.left, classes.left[:1]))),
        replace(classes, left=one_class),
        replace(classes, right=classes.right + 1),
        replace(classes, relation="simulation"),
        formula,
    ]
    for number, forgery in enumerate(forgeries):
        assert not accepted(same, forgery), number
    wrong = [
        classes,
        DistinguishingFormula(()),
        replace(formula, formulas=formula.formulas[:-1]),
        replace(formula, formulas=(*formula.formulas[:-1], (ModalConjunct(False, nested.action, nested.masses),))),
        replace(formula, formulas=(*formula.formulas[:-1], (ModalConjunct(True, "send", ((HALF, 9),)),))),
        replace(formula, formulas=(*formula.formulas[:-1], (ModalConjunct(True, "send", ((Fraction(0), 0),)),))),
    ]
    for number, forgery in enumerate(wrong):
        assert not accepted(different, forgery), number


def test_forged_simulations_and_trees_are_refused() -> None:
    same, different = problem_of(HALF, "simulation"), problem_of(Fraction(1, 3), "simulation")
    classes, tree = decide_equivalence(same).evidence, decide_equivalence(different).evidence
    assert isinstance(classes, EquivalenceClasses)
    assert isinstance(tree, DistinguishingTree)
    other_side = {"left": "right", "right": "left"}[tree.side]
    forgeries: list[ProbabilisticCertificate] = [
        replace(classes, forth=()),
        replace(classes, back=classes.back[:1]),
        replace(classes, forth=((0, 9), *classes.forth)),
        replace(classes, relation="bisimulation"),
    ]
    for number, forgery in enumerate(forgeries):
        assert not accepted(same, forgery), number
    root = TreeCounterexample(tree.tree.nodes[:1])
    for forgery in (
        replace(tree, side=other_side),
        replace(tree, side="up"),
        replace(tree, tree=root),
    ):
        assert not accepted(different, forgery)


@pytest.mark.parametrize("relation", ["bisimulation", "simulation"])
@pytest.mark.parametrize("first", [HALF, Fraction(1, 3)])
def test_evidence_survives_its_file(first: Fraction, relation: str, tmp_path: Path) -> None:
    problem = problem_of(first, relation)
    evidence = decide_equivalence(problem).evidence
    path = tmp_path / "evidence.json"
    about = {"index": 0, "kind": relation, "name": None, "text": ""}
    path.write_text(certificate_text("M", about, problem, evidence))
    again = read_certificate(path, problem)
    assert accepted(problem, again)
    assert certificate_text("M", about, problem, again) == path.read_text()
    with pytest.raises(InputError, match="SHA-256"):
        read_certificate(path, problem_of(Fraction(1, 7), relation))
