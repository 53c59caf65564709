"""Re-check of evidence about weak-safety formulas of pCTL: bounds by substitution, trees by exact evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from symag.core.limits import Deadline
from symag.lpts.certificates.assumptions import SafetyProof, TreeCounterexample
from symag.lpts.certify.simulations import NodeMoves, check_run, premise_of
from symag.lpts.certify.weights import State, of_another_kind, refused
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Liveness, Problem, SimulationProblem, is_label

_ZERO = Fraction(0)


CERTIFICATE = SafetyProof


def check(problem: Problem, proof: SafetyProof, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, SimulationProblem) or not isinstance(problem.specification, Liveness):
        raise of_another_kind()
    product = premise_of(problem.components, proof, deadline)
    number = {state: index for index, state in enumerate(proof.states)}
    start = (0,) * len(proof.states[0]) if proof.states else ()
    if start not in number or not product.knows(start):
        raise refused("the initial state is missing")
    moves = []
    for index, state in enumerate(proof.states):
        if index % 1000 == 0:
            deadline.check()
        if not product.knows(state):
            raise refused("there is no such state")
        moves.append([(action, _numbered(mu, number)) for action, mu in product.moves(state)])
    remaining = list(reversed(proof.values))
    if number[start] in _perhaps(problem.specification, moves, remaining):
        raise refused("the initial state may violate the formula")
    if remaining:
        raise refused("there are bounds that belong to no sub-formula")


_Moves = Sequence[Sequence[tuple[str, Mapping[int, Fraction]]]]


def _numbered(mu: Mapping[State, Fraction], number: Mapping[State, int]) -> dict[int, Fraction]:
    if not all(state in number for state in mu):
        raise refused("a state that can be reached is missing")
    return {number[state]: probability for state, probability in mu.items()}


def _perhaps(formula: Liveness, moves: _Moves, remaining: list[tuple[Fraction, ...]]) -> set[int]:
    """All states that satisfy the formula, and perhaps more. ``remaining`` are the bounds not used yet, last first."""
    operands = [_perhaps(operand, moves, remaining) for operand in formula.operands]
    everything = set(range(len(moves)))
    match formula.operator:
        case "true":
            return everything
        case "false":
            return set()
        case "possible":
            return {s for s in everything if any(action == formula.action for action, _ in moves[s])}
        case "and":
            return operands[0] & operands[1]
        case "or":
            return operands[0] | operands[1]
        case "next":
            bounds: Sequence[Fraction] = [Fraction(s in operands[0]) for s in range(len(moves))]
            return {s for s in everything if any(_expected(mu, bounds) > formula.bound for mu in _steps(moves[s]))}
        case "until":
            if not remaining or len(remaining[-1]) != len(moves):
                raise refused("there is not a bound for each state")
            bounds = remaining.pop()
            _check_upper(bounds, operands[0], operands[1], moves)
            return {s for s in everything if bounds[s] > formula.bound}


def _check_upper(bounds: Sequence[Fraction], before: set[int], goal: set[int], moves: _Moves) -> None:
    for state, bound in enumerate(bounds):
        if bound < (1 if state in goal else 0):
            raise refused("a bound is too small where the goal is reached")
        if state in before and state not in goal and any(_expected(mu, bounds) > bound for mu in _steps(moves[state])):
            raise refused("a bound is smaller than what a transition makes of it")


def _steps(moves: Sequence[tuple[str, Mapping[int, Fraction]]]) -> list[Mapping[int, Fraction]]:
    """The moves that a state can choose among; a label is not a move."""
    return [mu for action, mu in moves if not is_label(action)]


def _expected(mu: Mapping[int, Fraction], values: Sequence[Fraction]) -> Fraction:
    return sum((probability * values[target] for target, probability in mu.items()), _ZERO)


def check_violation(
    components: Sequence[Lpts], violation: Liveness, tree: TreeCounterexample, deadline: Deadline
) -> None:
    """Accept that the components can run the tree and that the liveness formula is true of it.

    Raises CertificationError, and OutOfTimeError.
    """
    moves = check_run(components, tree, deadline)
    if not _is_true(violation, tree, moves)[0]:
        raise refused("the tree does not violate the formula")


def _is_true(formula: Liveness, tree: TreeCounterexample, moves: NodeMoves) -> list[bool]:
    """Whether the formula is true in each node of the tree; its leaves have no moves."""
    operands = [_is_true(operand, tree, moves) for operand in formula.operands]
    nodes = range(len(tree.nodes))
    match formula.operator:
        case "true" | "false":
            return [formula.operator == "true" for _ in nodes]
        case "possible":
            return [any(action == formula.action for action, _ in moves[n]) for n in nodes]
        case "and":
            return [one and other for one, other in zip(*operands, strict=True)]
        case "or":
            return [one or other for one, other in zip(*operands, strict=True)]
        case "next":
            return [_best(tree, moves, n, lambda c: Fraction(operands[0][c])) > formula.bound for n in nodes]
        case "until":
            values = [_ZERO for _ in nodes]
            for n in reversed(nodes):
                if operands[1][n]:
                    values[n] = Fraction(1)
                elif operands[0][n]:
                    values[n] = _best(tree, moves, n, lambda c: values[c])
            return [value > formula.bound for value in values]


def _best(tree: TreeCounterexample, moves: NodeMoves, node: int, value: Callable[[int], Fraction]) -> Fraction:
    sums = [
        sum((tree.nodes[c].probability * value(c) for c in children), _ZERO)
        for action, children in moves[node]
        if not is_label(action)
    ]
    return max(sums, default=_ZERO)
