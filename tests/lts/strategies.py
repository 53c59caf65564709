"""Random small labelled transition systems."""

from __future__ import annotations

from hypothesis import strategies as st

from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Lts, reachable

LABELS = ("a", "b", "b.x", "c")


@st.composite
def systems(draw: st.DrawFn, name: str = "P", states: int = 4, errors: bool = True, taus: bool = True) -> Lts:
    """With at most so many states, all reachable, over some of LABELS; perhaps with an end state."""
    labels = draw(st.lists(st.sampled_from(LABELS), unique=True, max_size=3))
    count = draw(st.integers(1, states))
    action = st.integers(0 if taus else 1, len(labels))
    target = st.integers(ERROR if errors else 0, count - 1)
    triples = []
    if labels or taus:
        triples = draw(st.lists(st.tuples(st.integers(0, count - 1), action, target), max_size=3 * count))
    end = draw(st.none() | st.integers(0, count - 1))
    leaving = [triple for triple in triples if triple[0] != end]
    return reachable(Lts.of(name, ("tau", *labels), count, leaving, end))


@st.composite
def observers(draw: st.DrawFn, name: str = "SAFE", states: int = 3) -> Lts:
    """A property as FSP makes them: deterministic, and what it does not allow leads to ERROR."""
    labels = draw(st.lists(st.sampled_from(LABELS), unique=True, min_size=1, max_size=2))
    count = draw(st.integers(1, states))
    triples = [
        (state, action, draw(st.integers(ERROR, count - 1)))
        for state in range(count)
        for action in range(1, len(labels) + 1)
    ]
    return reachable(Lts.of(name, ("tau", *labels), count, triples, is_property=True))


@st.composite
def safety_systems(draw: st.DrawFn, most: int = 5, states: int = 4) -> System:
    """Two to ``most`` components, some of them with ERROR inside, and up to two properties among them."""
    count = draw(st.integers(2, most))
    errors = draw(st.sampled_from((0, 0, 1, 2)))
    components = [draw(systems(f"M{k}", states, errors=k < errors)) for k in range(count)]
    for k in range(draw(st.integers(0, 2))):
        components.insert(draw(st.integers(0, len(components))), draw(observers(f"P{k}")))
    return System("S", tuple(components), None, None, False, frozenset())


@st.composite
def composites(draw: st.DrawFn) -> System:
    """One to three systems without ERROR."""
    components = draw(st.lists(systems(states=4, errors=False), min_size=1, max_size=3))
    return System("S", tuple(components), None, None, False, frozenset())
