"""Random small probabilistic systems, and the plainest definitions to judge algorithms by."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from symag.lpts.lpts import Lpts
from symag.lpts.methods.factored import StochasticTree

ONE = Fraction(1)
SPLITS = tuple(
    tuple(Fraction(part) for part in parts.split())
    for parts in ("1", "1/2 1/2", "1/3 2/3", "1/4 3/4", "1/4 1/4 1/2", "1/3 1/3 1/3", "1/6 1/3 1/2")
)
Moves = Mapping[int, Sequence[tuple[str, Mapping[int, Fraction]]]]


@st.composite
def systems(
    draw: st.DrawFn, states: int = 4, actions: str = "ab", moves: int = 6, reactive: bool = False, silent: bool = False
) -> Lpts:
    """With at most so many states and transitions."""
    count = draw(st.integers(1, states))
    triples: dict[object, tuple[int, int, dict[int, Fraction]]] = {}
    for place in range(draw(st.integers(0, moves))):
        source = draw(st.integers(0, count - 1))
        action = draw(st.integers(0 if silent else 1, len(actions)))
        split = draw(st.sampled_from([split for split in SPLITS if len(split) <= count]))
        targets = draw(st.permutations(range(count)))[: len(split)]
        key = (source, action) if reactive else place
        triples[key] = (source, action, dict(zip(targets, split, strict=True)))
    return Lpts.of("L", ("", *actions), count, triples.values())


def from_moves(moves: Moves, alphabet: Iterable[str] | None = None, states: int = 0) -> Lpts:
    """A system from its moves: state -> [(action, {target: probability})]."""
    labels = sorted({label for each in moves.values() for label, _ in each} - {""}) if alphabet is None else alphabet
    names = ("", *labels)
    triples = [(s, names.index(a), mu) for s, each in moves.items() for a, mu in each]
    count = max([states, *(s + 1 for s in moves), *(t + 1 for _, _, mu in triples for t in mu)])
    return Lpts.of("L", names, count, triples)


def system_of_tree(tree: StochasticTree, system: Lpts) -> Lpts:
    """A tree that runs in a system, as a system whose states are the nodes."""
    triples = [
        (node, int(system.action[taken]), dict(zip(children, system.distribution(taken).values(), strict=True)))
        for node, moves in enumerate(tree.moves)
        for taken, children in moves
    ]
    return Lpts.of("tree", system.alphabet, tree.nodes, triples)


def by_label(system: Lpts) -> dict[int, list[tuple[str, dict[int, Fraction]]]]:
    found: dict[int, list[tuple[str, dict[int, Fraction]]]] = {s: [] for s in range(system.states)}
    for s, a, mu in system.triples():
        found[s].append((system.alphabet[a], mu))
    return found


def lifted(mu: Mapping[int, Fraction], nu: Mapping[int, Fraction], relation: set[tuple[int, int]]) -> bool:
    """Lemma 1, by enumeration: mu(S) <= nu(R(S)) for every subset S of the support of mu.

    If nu's support is smaller: for every subset U of it, mu of the states whose images are in U is at most nu(U).
    """
    images = {s: {t for t in nu if (s, t) in relation} for s in mu}
    if len(nu) < len(mu):
        return all(
            sum(mass for s, mass in mu.items() if images[s] <= chosen) <= sum(nu[t] for t in chosen)
            for size in range(len(nu) + 1)
            for chosen in map(set, itertools.combinations(nu, size))
        )
    for size in range(1, len(mu) + 1):
        for some in itertools.combinations(mu, size):
            reached = {t for s in some for t in images[s]}
            if sum(mu[s] for s in some) > sum((nu[t] for t in reached), Fraction(0)):
                return False
    return True


def coarsest_simulation(left: Lpts, right: Lpts) -> set[tuple[int, int]]:
    """Definition 5 as it stands; the right side completed for the actions that it does not mention."""
    mine, theirs = by_label(left), by_label(right)
    known = set(right.alphabet[1:]) | {label for moves in theirs.values() for label, _ in moves}
    for t, moves in theirs.items():
        missing = {label for each in mine.values() for label, _ in each} - known
        moves.extend((label, {t: ONE}) for label in missing)
    return greatest_simulation(mine, theirs)


def greatest_simulation(mine: Moves, theirs: Moves) -> set[tuple[int, int]]:
    """The fixed point: each move of the first has an answer of the second."""
    relation = {(s, t) for s in mine for t in theirs}
    while True:
        kept = {
            (s, t)
            for s, t in relation
            if all(any(b == a and lifted(mu, nu, relation) for b, nu in theirs[t]) for a, mu in mine[s])
        }
        if kept == relation:
            return relation
        relation = kept


def simulated(left: Lpts, right: Lpts) -> bool:
    return (0, 0) in coarsest_simulation(left, right)


def composed(components: Sequence[Lpts]) -> tuple[Lpts, list[tuple[int, ...]]]:
    """Definition 3, folded over all components; with the local states of each state."""
    moves = [by_label(each) for each in components]
    start = (0,) * len(components)
    number = {start: 0}
    waiting, triples = [start], []
    labels = sorted({label for each in components for label in each.alphabet[1:]})
    while waiting:
        state = waiting.pop(0)
        for label in ("", *labels):
            owners = [k for k, each in enumerate(components) if label in each.alphabet[1:]] if label else []
            groups = [owners] if label else [[k] for k in range(len(components))]
            for group in groups:
                options = [[mu for a, mu in moves[k][state[k]] if a == label] for k in group]
                for chosen in itertools.product(*options):
                    result: dict[int, Fraction] = {}
                    for targets in itertools.product(*(sorted(mu) for mu in chosen)):
                        following, weight = list(state), ONE
                        for k, mu, t in zip(group, chosen, targets, strict=True):
                            following[k] = t
                            weight *= mu[t]
                        key = tuple(following)
                        if key not in number:
                            number[key] = len(number)
                            waiting.append(key)
                        result[number[key]] = weight
                    triples.append((number[state], ("", *labels).index(label), result))
    return Lpts.of("product", ("", *labels), len(number), triples), list(number)


def lossy_channel() -> tuple[Lpts, Lpts, Lpts]:
    """A system in the manner of Figure 1: a sender, a lossy channel, and how often outputs come."""
    sender = from_moves({0: [("input", {1: ONE})], 1: [("send", {2: ONE})], 2: [("ack", {0: ONE})]})
    lost, sent = Fraction(1, 10), Fraction(9, 10)
    channel = from_moves(
        {0: [("send", {1: ONE})], 1: [("output", {2: sent, 3: lost})], 2: [("ack", {0: ONE})]}, states=4
    )
    wanted = from_moves({0: [("input", {1: ONE})], 1: [("output", {0: sent, 2: lost})]})
    return sender, channel, wanted
