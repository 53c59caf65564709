"""Random small labelled transition systems."""

from __future__ import annotations

from hypothesis import strategies as st

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
