"""The generic n-way circular rule: the assumptions that each premise uses, and the rule simplified by their alphabets.

Premises 1 .. n are ``M_i |= G_i > g_i``, premise n + 1 is ``g_1 || .. || g_n |= P``. The rule is sound for all G_i
that do not contain g_i itself, and complete over the full interface alphabets.

Reference: K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, "Automated Circular Assume-Guarantee
Reasoning with N-way Decomposition and Alphabet Refinement" (CAV 2016), sections 3, 4 and 6.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

GuaranteeSets = tuple[frozenset[int], ...]


def maximal_sets(components: int) -> GuaranteeSets:
    """Every premise may use all the other assumptions."""
    everything = frozenset(range(components))
    return tuple(everything - {index} for index in range(components))


def minimal_sets(interfaces: Sequence[frozenset[str]]) -> GuaranteeSets:
    """Premise i may use the assumptions whose (full) alphabets share an action with that of g_i."""
    return tuple(
        frozenset(other for other, theirs in enumerate(interfaces) if other != index and mine & theirs)
        for index, mine in enumerate(interfaces)
    )


def connected(start: frozenset[str], alphabets: Sequence[frozenset[str]], among: Iterable[int]) -> frozenset[int]:
    """The components of ``among`` that share actions with ``start``, directly or through others."""
    left = set(among)
    reached: set[int] = set()
    frontier = start
    while True:
        near = {component for component in left if alphabets[component] & frontier}
        if not near:
            return frozenset(reached)
        reached |= near
        left -= near
        frontier = frozenset().union(*(alphabets[component] for component in near))


class SimplifiedRule(Struct, frozen=True):
    """The rule for some alphabets: ``used[i]`` is S(G_i), ``final`` is S(G_n+1).

    Only the premises of the members of ``final`` remain; ``closures[i]`` are the closed sets that contain g_i: each
    is a Cl(g_k), or the least closed set with g_i if no closure contains it.
    """

    used: GuaranteeSets
    final: frozenset[int]
    closures: tuple[tuple[frozenset[int], ...], ...]


def simplified(
    sets: GuaranteeSets, alphabets: Sequence[frozenset[str]], final_alphabet: frozenset[str]
) -> SimplifiedRule:
    """``alphabets[i]`` is that of g_i, ``final_alphabet`` the property's. Lemma 2: the premises stay equivalent."""
    used = tuple(connected(alphabets[index], alphabets, allowed) for index, allowed in enumerate(sets))
    final = connected(final_alphabet, alphabets, range(len(sets)))
    groups = {_closed(used, used[component]) for component in final}
    groups |= {
        _closed(used, frozenset((component,))) for component in final if not any(component in group for group in groups)
    }
    ordered = sorted(groups, key=lambda group: (len(group), sorted(group)))
    closures = tuple(tuple(group for group in ordered if index in group) for index in range(len(sets)))
    return SimplifiedRule(used, final, closures)


def _closed(used: GuaranteeSets, start: frozenset[int]) -> frozenset[int]:
    """The least set with these assumptions and those in the premises of all its members."""
    closed = start
    while True:
        larger = closed.union(*(used[component] for component in closed))
        if larger == closed:
            return closed
        closed = larger
