"""Evidence of every method passes the re-check, and forged evidence does not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.certificates.assumptions import AbstractSystem, SimulationProof, TreeCounterexample
from symag.lpts.certify.simulations import check, check_tree
from symag.lpts.lpts import Lpts
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem
from tests.lpts.methods.test_abstraction import METHODS, decided, problems
from tests.lpts.strategies import ONE, composed, from_moves, lossy_channel, simulated

NEVER = Deadline(None)


def accepted(problem: SimulationProblem, evidence: SimulationProof | TreeCounterexample) -> bool:
    try:
        if isinstance(evidence, SimulationProof):
            check(problem, evidence, NEVER)
        else:
            check_tree(problem.components, problem.specification, evidence, NEVER)
    except CertificationError:
        return False
    return True


def evidence_of(outcome: SimulationOutcome) -> SimulationProof | TreeCounterexample:
    found = outcome.proof or outcome.tree
    assert found is not None
    return found


@pytest.mark.parametrize("engine", ["worklist", "textbook", "smt"])
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=30, deadline=None)
@given(problems())
def test_evidence_is_accepted(method: str, engine: str, problem: SimulationProblem) -> None:
    assert accepted(problem, evidence_of(decided(method, problem, engine)))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40, deadline=None)
@given(problems(most=2), problems(most=2))
def test_evidence_for_another_problem_proves_nothing_false(
    method: str, problem: SimulationProblem, other: SimulationProblem
) -> None:
    """Whatever is accepted is true, wherever the evidence comes from."""
    for specification in (other.specification, problem.specification):
        asked = SimulationProblem(other.components, specification)
        found = evidence_of(decided(method, problem))
        if accepted(asked, found):
            assert simulated(composed(asked.components)[0], specification) == isinstance(found, SimulationProof)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(problems(most=2), st.data())
def test_changed_proofs_prove_nothing_false(problem: SimulationProblem, data: st.DataObject) -> None:
    """A specification that lost a transition is proved by no relation, unless it simulates all the same."""
    proof = decided(data.draw(st.sampled_from(sorted(METHODS))), problem).proof
    wanted = problem.specification
    assume(proof is not None and wanted.transitions)
    triples = wanted.triples()
    triples.pop(data.draw(st.integers(0, len(triples) - 1)))
    less = SimulationProblem(problem.components, Lpts.of("P", wanted.alphabet, wanted.states, triples))
    if accepted(less, proof):
        assert simulated(composed(less.components)[0], less.specification)


def genuine() -> tuple[SimulationProblem, SimulationProof]:
    sender, channel, wanted = lossy_channel()
    problem = SimulationProblem((sender, channel), wanted)
    proof = decided("agar", problem).proof
    assert proof is not None
    assert accepted(problem, proof)
    assert proof.weights
    return problem, proof


def _assumption(proof: SimulationProof, **changes: object) -> SimulationProof:
    changed: AbstractSystem = replace(proof.assumptions[0], **changes)
    return replace(proof, assumptions=(changed,))


def test_forged_proofs_are_refused() -> None:
    problem, proof = genuine()
    assumption = proof.assumptions[0]
    forgeries = [
        replace(proof, parts=((0,), (0,))),
        replace(proof, parts=((0,),), assumptions=()),
        replace(proof, parts=((0, 1), ())),
        replace(proof, assumptions=()),
        replace(proof, weights=()),
        replace(proof, total=0),
        replace(proof, total=proof.total * 2),
        replace(proof, weights=((*proof.weights[0][:-1], (proof.weights[0][-1][0], 0)),)),
        replace(proof, weights=((*proof.weights[0], (len(proof.relation), 1)),)),
        replace(proof, relation=()),
        *(replace(proof, relation=(*proof.relation[:k], *proof.relation[k + 1 :]), weights=()) for k in range(3)),
        _assumption(proof, classes=assumption.classes[:0]),
        _assumption(proof, classes=assumption.classes[1:]),
        _assumption(proof, classes=assumption.classes[:-1]),
        _assumption(proof, transitions=assumption.transitions[1:]),
        _assumption(proof, transitions=((9, "send", ((0, ONE),)), *assumption.transitions)),
        _assumption(proof, transitions=((0, "other", ((0, ONE),)), *assumption.transitions)),
    ]
    for number, forgery in enumerate(forgeries):
        assert not accepted(problem, forgery), number


def test_an_assumption_without_transitions_is_no_assumption() -> None:
    """A self-made proof of what is false: everything is simulated if the environment never moves."""
    sender, channel, _ = lossy_channel()
    nothing = from_moves({}, alphabet=("output",), states=1)
    idle = AbstractSystem(1, (), np.array([(state, 0) for state in range(channel.states)]))
    forged = SimulationProof(((0,), (1,)), (idle,), (((0, 0), 0), ((1, 0), 0)), (), 1)
    assert not accepted(SimulationProblem((sender, channel), nothing), forged)


def test_forged_trees_are_refused() -> None:
    sender, channel, _ = lossy_channel()
    less = from_moves({0: [("input", {1: ONE})], 1: [("output", {0: Fraction(17, 20), 2: Fraction(3, 20)})]})
    problem = SimulationProblem((sender, channel), less)
    tree = decided("agar", problem).tree
    assert tree is not None
    assert accepted(problem, tree)
    nodes = tree.nodes
    forgeries = [
        nodes[:-1],
        nodes[:1],
        (),
        nodes[1:],
        (replace(nodes[0], local=(1, 0)), *nodes[1:]),
        (*nodes[:-1], replace(nodes[-1], action="send")),
        (*nodes[:-1], replace(nodes[-1], action=None)),
        (*nodes[:-1], replace(nodes[-1], probability=Fraction(1, 2))),
        (*nodes[:-1], replace(nodes[-1], local=(9, 9))),
        (*nodes[:-1], replace(nodes[-1], parent=len(nodes))),
        (*nodes, replace(nodes[-1], local=nodes[-2].local)),
    ]
    for number, forgery in enumerate(forgeries):
        assert not accepted(problem, TreeCounterexample(tuple(forgery))), number
