"""Evidence about labelled transition systems, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class LabelledAssumption:
    """An automaton over visible actions, all of whose states accept: its language is prefix-closed.

    State 0 is initial. ``transitions`` are triples (state, index into ``alphabet``, state), sorted, each once.
    Several states for one action, and none, are allowed.
    """

    alphabet: tuple[str, ...]
    states: int
    transitions: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class LabelledAssumptions:
    """A safety problem over labelled transition systems holds: assumptions, and the rule that they instantiate.

    ``parts`` are the numbers of the components that make up each part; every component is in exactly one.
    An assumption restricts the actions of its alphabet and no others. Part k, M_k, is the composition of its
    components, with tau, and P the property.

    rule-1: two parts, one assumption A. Premises: A || M_0 |= P; the words of M_1, in A's alphabet, are A's.
    rule-3: n parts, n - 1 assumptions A_0 .. A_n-2. Premises: A_0 || M_0 |= P; the words of A_k || M_k, in
    A_k-1's alphabet, are A_k-1's, for k = 1 .. n - 2; the words of M_n-1, in A_n-2's alphabet, are A_n-2's.
    circular: n parts, one assumption each, ``guarantees[i]`` the numbers of the assumptions that premise i uses
    (never i itself). Premise i: if a word s.a (a is its last action) is one of M_i, and s, in their alphabets, is
    one of A_i and of all assumptions of ``guarantees[i]``, then s.a is one of A_i. Last premise:
    A_0 || .. || A_n-1 |= P.
    """

    rule: Literal["rule-1", "rule-3", "circular"]
    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[LabelledAssumption, ...]
    guarantees: tuple[tuple[int, ...], ...] = ()
    kind: str = "labelled-assumptions"


@dataclass(frozen=True, slots=True)
class ExplorationClaim:
    """Nothing but the claim: who explores all reachable states again finds that the property holds."""

    kind: str = "exploration"


@dataclass(frozen=True, slots=True)
class StateQuotient:
    """A safety problem over labelled transition systems holds, for it does with a part of it made smaller.

    ``replaced`` are the numbers of the components that make up N, the others M. ``classes`` gives, for every
    state (the states of these components, in this order) that N reaches by itself, the number of its class.
    N/~ has the classes as states, and from class to class every transition between members, tau included, so
    every word of N is one of it. Premise: M || N/~ |= P.
    """

    replaced: tuple[int, ...]
    classes: tuple[tuple[tuple[int, ...], int], ...]
    kind: str = "state-quotient"


LabelledCertificate = LabelledAssumptions | StateQuotient | ExplorationClaim
"""What certify re-checks for labelled transition systems."""
