"""What the quotient method is about, by enumeration: triples of states as Python sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from symag.lts.lts import ERROR, Lts, completed_with_error, reachable

Triple = tuple[int, int, int]


def moves(m: Lts, n: Lts, prop: Lts, triple: Triple) -> list[Triple | None]:
    """What follows a triple in M || N || P; None is the error."""
    found: list[Triple | None] = []
    labels = {*m.alphabet[1:], *n.alphabet[1:], *prop.alphabet[1:]}
    for label in sorted(labels):
        ends = [_ends(lts, state, label) for lts, state in zip((m, n, prop), triple, strict=True)]
        found += [None if p == ERROR else (i, j, p) for i in ends[0] for j in ends[1] for p in ends[2]]
    i, j, p = triple
    found += [(end, j, p) for source, action, end in m.triples() if (source, action) == (i, 0)]
    found += [(i, end, p) for source, action, end in n.triples() if (source, action) == (j, 0)]
    return found


def _ends(lts: Lts, state: int, label: str) -> list[int]:
    if label not in lts.alphabet[1:]:
        return [state]
    action = lts.alphabet.index(label, 1)
    return [end for source, acting, end in lts.triples() if (source, acting) == (state, action)]


def every_triple(m: Lts, n: Lts, prop: Lts) -> list[Triple]:
    return [(i, j, p) for i in range(m.states) for j in range(n.states) for p in range(prop.states)]


def reached(m: Lts, n: Lts, prop: Lts) -> set[Triple]:
    found: set[Triple] = set()
    waiting: list[Triple] = [(0, 0, 0)]
    while waiting:
        triple = waiting.pop()
        if triple not in found:
            found.add(triple)
            waiting += [each for each in moves(m, n, prop, triple) if each is not None]
    return found


def failing(m: Lts, n: Lts, prop: Lts) -> set[Triple]:
    """The triples, reachable or not, from which the error can be reached."""
    found: set[Triple] = set()
    while True:
        more = {
            triple
            for triple in every_triple(m, n, prop)
            if triple not in found and any(after is None or after in found for after in moves(m, n, prop, triple))
        }
        if not more:
            return found
        found |= more


def satisfies(m: Lts, n: Lts, prop: Lts) -> bool:
    return (0, 0, 0) not in failing(m, n, prop)


def divided(n: Lts, block: Sequence[int]) -> Lts:
    """The quotient of N by the definition."""
    triples = [(block[source], action, block[target]) for source, action, target in n.triples()]
    return Lts.of(n.name, n.alphabet, max(block) + 1, triples)


def by_signature(n: Lts, signature: Callable[[int], object]) -> list[int]:
    number: dict[object, int] = {}
    return [number.setdefault(signature(state), len(number)) for state in range(n.states)]


@st.composite
def problems(draw: st.DrawFn) -> tuple[Lts, Lts, Lts]:
    """M and N without ERROR, mostly with shared actions, and a complete deterministic property."""
    return draw(_processes("M", "m")), draw(_processes("N", "n")), draw(properties())


@st.composite
def _processes(draw: st.DrawFn, name: str, own: str) -> Lts:
    labels = draw(st.sampled_from((("a", "b"), ("a", "b", own), ("b", "a", "c"), ("a", own))))
    count = draw(st.integers(1, 4))
    state = st.integers(0, count - 1)
    chain = [(source, draw(st.integers(1, len(labels))), source + 1) for source in range(count - 1)]
    others = draw(st.lists(st.tuples(state, st.integers(0, len(labels)), state), max_size=2 * count))
    return Lts.of(name, ("tau", *labels), count, [*chain, *others])


@st.composite
def properties(draw: st.DrawFn, states: int = 3) -> Lts:
    labels = draw(st.lists(st.sampled_from(("a", "b", "c")), unique=True, min_size=1, max_size=3))
    count = draw(st.integers(1, states))
    triples = [
        (state, action, target)
        for state in range(count)
        for action in range(1, len(labels) + 1)
        if (target := draw(st.integers(ERROR, count - 1))) != ERROR
    ]
    return completed_with_error(reachable(Lts.of("P", ("tau", *labels), count, triples)))
