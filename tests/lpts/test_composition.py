"""Composition on arrays against its definition, state by state."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symag.lpts.composition import composed
from symag.lpts.lpts import Lpts
from tests.lpts.strategies import systems

State = tuple[int, ...]
Step = tuple[str, tuple[tuple[State, Fraction], ...], tuple[int, ...]]


def by_definition(components: list[Lpts]) -> dict[State, list[Step]]:
    """The reachable states with their transitions, each with the transitions of the components in it."""
    found: dict[State, list[Step]] = {}
    waiting: list[State] = [(0,) * len(components)]
    labels = sorted({label for each in components for label in each.alphabet[1:]})
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        sets: list[tuple[str, list[int]]] = [("", [k]) for k in range(len(components))]
        sets += [(label, [k for k, each in enumerate(components) if label in each.alphabet]) for label in labels]
        found[state] = []
        for label, moving in sets:
            options = [
                [
                    t
                    for t in range(components[k].transitions)
                    if components[k].source[t] == state[k] and components[k].alphabet[components[k].action[t]] == label
                ]
                for k in moving
            ]
            for chosen in itertools.product(*options):
                found[state].append(step(components, state, label, dict(zip(moving, chosen, strict=True))))
        waiting += [target for _, distribution, _ in found[state] for target, _ in distribution]
    return found


def step(components: list[Lpts], state: State, label: str, moving: dict[int, int]) -> Step:
    parts = [
        components[k].distribution(moving[k]) if k in moving else {state[k]: Fraction(1)}
        for k in range(len(components))
    ]
    distribution: dict[State, Fraction] = {}
    for entry in itertools.product(*(part.items() for part in parts)):
        target = tuple(local for local, _ in entry)
        distribution[target] = distribution.get(target, Fraction(0)) + np.prod([p for _, p in entry])
    return label, tuple(sorted(distribution.items())), tuple(moving.get(k, -1) for k in range(len(components)))


@given(
    st.lists(
        st.sampled_from(["ab", "bc", "ac", "c"]).flatmap(lambda a: systems(actions=a, silent=True)),
        min_size=1,
        max_size=3,
    )
)
def test_composition_is_its_definition(components: list[Lpts]) -> None:
    found = composed(components, "L")
    assert found.lpts.broken_law() is None
    expected = by_definition(components)
    names = [tuple(row) for row in found.local.tolist()]
    assert names[0] == (0,) * len(components)
    assert sorted(names) == sorted(expected)
    assert set(found.lpts.alphabet) == {label for each in components for label in each.alphabet}
    steps: dict[State, list[Step]] = {name: [] for name in names}
    for t in range(found.lpts.transitions):
        distribution = tuple(sorted((names[s], p) for s, p in found.lpts.distribution(t).items()))
        label = found.lpts.alphabet[found.lpts.action[t]]
        steps[names[found.lpts.source[t]]].append((label, distribution, tuple(found.moves[t].tolist())))
    assert {name: sorted(each) for name, each in steps.items()} == {
        name: sorted(each) for name, each in expected.items()
    }


@pytest.mark.long
def test_components_of_100000_states_compose_in_seconds() -> None:
    count = 100_000
    half = Fraction(1, 2)

    def large(seed: int, own: str) -> Lpts:
        """In every state a step of its own and a shared one, each to two of all states."""
        first = np.random.default_rng(seed).integers(0, count - 1, 2 * count)
        second = np.random.default_rng(seed + 1).integers(first + 1, count)
        target = np.stack([first, second], axis=1).reshape(-1)
        source, action = np.repeat(np.arange(count), 2), np.tile([1, 2], count)
        begin = np.arange(2 * count + 1) * 2
        return Lpts(own, ("", own, "tick"), count, source, action, begin, target, np.zeros_like(target), (half,))

    left = large(1, "x")
    clock = Lpts.of("clock", ("", "tick", "a"), 3, [(0, 1, {0: half, 1: half}), (1, 2, {0: half, 2: half})])
    started = time.process_time()
    found = composed([left, clock], "L")
    assert time.process_time() - started < 10
    assert found.lpts.states > 2 * count
    assert found.lpts.broken_law() is None
