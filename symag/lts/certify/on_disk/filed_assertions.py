"""Assertions where the moves do not fit into memory: each atom is a component of two states, and edges are in files.

See ``assertion_chain``. A component of an atom follows the actions and refuses none, so the composition has the truth
of the atom after each action. It has to see every action; so the silent ones of each component get a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lts.certify.assertion_chain import Atom, Chain, MomentGraph, Outcomes, ordered_atoms
from symag.lts.certify.on_disk.filed_edges import FiledEdges, joined
from symag.lts.certify.on_disk.filed_moves import FiledMoves
from symag.lts.certify.sorted_states import Integers, Words
from symag.lts.language.fluents import FluentInstance, Temporal, mentioned
from symag.lts.language.systems import System
from symag.lts.lts import Lts


def filed_outcomes(
    system: System,
    start: Sequence[int],
    formula: Temporal,
    deadline: Deadline,
    stem: Sequence[str],
    room: int | None = None,
) -> Outcomes:
    """As ``outcomes`` in ``assertion_moments``, of the runs from a state on. ``room``: bytes of memory to use.

    Raises CertificationError if ERROR can be reached, MemoryError, DiskExhausted, OutOfTimeError.
    """
    atoms = ordered_atoms(formula)
    truths = [[isinstance(atom, FluentInstance) and atom.initially for atom in atoms]]
    for label in stem:
        truths.append([_after(atom, label, old) for atom, old in zip(atoms, truths[-1], strict=True)])
    watched = _watched(system, atoms, mentioned(formula))
    moves = FiledMoves(watched, [*start, *map(int, truths[-1])], deadline, room, kept=len(atoms))
    if moves.faults.error:
        raise CertificationError("the answer is not accepted: ERROR can be reached, so the assertion is not decided")
    beyond = moves.states
    ends = np.flatnonzero(~moves.acting(moves.labels))
    edges = FiledEdges(_edges(moves, ends, len(stem)), beyond + 1 + len(stem), moves.piece, deadline)
    # The moment after the end, then those of the stem.
    true = [
        np.concatenate([local, [False], np.array([row[k] for row in truths[:-1]], dtype=bool)])
        for k, local in enumerate(moves.local)
    ]
    del moves
    graph = MomentGraph(edges, beyond + 1 if stem else 0, atoms, tuple(true), beyond)
    return Chain(graph, deadline).outcomes(formula)


def _edges(moves: FiledMoves, ends: Integers, stem: int) -> Iterator[Words]:
    """Those of the moves, from the last moment of the stem to state 0, to the moment after ends, and along the stem."""
    beyond = moves.states
    if stem:
        yield joined(np.array([0]), np.array([beyond + stem]))
    yield from moves.edges.pieces()
    yield joined(np.full(len(ends) + 1, beyond), np.append(ends, beyond))
    if stem > 1:
        yield joined(np.arange(beyond + 2, beyond + 1 + stem), np.arange(beyond + 1, beyond + stem))


def _watched(system: System, atoms: Sequence[Atom], read: frozenset[str]) -> System:
    """The system with a component for each atom; a priority ranks silent actions with those that it does not name."""
    components = tuple(_named(lts, f"tau\n{number}") for number, lts in enumerate(system.components))
    labels = sorted(read.union(*(lts.alphabet[1:] for lts in components)))
    watching = tuple(_follower(atom, labels) for atom in atoms)
    return replace(system, components=(*components, *watching))


def _named(lts: Lts, name: str) -> Lts:
    """The component with a name for its silent actions."""
    steps = [(source, action or len(lts.alphabet), target) for source, action, target in lts.triples()]
    return Lts.of(lts.name, (*lts.alphabet, name), lts.states, steps, lts.end, lts.is_property)


def _follower(atom: Atom, labels: Sequence[str]) -> Lts:
    """Its state is the truth of the atom."""
    if isinstance(atom, FluentInstance):
        labels = sorted(atom.initiating | atom.terminating)
    steps = [
        (old, action, int(_after(atom, label, bool(old)))) for action, label in enumerate(labels, 1) for old in (0, 1)
    ]
    return Lts.of("atom", ("tau", *labels), 2, steps)


def _after(atom: Atom, label: str, before: bool) -> bool:
    """The truth of an atom after an action."""
    if isinstance(atom, FluentInstance):
        return label in atom.initiating or (before and label not in atom.terminating)
    return label in atom.actions
