"""Triples of tiny systems by the linear program of the whole product, solved by z3 over fractions; random ones."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

from symag.lpts.lpts import Lpts
from symag.lpts.problems import Limit, Monitor, TripleProblem
from tests.lpts.strategies import SPLITS, by_label

ZERO = Fraction(0)
ACTIONS = "abcd"


def a_system(chance: random.Random, name: str, states: int = 4) -> Lpts:
    """A system without deadlocks."""
    actions = chance.sample(ACTIONS, chance.randint(2, 3))
    count = chance.randint(2, states)
    moves = []
    for source in range(count):
        for _ in range(chance.randint(1, 3)):
            split = chance.choice([split for split in SPLITS if len(split) <= count])
            targets = chance.sample(range(count), len(split))
            moves.append((source, chance.randint(1, len(actions)), dict(zip(targets, split, strict=True))))
    return Lpts.of(name, ("", *actions), count, moves)


def a_monitor(chance: random.Random, actions: Sequence[str], probability: bool) -> Monitor:
    """An automaton whose last state is the violation, or one with costs."""
    states = chance.randint(2, 3)
    moves, costs = [], []
    for source in range(states):
        for action in range(1, len(actions) + 1):
            violated = probability and source == states - 1
            target = source if violated else chance.randrange(states)
            moves.append((source, action, {target: Fraction(1)}))
            cost = Fraction(chance.choice((0, 0, 1, 2)), chance.choice((1, 1, 3)))
            costs.append(Fraction(target == states - 1 and not violated) if probability else cost)
    return Monitor("m", Lpts.of("m", ("", *actions), states, moves), tuple(costs), probability)


def a_problem(seed: int, assumptions: int | None = None) -> TripleProblem:
    chance = random.Random(seed)
    components = [a_system(chance, f"c{k}") for k in range(chance.randint(1, 2))]
    own = sorted({action for component in components for action in component.alphabet[1:]})
    count = chance.randint(0, 2) if assumptions is None else assumptions
    monitors = [a_monitor(chance, chance.sample(own, 2), chance.random() < 0.7) for _ in range(count + 1)]
    limits = [Limit(k + 1, Fraction(chance.choice((0, 1, 1, 2)), chance.choice((2, 3, 5, 10)))) for k in range(count)]
    return TripleProblem(tuple(components), tuple(monitors), tuple(limits), 0, None)


#: A state, where a move leads, what it costs, and which systems make it.
JointMove = tuple[tuple[int, ...], dict[tuple[int, ...], Fraction], list[Fraction], list[int]]


def joint_moves(
    systems: Sequence[Lpts], costs: Sequence[dict[tuple[int, str], Fraction]], never: Sequence[int]
) -> list[JointMove]:
    """All reachable joint moves by the definition of the composition, with their costs; some are never made."""
    local = [by_label(system) for system in systems]
    first = len(systems) - len(costs)
    labels = ["", *sorted({label for system in systems for label in system.alphabet[1:]})]
    start = (0,) * len(systems)
    seen, waiting, result = {start}, [start], []
    while waiting:
        state = waiting.pop()
        for label in labels:
            owners = [k for k, system in enumerate(systems) if label in system.alphabet[1:]]
            for group in [[k] for k in range(len(systems))] if label == "" else [owners]:
                options = [[mu for name, mu in local[k][state[k]] if name == label] for k in group]
                for chosen in itertools.product(*options):
                    earned = [cost.get((state[first + k], label), ZERO) for k, cost in enumerate(costs)]
                    if any(earned[k] for k in never):
                        continue
                    spread: dict[tuple[int, ...], Fraction] = {}
                    for targets in itertools.product(*(mu.items() for mu in chosen)):
                        following, mass = list(state), Fraction(1)
                        for k, (target, probability) in zip(group, targets, strict=True):
                            following[k] = target
                            mass *= probability
                        spread[tuple(following)] = spread.get(tuple(following), ZERO) + mass
                    result.append((state, spread, earned, group))
                    waiting += spread.keys() - seen
                    seen |= spread.keys()
    return result


def greatest_cost(problem: TripleProblem) -> Fraction | None:
    """The optimum of the linear program with a variable for each move of the product; None if it is infinite."""
    limits = [limit.most for limit in problem.assumed]
    monitors = [problem.monitors[problem.guarantee], *(problem.monitors[limit.monitor] for limit in problem.assumed)]
    systems = [*problem.components, *(monitor.system for monitor in monitors)]
    never = [k for k, most in enumerate(limits, 1) if most == 0]
    moves = joint_moves(systems, [monitor.cost_of() for monitor in monitors], never)
    return most_of_flows(moves, limits, None)


def most_of_flows(
    moves: Sequence[JointMove], limits: Sequence[Fraction], stops: set[tuple[int, ...]] | None
) -> Fraction | None:
    """The greatest first cost of flows that keep the limits of the others; None if it is infinite.

    A flow may end in every state; with ``stops`` in these only, and all of it does. Raises ValueError if there is none.
    """
    import z3

    optimize = z3.Optimize()
    taken = [z3.Real(f"x{k}") for k in range(len(moves))]
    start = moves[0][0] if moves else ()

    def number(value: Fraction) -> z3.ArithRef:
        return z3.RealVal(str(value))

    leaves: dict[tuple[int, ...], list[z3.ArithRef]] = {}
    enters: dict[tuple[int, ...], list[z3.ArithRef]] = {start: [number(Fraction(1))]}
    spent: list[list[z3.ArithRef]] = [[number(ZERO)] for _ in (0, *limits)]
    for variable, (state, spread, earned, _) in zip(taken, moves, strict=True):
        optimize.add(variable >= 0)
        leaves.setdefault(state, []).append(variable)
        for target, probability in spread.items():
            enters.setdefault(target, []).append(variable * number(probability))
        for k, cost in enumerate(earned):
            if cost:
                spent[k].append(variable * number(cost))
    for state in leaves.keys() | enters.keys():
        left, entered = z3.Sum(leaves.get(state, [number(ZERO)])), z3.Sum(enters.get(state, [number(ZERO)]))
        optimize.add(left <= entered if stops is None or state in stops else left == entered)
    for cost, most in zip(spent[1:], limits, strict=True):
        optimize.add(z3.Sum(cost) <= number(most))
    goal = optimize.maximize(z3.Sum(spent[0]))
    if optimize.check() != z3.sat:
        raise ValueError("no flow keeps the limits")
    value = str(optimize.upper(goal))
    return None if "oo" in value else Fraction(value)
