"""Weak-safety pCTL against an enumeration of schedulers; all methods, their trees and bounds."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError
from symag.core.limits import Deadline
from symag.core.results import Verdict
from symag.core.source import SourceText
from symag.core.values import replace
from symag.lpts.certificates.assumptions import SafetyProof, TreeCounterexample
from symag.lpts.certify.safety_formulas import check, check_violation
from symag.lpts.language.properties.parser import parse_formula
from symag.lpts.language.properties.routing import weak_safety
from symag.lpts.lpts import Lpts
from symag.lpts.methods.formulas import satisfied, witness
from symag.lpts.problems import Liveness, SafetyFormula, SimulationProblem
from symag.lpts.state_values import with_labels
from tests.lpts.methods.test_abstraction import METHODS, decided, problems
from tests.lpts.strategies import ONE, by_label, composed, lossy_channel, simulated, system_of_tree, systems

NEVER = Deadline(None)
ZERO, HALF = Fraction(0), Fraction(1, 2)
BOUNDS = (ZERO, Fraction(1, 4), Fraction(1, 3), HALF, Fraction(3, 4), Fraction(99, 100), ONE)


def formulas() -> st.SearchStrategy[Liveness]:
    leaves = st.sampled_from(("true", "false")).map(Liveness) | st.sampled_from(("a", "b", "c", '"p"')).map(
        lambda action: Liveness("possible", action=action)
    )

    def larger(inner: st.SearchStrategy[Liveness]) -> st.SearchStrategy[Liveness]:
        two = st.tuples(inner, inner)
        bounds = st.sampled_from(BOUNDS)
        return (
            st.builds(Liveness, st.sampled_from(("and", "or")), two)
            | st.builds(lambda operand, q: Liveness("next", (operand,), bound=q), inner, bounds)
            | st.builds(lambda operands, q: Liveness("until", operands, bound=q), two, bounds)
            | st.builds(lambda goal, q: Liveness("until", (Liveness("true"), goal), bound=q), inner, bounds)
        )

    return st.recursive(leaves, larger, max_leaves=4)


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss: the unique solution of a linear system, the constants in the last column."""
    size = len(rows)
    for column in range(size):
        pivot = next(r for r in range(column, size) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r in range(size):
            if r != column and rows[r][column]:
                rows[r] = [x - rows[r][column] * y for x, y in zip(rows[r], rows[column], strict=True)]
    return [row[size] for row in rows]


def best(system: Lpts, before: set[int], goal: set[int]) -> list[Fraction]:
    """The maximal probabilities: every choice of one move (or none) for each state, each solved as it stands."""
    moves = by_label(system)
    options = [[None, *(mu for _, mu in moves[s])] if s in before - goal else [None] for s in range(system.states)]
    found = [ZERO] * system.states
    for policy in itertools.product(*options):
        useful = set(goal)
        while True:  # the others never reach the goal; without them the equations have one solution
            more = {s for s, mu in enumerate(policy) if mu is not None and useful & mu.keys()} - useful
            if not more:
                break
            useful |= more
        rows = []
        for s, mu in enumerate(policy):
            row = [ZERO] * (system.states + 1)
            row[s] += 1
            if s in goal:
                row[-1] = ONE
            elif s in useful and mu is not None:
                for t, p in mu.items():
                    row[t] -= p
            rows.append(row)
        found = [max(pair) for pair in zip(found, solved(rows), strict=True)]
    return found


def true_in(system: Lpts, formula: Liveness, labelled: Collection[int] = ()) -> set[int]:
    """The states of a system without labels that satisfy a formula; those in ``labelled`` have the label p."""
    operands = [true_in(system, operand, labelled) for operand in formula.operands]
    moves = by_label(system)
    states = set(range(system.states))
    match formula.operator:
        case "true" | "false":
            return states if formula.operator == "true" else set()
        case "possible":
            if formula.action == '"p"':
                return set(labelled)
            return {s for s in states if any(label == formula.action for label, _ in moves[s])}
        case "and":
            return operands[0] & operands[1]
        case "or":
            return operands[0] | operands[1]
        case "next":
            return {
                s
                for s in states
                if any(sum(mu.get(t, ZERO) for t in operands[0]) > formula.bound for _, mu in moves[s])
            }
        case _:
            values = best(system, *operands)
            return {s for s in states if values[s] > formula.bound}


@settings(max_examples=400, deadline=None)
@given(systems(moves=8, silent=True), formulas())
def test_formulas_are_decided_by_the_definition(system: Lpts, formula: Liveness) -> None:
    known = satisfied(system, formula)
    assert known.states[formula] == true_in(system, formula)
    for each, values in known.values.items():
        assert values == best(system, set(known.states[each.operands[0]]), set(known.states[each.operands[1]]))


@settings(max_examples=150, deadline=None)
@given(systems(moves=8, silent=True), st.sets(st.integers(0, 3)), formulas())
def test_labels_are_read_and_are_no_steps(plain: Lpts, having: set[int], formula: Liveness) -> None:
    labelled = {s for s in having if s < plain.states}
    system = with_labels(plain, {"p": np.array(sorted(labelled), dtype=np.int64)})
    assert system.broken_law() is None
    loops = {s: [('"p"', {s: ONE})] if s in labelled else [] for s in range(plain.states)}
    assert by_label(system) == {s: [*moves, *loops[s]] for s, moves in by_label(plain).items()}
    assert satisfied(system, formula).states[formula] == true_in(plain, formula, labelled)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60, deadline=None)
@given(problems(), st.sets(st.integers(0, 3)), formulas())
def test_methods_decide_formulas_with_labels(
    method: str, problem: SimulationProblem, having: set[int], formula: Liveness
) -> None:
    """The label is one of the first component's states."""
    first, *others = problem.components
    labelled = np.array(sorted(s for s in having if s < first.states), dtype=np.int64)
    asked = SimulationProblem((with_labels(first, {"p": labelled}), *others), formula)
    plain, local = composed(problem.components)
    outcome = decided(method, asked)
    evidence = outcome.proof or outcome.tree
    assert isinstance(evidence, SafetyProof | TreeCounterexample)
    mine = np.array([s for s, state in enumerate(local) if state[0] in labelled], dtype=np.int64)
    whole = with_labels(plain, {"p": mine})
    assert (outcome.verdict is Verdict.VIOLATED) == (0 in satisfied(whole, formula).states[formula])
    assert accepted(asked, evidence)


@settings(max_examples=250, deadline=None)
@given(systems(moves=8, silent=True), formulas())
def test_trees_run_in_the_system_and_satisfy_the_formula(system: Lpts, formula: Liveness) -> None:
    known = satisfied(system, formula)
    if 0 in known.states[formula]:
        shape = system_of_tree(witness(system, formula, known), system)
        assert simulated(shape, system)
        assert 0 in satisfied(shape, formula).states[formula]


@settings(max_examples=150, deadline=None)
@given(systems(states=3), systems(states=3, moves=9), formulas())
def test_simulation_preserves_safety(left: Lpts, right: Lpts, formula: Liveness) -> None:
    right = replace(right, alphabet=("", "a", "b"))
    if simulated(left, right) and 0 in satisfied(left, formula).states[formula]:
        assert 0 in satisfied(right, formula).states[formula]


def accepted(problem: SimulationProblem, evidence: SafetyProof | TreeCounterexample) -> bool:
    assert isinstance(problem.specification, Liveness)
    try:
        if isinstance(evidence, SafetyProof):
            check(problem, evidence, NEVER)
        else:
            check_violation(problem.components, problem.specification, evidence, NEVER)
    except CertificationError:
        return False
    return True


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=100, deadline=None)
@given(problems(), formulas())
def test_methods_decide_formulas_with_evidence(method: str, problem: SimulationProblem, formula: Liveness) -> None:
    asked = SimulationProblem(problem.components, formula)
    outcome = decided(method, asked)
    whole, _ = composed(asked.components)
    assert (outcome.verdict is Verdict.VIOLATED) == (0 in satisfied(whole, formula).states[formula])
    evidence = outcome.proof or outcome.tree
    assert isinstance(evidence, SafetyProof | TreeCounterexample)
    assert accepted(asked, evidence)
    for other in (Liveness("true"), Liveness("possible", action="a"), Liveness("until", (Liveness("true"), formula))):
        if accepted(SimulationProblem(problem.components, other), evidence):
            assert isinstance(evidence, TreeCounterexample) == (0 in satisfied(whole, other).states[other])


def failing_link() -> tuple[Lpts, Lpts]:
    """The sender and a channel that says so when it has lost an output."""
    sender, channel, _ = lossy_channel()
    triples = [*channel.triples(), (3, len(channel.alphabet), {3: ONE})]
    return sender, Lpts.of("channel", (*channel.alphabet, "fail"), channel.states, triples)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("P<=0.1 [input | send | output U fail]", Verdict.HOLDS),
        ("P<=0.0999 [input | send | output U fail]", Verdict.VIOLATED),
        ("P<=0.99 [F fail]", Verdict.VIOLATED),
        ("P<=1 [F fail]", Verdict.HOLDS),
        ("P<=0 [X send]", Verdict.VIOLATED),
        ("P<=0 [X output] & !fail", Verdict.HOLDS),
        ("!fail & P<=0.3 [F output & P>0.09 [X fail]]", Verdict.VIOLATED),
        ("P<=0.3 [F output & P>1/10 [X fail]] | false", Verdict.HOLDS),
    ],
)
def test_bounds_that_are_met_exactly(text: str, verdict: Verdict) -> None:
    """Before the first acknowledgement the output is lost with probability 1/10: no rounding could tell."""
    problem = SimulationProblem(failing_link(), read(text).violation)
    assert {decided(method, problem).verdict for method in METHODS} == {verdict}


def test_forged_bounds_are_refused() -> None:
    problem = SimulationProblem(failing_link(), read("P<=0.1 [input | send | output U fail]").violation)
    proof = decided("agar", problem).proof
    assert isinstance(proof, SafetyProof)
    assert accepted(problem, proof)
    forgeries = [
        replace(proof, values=()),
        replace(proof, values=(*proof.values, *proof.values)),
        replace(proof, values=tuple(tuple(value / 2 for value in each) for each in proof.values)),
        replace(proof, values=tuple(tuple(value * 2 for value in each) for each in proof.values)),
        replace(proof, values=tuple(each[:-1] for each in proof.values)),
        replace(proof, states=proof.states[1:]),
        replace(proof, states=proof.states[:-1]),
        replace(proof, states=()),
        replace(proof, assumptions=()),
    ]
    for number, forgery in enumerate(forgeries):
        assert not accepted(problem, forgery), number


def read(text: str) -> SafetyFormula:
    source = SourceText.of("--formula", text)
    return weak_safety(parse_formula(source).formula, source)


def shown(formula: Liveness) -> str:
    inner = ", ".join(map(shown, formula.operands))
    match formula.operator:
        case "possible":
            return formula.action
        case "next" | "until":
            return f"{formula.operator}>{formula.bound}({inner})"
        case operator:
            return f"{operator}({inner})" if inner else operator


@pytest.mark.parametrize(
    ("text", "violation"),
    [
        ("true", "false"),
        ("!a & !b", "or(a, b)"),
        ("!a | !b & !c", "and(a, or(b, c))"),
        ("!a & !b & !c", "or(or(a, b), c)"),
        ('!"done"', '"done"'),
        ("(!a)", "a"),
        ("P<=0.1 [F a]", "until>1/10(true, a)"),
        ("P<=1/10 [X a | b]", "next>1/10(or(a, b))"),
        ('P<=0 [a & "p" U P>1 [F b]]', 'until>0(and(a, "p"), until>1(true, b))'),
        ("P<=0.5 [F a]|P<=0.5 [X b]", "and(until>1/2(true, a), next>1/2(b))"),  # "]|" is PRISM's elsewhere
        ("!a.b & P<=1 [F send.x.1]", "or(a.b, until>1(true, send.x.1))"),  # actions of explicit files
        ("!init & !min & !module & !G", "or(or(init, min), or(module, G))"),
        ("P<=1e-3 [F a]", "until>1/1000(true, a)"),
    ],
)
def test_what_a_safety_formula_means(text: str, violation: str) -> None:
    formula = read(text)
    assert shown(formula.violation) == violation
    assert all(text.startswith(name, position) for name, position in formula.names)


def test_formulas_of_a_thousand_operands() -> None:
    system, channel = failing_link()
    text = " & ".join(["P<=0.1 [input | send | output U fail]"] * 1000)
    problem = SimulationProblem((system, channel), read(text).violation)
    outcome = decided("monolithic", problem)
    assert outcome.verdict is Verdict.HOLDS
    assert isinstance(outcome.proof, SafetyProof)
    assert accepted(problem, outcome.proof)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("P<=0.5 [F a", 12),
        ("a", 1),
        ("P>0.5 [F a]", 1),
        ("P<=2 [F a]", 4),
        ("P<=0.5 [F !a]", 11),
        ("P<=1/0 [F a]", 4),
        ("!a & ", 6),
        ("!a ? !b", 8),
        ("", 1),
        ("P<=0.5 [a b]", 11),
    ],
)
def test_what_is_no_safety_formula(text: str, column: int) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.column == column
