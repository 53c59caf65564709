"""Weak-safety formulas of pCTL: which states violate one, and trees that show it.

A liveness formula that is true of a state is true of a finite tree that the state can run: a probability that
exceeds a bound does so after finitely many steps already. And what is true of the tree is true of every system
that simulates it, so trees are counterexamples here as they are to simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from symag.core.limits import MemoryExhausted, Progress, no_progress
from symag.lpts.lpts import Lpts
from symag.lpts.methods.factored import Move, StochasticTree
from symag.lpts.problems import Liveness, is_label, subformulas

_MOST_NODES = 1_000_000
_ONE, _ZERO = Fraction(1), Fraction(0)

#: The duty of a node of a tree: a formula to satisfy, and for ``until`` the number of steps (-1: no bound).
_Duty = tuple[Liveness, int]


class SatisfyingStates(Struct, frozen=True):
    """Per sub-formula the states that satisfy it; for ``until`` also the maximal probabilities."""

    states: dict[Liveness, frozenset[int]]
    values: dict[Liveness, list[Fraction]]


def choices_of(system: Lpts) -> Choices:
    """The distributions of each state, in the order of its transitions.

    Those of the self-loops for labels, which are not steps, are empty: they reach nothing.
    """
    labels = [is_label(action) for action in system.alphabet]
    choices: list[list[dict[int, Fraction]]] = [[] for _ in range(system.states)]
    for source, action, distribution in system.triples():
        choices[source].append({} if labels[action] else distribution)
    return choices


def satisfied(system: Lpts, formula: Liveness, progress: Progress = no_progress) -> SatisfyingStates:
    """The states that satisfy each sub-formula, exactly."""
    choices = choices_of(system)
    states: dict[Liveness, frozenset[int]] = {}
    values: dict[Liveness, list[Fraction]] = {}
    everything = frozenset(range(system.states))
    for subformula in subformulas(formula):
        operands = [states[operand] for operand in subformula.operands]
        match subformula.operator:
            case "true":
                states[subformula] = everything
            case "false":
                states[subformula] = frozenset()
            case "possible":
                states[subformula] = _possible(system, subformula.action)
            case "and":
                states[subformula] = operands[0] & operands[1]
            case "or":
                states[subformula] = operands[0] | operands[1]
            case "next":
                states[subformula] = frozenset(
                    s for s in everything if any(_mass(mu, operands[0]) > subformula.bound for mu in choices[s])
                )
            case "until":
                values[subformula] = maximal_probabilities(choices, operands[0] - operands[1], operands[1], progress)
                states[subformula] = frozenset(s for s in everything if values[subformula][s] > subformula.bound)
    return SatisfyingStates(states, values)


def _possible(system: Lpts, action: str) -> frozenset[int]:
    if action not in system.alphabet:
        return frozenset()
    number = system.alphabet.index(action)
    return frozenset(system.source[system.action == number].tolist())


def _mass(mu: Distribution, states: frozenset[int]) -> Fraction:
    return sum((p for target, p in mu.items() if target in states), _ZERO)


def witness(system: Lpts, formula: Liveness, satisfying: SatisfyingStates) -> StochasticTree:
    """A tree that state 0 can run and that satisfies the formula, which state 0 must satisfy.

    Of several such trees, the one with the fewest steps. Raises MemoryExhausted for more than a million nodes.
    """
    return _Growing(system, formula, satisfying).tree()


class _Growing:
    def __init__(self, system: Lpts, formula: Liveness, satisfying: SatisfyingStates) -> None:
        self._system = system
        self._formula = formula
        self._known = satisfying
        self._choices = choices_of(system)
        self._first = system.offsets().tolist()
        self._within: dict[Liveness, list[list[Fraction]]] = {}

    def tree(self) -> StochasticTree:
        states = [0]
        duties: list[list[_Duty]] = [[(self._formula, -1)]]
        moves: list[tuple[Move, ...]] = []
        while len(moves) < len(states):
            of_node: dict[int, dict[int, list[_Duty]]] = {}
            state = states[len(moves)]
            for formula, steps in duties[len(moves)]:
                self._ask(state, formula, steps, of_node)
            mine: list[Move] = []
            for choice in sorted(of_node):
                support = sorted(self._system.distribution(self._first[state] + choice))
                mine.append((self._first[state] + choice, tuple(range(len(states), len(states) + len(support)))))
                states += support
                duties += [list(dict.fromkeys(of_node[choice].get(target, ()))) for target in support]
            moves.append(tuple(mine))
            if len(states) > _MOST_NODES:
                raise MemoryExhausted
        return StochasticTree(tuple(states), tuple(moves))

    def _ask(self, state: int, formula: Liveness, steps: int, duties: dict[int, dict[int, list[_Duty]]]) -> None:
        """Choose moves by which the state satisfies the formula, and what their targets then have to satisfy."""
        true = self._known.states
        match formula.operator:
            case "possible":
                number = self._system.alphabet.index(formula.action)
                duties.setdefault(self._moves_by(state, number)[0], {})
            case "and":
                for operand in formula.operands:
                    self._ask(state, operand, -1, duties)
            case "or":
                operand = next(operand for operand in formula.operands if state in true[operand])
                self._ask(state, operand, -1, duties)
            case "next":
                (operand,) = formula.operands
                choice = self._best(state, lambda t: _ONE if t in true[operand] else _ZERO)
                for target in self._choices[state][choice]:
                    if target in true[operand]:
                        duties.setdefault(choice, {}).setdefault(target, []).append((operand, -1))
            case "until":
                self._ask_until(state, formula, steps, duties)

    def _ask_until(self, state: int, formula: Liveness, steps: int, duties: dict[int, dict[int, list[_Duty]]]) -> None:
        before, goal = formula.operands
        if state in self._known.states[goal]:
            self._ask(state, goal, -1, duties)
            return
        values = self._values_within(formula, state) if steps < 0 else self._within[formula]
        left = steps if steps >= 0 else next(k for k, value in enumerate(values) if value[state] > formula.bound)
        self._ask(state, before, -1, duties)
        nearer = values[left - 1]
        choice = self._best(state, lambda t: nearer[t])
        for target in self._choices[state][choice]:
            if nearer[target]:
                duties.setdefault(choice, {}).setdefault(target, []).append((formula, left - 1))

    def _values_within(self, formula: Liveness, state: int) -> list[list[Fraction]]:
        """Maximal probabilities within 0, 1, 2, .. steps, until that of the state exceeds the bound."""
        before, goal = (self._known.states[operand] for operand in formula.operands)
        rounds = self._within.setdefault(formula, [[_ONE if s in goal else _ZERO for s in range(self._system.states)]])
        while not any(values[state] > formula.bound for values in rounds):
            last = rounds[-1]
            following = list(last)
            for s in before - goal:
                following[s] = max((_expected(mu, last) for mu in self._choices[s]), default=_ZERO)
            if len(rounds) * self._system.states > 50 * _MOST_NODES:
                raise MemoryExhausted
            rounds.append(following)
        return rounds

    def _moves_by(self, state: int, action: int) -> list[int]:
        first = self._first[state]
        actions = self._system.action[first : self._first[state + 1]].tolist()
        return [index for index, mine in enumerate(actions) if mine == action]

    def _best(self, state: int, value: Callable[[int], Fraction]) -> int:
        sums = [sum((p * value(t) for t, p in mu.items()), _ZERO) for mu in self._choices[state]]
        return max(range(len(sums)), key=lambda index: (sums[index], -index))


def _expected(mu: Distribution, values: Sequence[Fraction]) -> Fraction:
    return sum((p * values[t] for t, p in mu.items() if values[t]), _ZERO)


Distribution = Mapping[int, Fraction]
#: Per state the distributions that it can choose among.
Choices = Sequence[Sequence[Distribution]]

_ONE, _ZERO = Fraction(1), Fraction(0)


def maximal_probabilities(
    choices: Choices, through: Collection[int], goal: Collection[int], progress: Progress
) -> list[Fraction]:
    """Per state the supremum, over schedulers, of the probability of reaching the goal through those states.

    The policy begins with moves that come nearer to the goal and changes only where that is a strict gain, so that it
    never stays on a cycle; each policy is evaluated exactly by eliminating states. Memory and time can grow with the
    square of the states on cycles.
    """
    policy = _first_policy(choices, through, goal)
    while True:
        values = _evaluated(choices, policy, goal, len(choices))
        changed = 0
        for state in policy:
            best = values[state]
            for number, distribution in enumerate(choices[state]):
                value = sum((p * values[t] for t, p in distribution.items()), _ZERO)
                if value > best:
                    best, policy[state] = value, number
                    changed += 1
        progress(f"policy iteration: {changed} of {len(policy)} states choose better")
        if not changed:
            return values


def _first_policy(choices: Choices, through: Collection[int], goal: Collection[int]) -> dict[int, int]:
    """For the states that can reach the goal but are not in it: a choice that comes nearer to it."""
    sources: dict[int, list[tuple[int, int]]] = {}
    for state in through:
        for number, distribution in enumerate(choices[state]):
            for target in distribution:
                sources.setdefault(target, []).append((state, number))
    number_of: dict[int, int] = {}
    frontier = sorted(goal)
    reached = set(frontier)
    while frontier:
        following = []
        for target in frontier:
            for state, number in sources.get(target, ()):
                if state not in reached:
                    reached.add(state)
                    number_of[state] = number
                    following.append(state)
        frontier = sorted(following)
    return number_of


def _evaluated(choices: Choices, policy: Mapping[int, int], goal: Collection[int], states: int) -> list[Fraction]:
    """The probabilities under a policy: x = A x + b, states eliminated one by one, those with few neighbours first."""
    inside = set(goal)
    rows: dict[int, dict[int, Fraction]] = {}
    constant: dict[int, Fraction] = {}
    users: dict[int, set[int]] = {state: set() for state in policy}
    for state, number in policy.items():
        distribution = choices[state][number]
        rows[state] = {target: p for target, p in distribution.items() if target in policy}
        constant[state] = sum((p for target, p in distribution.items() if target in inside), _ZERO)
        for target in rows[state]:
            users[target].add(state)
    order = sorted(policy, key=lambda state: (len(users[state]) * len(rows[state]), state))
    eliminated: list[int] = []
    for state in order:
        row = rows[state]
        stay = row.pop(state, _ZERO)
        if stay:
            users[state].discard(state)
            factor = 1 / (1 - stay)
            constant[state] *= factor
            for target in row:
                row[target] *= factor
        for user in sorted(users[state]):
            share = rows[user].pop(state)
            constant[user] += share * constant[state]
            for target, p in row.items():
                rows[user][target] = rows[user].get(target, _ZERO) + share * p
                users[target].add(user)
        for target in row:
            users[target].discard(state)
        eliminated.append(state)
    values = [_ZERO] * states
    for state in inside:
        values[state] = _ONE
    for state in reversed(eliminated):
        values[state] = constant[state] + sum((p * values[t] for t, p in rows[state].items()), _ZERO)
    return values
