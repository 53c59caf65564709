"""CEGAR, AGAR and its nested form against the definition; Lemmas 2 and 6, Theorems 1 and 4."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lpts.bisimulation import quotient
from symag.lpts.certificates.assumptions import SimulationProof
from symag.lpts.certify.simulations import check, check_tree
from symag.lpts.composition import composed as composition
from symag.lpts.lpts import Lpts
from symag.lpts.methods import componentwise, monolithic
from symag.lpts.methods.agar import agar, agar_n, cegar
from symag.lpts.methods.concrete import ConcreteSystem, PartitionedSystem
from symag.lpts.methods.factored import as_lpts, factored
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.refinement import (
    ProjectedMove,
    Projection,
    SpuriousCounterexample,
    analysed,
    concretised,
    projection,
    still_there,
)
from symag.lpts.methods.requirements import SimulationRequirement
from symag.lpts.methods.simulation import worklist
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem
from tests.lpts.strategies import ONE, composed, from_moves, lossy_channel, simulated, systems

METHODS = {"monolithic": monolithic.decide, "cegar": cegar, "agar": agar, "agar-n": agar_n, "separate": agar}


@st.composite
def problems(draw: st.DrawFn, most: int = 3) -> SimulationProblem:
    """Components that share some actions; a specification that mentions some, and is often coarser than one."""
    count = draw(st.integers(2, most))
    alphabets = st.sampled_from(("a", "ab", "bc", "ac", "abc"))
    small = {"states": 3, "moves": 5, "silent": draw(st.booleans())}
    components = tuple(draw(systems(actions=draw(alphabets), **small)) for _ in range(count))
    if draw(st.booleans()):
        whole, _ = composed(components)
        classes = np.array([0, *(draw(st.integers(0, 3)) for _ in range(whole.states - 1))][: whole.states])
        specification = quotient(whole, np.unique(classes, return_inverse=True)[1].reshape(-1))
        if draw(st.booleans()) and specification.transitions:
            triples = specification.triples()
            triples.pop(draw(st.integers(0, len(triples) - 1)))
            specification = Lpts.of("P", specification.alphabet, specification.states, triples)
    else:
        specification = draw(systems(actions=draw(alphabets), moves=12))
    return SimulationProblem(components, specification)


def decided(method: str, problem: SimulationProblem, engine: str = "blocks") -> SimulationOutcome:
    # agar as the paper has it: all but the first are abstracted.
    if method == "separate":
        return agar(problem, LptsOptions(engine))
    return METHODS[method](problem, LptsOptions(engine, "joint", order=(0,) if method == "agar" else ()))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=80, deadline=None)
@given(problems())
def test_methods_decide_the_definition(method: str, problem: SimulationProblem) -> None:
    outcome = decided(method, problem)
    whole, _ = composed(problem.components)
    assert (outcome.verdict is Verdict.HOLDS) == simulated(whole, problem.specification)


@settings(max_examples=80, deadline=None)
@given(problems(), st.data())
def test_separate_assumptions_in_any_order_are_certified(problem: SimulationProblem, data: st.DataObject) -> None:
    """Whatever the parts are, also with an empty first one; refinements are bounded by the states of the others."""
    numbers = data.draw(st.permutations(range(len(problem.components))))
    size = data.draw(st.integers(0, len(numbers) - 1))
    parts = (tuple(sorted(numbers[:size])), *((number,) for number in numbers[size:]))
    outcome = componentwise.decide(problem, parts, LptsOptions(), no_progress)
    whole, _ = composed(problem.components)
    assert (outcome.verdict is Verdict.HOLDS) == simulated(whole, problem.specification)
    assert outcome.statistics["refinements"] <= sum(problem.components[number].states - 1 for number in numbers[size:])
    assert isinstance(problem.specification, Lpts)
    if isinstance(outcome.proof, SimulationProof):
        check(problem, outcome.proof, Deadline(None))
    else:
        assert outcome.tree is not None
        check_tree(problem.components, problem.specification, outcome.tree, Deadline(None))


def test_proofs_with_separate_assumptions_that_do_not_fit_are_refused() -> None:
    sender, channel, specification = lossy_channel()
    problem = SimulationProblem((sender, channel), specification)
    proof = componentwise.decide(problem, ((), (0,), (1,)), LptsOptions(), no_progress).proof
    assert isinstance(proof, SimulationProof)
    check(problem, proof, Deadline(None))
    for beside in ((0,), (0, 2), (1, 0), (-1, 0), (0, 1), (0, 0, 0)):
        with pytest.raises(CertificationError):
            check(problem, replace(proof, beside=beside), Deadline(None))
    one, other = proof.assumptions
    with pytest.raises(CertificationError):
        check(problem, replace(proof, assumptions=(other, one)), Deadline(None))


@settings(max_examples=60, deadline=None)
@given(problems(most=2))
def test_theorem_4_bounds_the_refinements(problem: SimulationProblem) -> None:
    statistics = decided("agar", problem).statistics
    assert statistics["refinements"] <= statistics["second_states"] - 1
    assert statistics["assumption_states_max"] <= statistics["second_states"]


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(problems())
def test_trees_run_in_the_components_and_not_in_the_specification(method: str, problem: SimulationProblem) -> None:
    tree = decided(method, problem).tree
    assume(tree is not None)
    branches: dict[tuple[int, int], tuple[str, dict[int, Fraction]]] = {}
    for number, node in enumerate(tree.nodes[1:], start=1):
        assert node.action is not None
        branches.setdefault((node.parent, node.move), (node.action, {}))[1][number] = node.probability
    labels = ("", *sorted({label for each in problem.components for label in each.alphabet[1:]}))
    triples = [(parent, labels.index(label), mu) for (parent, _), (label, mu) in branches.items()]
    shape = Lpts.of("tree", labels, len(tree.nodes), triples)
    whole, local = composed(problem.components)
    real = {(s, whole.alphabet[a], frozenset(mu.items())) for s, a, mu in whole.triples()}
    state = {nodes: number for number, nodes in enumerate(local)}
    assert tree.nodes[0].local == local[0]
    for (parent, _), (label, mu) in branches.items():
        image = {state[tree.nodes[child].local]: probability for child, probability in mu.items()}
        assert len(image) == len(mu)
        assert (state[tree.nodes[parent].local], label, frozenset(image.items())) in real
    assert not simulated(shape, problem.specification)


@settings(max_examples=60, deadline=None)
@given(problems(most=2).map(lambda problem: problem.components), st.data())
def test_quotients_simulate_and_composition_keeps_that(components: tuple[Lpts, ...], data: st.DataObject) -> None:
    """L <= L/partition (Section 4), and Lemma 2 with L/partition for L2: compositional."""
    one, other = components
    chosen = [data.draw(st.integers(0, 2)) for _ in range(other.states - 1)]
    classes = np.unique(np.array([0, *chosen]), return_inverse=True)[1].reshape(-1)
    abstraction = quotient(other, classes)
    assert abstraction.broken_law() is None
    assert simulated(other, abstraction)
    assert simulated(composed((one, other))[0], composed((one, abstraction))[0])


@settings(max_examples=60, deadline=None)
@given(systems(states=3), systems(states=3), systems(states=3))
def test_lemma_2_preorder(first: Lpts, second: Lpts, third: Lpts) -> None:
    assert simulated(first, first)
    if simulated(first, second) and simulated(second, third):
        assert simulated(first, third)


@settings(max_examples=60, deadline=None)
@given(systems(states=3, moves=4), systems(states=3, moves=8), systems(states=3, moves=4), systems(states=3, moves=8))
def test_theorem_1_the_rule_is_sound_and_complete(one: Lpts, other: Lpts, assumption: Lpts, wanted: Lpts) -> None:
    whole = simulated(composed((one, other))[0], wanted)
    if simulated(composed((one, assumption))[0], wanted) and simulated(other, assumption):
        assert whole
    assert simulated(composed((one, other))[0], wanted) == whole  # complete: the assumption is L2 itself


@settings(max_examples=60, deadline=None)
@given(problems())
def test_composition_is_the_definition(problem: SimulationProblem) -> None:
    found = composition(problem.components, "L").lpts
    plain, _ = composed(problem.components)
    assert found.states == plain.states
    assert simulated(found, plain)
    assert simulated(plain, found)


@pytest.mark.parametrize("method", METHODS)
def test_a_sender_and_a_lossy_channel(method: str) -> None:
    sender, channel, wanted = lossy_channel()
    outcome = decided(method, SimulationProblem((sender, channel), wanted))
    assert outcome.verdict is Verdict.HOLDS
    if method == "agar":
        assert outcome.statistics["assumption_states_max"] < channel.states
    worse = from_moves({0: [("input", {1: ONE})], 1: [("output", {0: Fraction(17, 20), 2: Fraction(3, 20)})]})
    refuted = decided(method, SimulationProblem((sender, channel), worse))
    assert refuted.tree is not None
    # input, send, output, and then what the lost output no longer allows
    assert [node.action for node in refuted.tree.nodes][:4] == [None, "input", "send", "output"]


def check_what_is_left(view: Projection, concrete: ConcreteSystem, before: PartitionedSystem, shape: Lpts) -> None:
    """Something is left exactly if the finer abstraction simulates the tree, each node by a part of its class."""
    left = still_there(view, concrete, before)
    finer = concrete.abstraction_since(before)
    expected = simulated(with_classes(shape, view.classes), with_classes(concrete.abstraction, finer.classes.tolist()))
    assert (left is not None) == expected
    if left is not None:
        moves = {
            node: [
                (label_of_move(concrete.abstraction, move), distribution_of_move(concrete.abstraction, move))
                for move in mine
            ]
            for node, mine in enumerate(left.moves)
        }
        tree = from_moves(moves, shape.alphabet[1:], len(left.classes))
        assert simulated(shape, tree)
        assert simulated(tree, concrete.abstraction)
        assert isinstance(analysed(left, concrete), SpuriousCounterexample)


def with_classes(system: Lpts, classes: Sequence[int]) -> Lpts:
    """The system with a loop in every state that says its class."""
    labels = [f"in {number}" for number in range(max(classes) + 1)]
    alphabet = (*system.alphabet, *labels)
    loops = [(state, len(system.alphabet) + number, {state: ONE}) for state, number in enumerate(classes)]
    return Lpts.of("L", alphabet, system.states, [*system.triples(), *loops])


def label_of_move(system: Lpts, move: ProjectedMove) -> str:
    return system.alphabet[int(system.action[move.transition])]


def distribution_of_move(system: Lpts, move: ProjectedMove) -> dict[int, Fraction]:
    return {move.children[state]: mass for state, mass in system.distribution(move.transition).items()}


@settings(max_examples=250, deadline=None)
@given(systems(moves=9), systems(states=3, moves=9), st.data())
def test_lemma_6_a_spurious_tree_splits_classes_and_a_real_one_is_simulated(
    system: Lpts, specification: Lpts, data: st.DataObject
) -> None:
    component, whole = system, composition([system], "L")
    system = whole.lpts
    chosen = [data.draw(st.integers(0, 2)) for _ in range(system.states - 1)]
    classes = np.unique(np.array([0, *chosen]), return_inverse=True)[1].reshape(-1).astype(np.int64)
    concrete = ConcreteSystem(whole, classes)
    premise = composition([concrete.abstraction], "A")
    found = SimulationRequirement(specification, worklist.decide).decide(premise.lpts, no_progress)
    if not found.trees:
        assert simulated(system, specification)
        return
    tree = factored(found.trees[0], premise)
    shape = as_lpts(tree, [concrete.abstraction])
    verdict = analysed(projection(tree), concrete)
    if isinstance(verdict, SpuriousCounterexample):
        assert all(0 < len(part) < len(concrete.members(place)) for place, part in verdict.parts.items())
        before, snapshot = concrete.abstraction, concrete.snapshot()
        concrete.split(verdict.parts)
        assert concrete.abstraction.states == before.states + len(verdict.parts)
        assert simulated(system, concrete.abstraction)
        assert simulated(concrete.abstraction, before)
        check_what_is_left(projection(tree), concrete, snapshot, shape)
        return
    assert simulated(shape, system)
    # the tree made one that runs in the system simulates the one that runs in the abstraction
    real = concretised(tree, projection(tree), concrete, verdict.related)
    assert simulated(shape, as_lpts(real, [component]))
    assert simulated(as_lpts(real, [component]), system)
    assert not simulated(as_lpts(real, [component]), specification)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=80, deadline=None)
@given(st.lists(systems(states=3, moves=5, reactive=True), min_size=2, max_size=3), systems(moves=8))
def test_corollary_1_trees_of_reactive_components_are_reactive(
    method: str, components: list[Lpts], specification: Lpts
) -> None:
    tree = decided(method, SimulationProblem(tuple(components), specification)).tree
    if tree is not None:
        moves = {(node.parent, node.move): node.action for node in tree.nodes[1:]}
        assert len({(parent, action) for (parent, _), action in moves.items()}) == len(moves)
