"""Operations on labelled transition systems, one state at a time: what the arrays have to agree with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symag.lts.lts import ERROR, TAU, Lts

_Signature = tuple[int, frozenset[tuple[int, int]]]


def reachable(system: Lts) -> Lts:
    """Only the states that can be reached, numbered in the order of a depth-first search."""
    successors = system.successors()
    number: dict[int, int] = {}
    stack = [0]
    while stack:
        state = stack.pop()
        if state in number or state == ERROR:
            continue
        number[state] = len(number)
        stack.extend(target for _, target in reversed(successors[state]))
    number[ERROR] = ERROR
    triples = [
        (number[source], action, number[target]) for source, action, target in system.triples() if source in number
    ]
    end = None if system.end is None else number.get(system.end)
    return Lts.of(system.name, system.alphabet, len(number) - 1, triples, end, system.is_property)


def renamed(system: Lts, labels: Sequence[Sequence[str]]) -> Lts:
    """Action k becomes every label of ``labels[k]`` (k from 1); what has no label becomes tau.

    Labels that several actions get become one action.
    """
    alphabet = ["tau"]
    number = {"tau": TAU}
    for each in labels[1:]:
        for label in each:
            if label not in number:
                number[label] = len(alphabet)
                alphabet.append(label)
    images = [[TAU], *([number[label] for label in each] or [TAU] for each in labels[1:])]
    triples = [(source, image, target) for source, action, target in system.triples() for image in images[action]]
    return Lts.of(system.name, alphabet, system.states, triples, system.end, system.is_property)


def completed_with_error(system: Lts) -> Lts:
    """A property: what a state does not allow leads to ERROR. The system is deterministic and without tau."""
    enabled = set(zip(system.source.tolist(), system.action.tolist(), strict=True))
    missing = [
        (state, action, ERROR)
        for state in range(system.states)
        for action in range(1, len(system.alphabet))
        if (state, action) not in enabled
    ]
    return Lts.of(system.name, system.alphabet, system.states, [*system.triples(), *missing], None, True)


def tau_closure(system: Lts) -> list[frozenset[int]]:
    """Per state all states that tau alone leads to, itself and perhaps ERROR among them."""
    direct: list[list[int]] = [[] for _ in range(system.states)]
    for source, action, target in system.triples():
        if action == TAU:
            direct[source].append(target)
    found: list[frozenset[int]] = []
    for state in range(system.states):
        if not direct[state]:
            found.append(frozenset((state,)))
            continue
        reached = {state}
        stack = [state]
        while stack:
            for target in direct[stack.pop()]:
                if target not in reached:
                    reached.add(target)
                    if target != ERROR:
                        stack.append(target)
        found.append(frozenset(reached))
    return found


def saturated(system: Lts) -> list[frozenset[tuple[int, int]]]:
    """Per state the pairs (action, target) of ``tau* action tau*``, and (tau, target) of ``tau*``."""
    closure = tau_closure(system)
    successors = system.successors()

    def ends(target: int) -> frozenset[int]:
        return frozenset((ERROR,)) if target == ERROR else closure[target]

    single = [
        frozenset((action, end) for action, target in successors[state] if action != TAU for end in ends(target))
        for state in range(system.states)
    ]
    return [
        frozenset((TAU, end) for end in closure[state]).union(*(single[via] for via in closure[state] if via != ERROR))
        for state in range(system.states)
    ]


def minimised(system: Lts) -> Lts:
    """The quotient by weak bisimulation. As many rounds of refinement as the classes need."""
    marked = system.states  # as if the state that has ended had an action of its own
    moves = saturated(system)
    ended = {state for state in range(system.states) if system.end is not None and (TAU, system.end) in moves[state]}
    block = [0] * system.states
    count = 1
    while True:
        signatures: dict[_Signature, int] = {}
        following = []
        for state in range(system.states):
            seen = {(action, ERROR if target == ERROR else block[target]) for action, target in moves[state]}
            if state in ended:
                seen.add((-1, marked))
            following.append(signatures.setdefault((block[state], frozenset(seen)), len(signatures)))
        block = following
        if len(signatures) == count:
            break
        count = len(signatures)
    triples = [
        (block[source], action, ERROR if target == ERROR else block[target])
        for source, action, target in system.triples()
    ]
    proper = [(s, a, t) for s, a, t in triples if a != TAU or s != t]
    end = None if system.end is None else block[system.end]
    return Lts.of(system.name, system.alphabet, count, proper, end, system.is_property)


def determinised(system: Lts) -> Lts:
    """A deterministic system without tau with the same traces, minimal unless it was one already.

    A trace that may lead to ERROR does.
    """
    if system.is_deterministic():
        return system
    moves = saturated(system)
    start = frozenset((0,))
    number = {start: 0}
    triples: list[tuple[int, int, int]] = []
    waiting = [start]
    for states in waiting:
        targets: dict[int, set[int]] = {}
        for state in sorted(states):
            for action, target in moves[state]:
                if action != TAU:
                    targets.setdefault(action, set()).add(target)
        for action, found in sorted(targets.items()):
            if ERROR in found:
                triples.append((number[states], action, ERROR))
                continue
            following = frozenset(found)
            if following not in number:
                number[following] = len(number)
                waiting.append(following)
            triples.append((number[states], action, number[following]))
    end = None if system.end is None else number.get(frozenset((system.end,)))
    return minimised(Lts.of(system.name, system.alphabet, len(number), triples, end, system.is_property))


def without_needless_tau(system: Lts) -> Lts:
    """A state that tau alone leaves is left out: what leads to it leads to where its taus lead.

    The initial state stays, and what is left is reachable. ``a -> (tau -> P | tau -> Q)`` becomes ``a -> P | a -> Q``,
    which is not weakly bisimilar; LTSA does this before it minimises a composite.
    """
    while True:
        successors = [
            [(action, target) for action, target in outgoing if (action, target) != (TAU, state)]
            for state, outgoing in enumerate(system.successors())
        ]
        passing = {
            state
            for state in range(1, system.states)
            if successors[state] and all(action == TAU for action, _ in successors[state])
        }
        if not passing:
            return Lts.of(
                system.name, system.alphabet, system.states, _triples(successors), system.end, system.is_property
            )
        triples: set[tuple[int, int, int]] = set()
        for state in range(system.states):
            for action, target in successors[state]:
                if target in passing and state not in passing:
                    triples.update((state, action, after) for _, after in successors[target])
                else:
                    triples.add((state, action, target))
        smaller = reachable(_with(system, triples))
        if smaller.states == system.states:
            return smaller
        system = smaller


def _triples(successors: list[list[tuple[int, int]]]) -> list[tuple[int, int, int]]:
    return [(state, action, target) for state, outgoing in enumerate(successors) for action, target in outgoing]


def _with(system: Lts, triples: Iterable[tuple[int, int, int]]) -> Lts:
    return Lts.of(system.name, system.alphabet, system.states, triples, system.end, system.is_property)


def strongly_minimised(system: Lts) -> Lts:
    """The quotient by strong bisimulation."""
    successors = system.successors()
    block = [int(state == system.end) for state in range(system.states)]
    while True:
        signatures: dict[object, int] = {}
        following = []
        for state, moves in enumerate(successors):
            seen = frozenset((action, target if target == ERROR else block[target]) for action, target in moves)
            following.append(signatures.setdefault((block[state], seen), len(signatures)))
        if following == block:
            break
        block = following
    triples = [(block[s], a, t if t == ERROR else block[t]) for s, a, t in system.triples()]
    end = None if system.end is None else block[system.end]
    return Lts.of(system.name, system.alphabet, max(block) + 1, triples, end, system.is_property)
