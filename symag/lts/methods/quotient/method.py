"""The quotient method: N is replaced by its quotient under an equivalence that preserves the verdict.

    M || N/~ |= P   iff   M || N |= P

The first part is M, all other parts together are N. The equivalence comes from the labels of M's abstraction (see
``environment_refinement``); it is sound after any number of refinement steps. Then the small product decides. If it
violates the property, so does the system, and a word is searched in the whole product, guided by the distances to the
error in the small one.

Reference: B. Finkbeiner, S. Schewe, M. Brill, "Automatic Synthesis of Assumptions for Compositional Model
Checking" (FORTE 2006).
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.grouping import parts
from symag.core.limits import Progress, ProgressFigures
from symag.core.ranges import distinct, ranges
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts.certificates import StateQuotient
from symag.lts.composition import Composition, composed
from symag.lts.lts import ERROR, TAU, Lts, Numbers
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.quotient.environment_refinement import EnvironmentRefinement
from symag.lts.methods.quotient.modal_abstraction import two_processes
from symag.lts.safety_problem import SafetyOutcome, SafetyProblem

#: The part of the time limit that refinement may take; the rest is for the small product.
_SHARE = 0.5

#: By default M with more states is not abstracted: labels for each of its states cost less than as many steps of
#: refinement (mer.lts, 4 users, M of 4096 states: 0.5 s of CPU against more than 30).
_ABSTRACTED = 400


class Replacement(Struct, frozen=True, eq=False):
    """N, the class of each of its states, and the quotient, an LTS over N's alphabet.

    ``local_states[s]`` are the states of the components ``replaced`` in N's state s. ``is_exact``: the refinement has
    reached its end.
    """

    replaced: tuple[int, ...]
    m: Lts
    n: Lts
    local_states: NDArray[np.int32]
    classes: Numbers
    quotient: Lts
    steps: int
    may_edges: int
    must_edges: int
    is_exact: bool


def replacement(
    problem: SafetyProblem, options: LtsOptions, progress: Progress, seconds: float | None = None
) -> Replacement:
    """The quotient after ``options.steps`` steps, after some seconds, or when refinement ends. Raises MemoryError.

    Without abstraction half of the time is for the labels of all states; if it is too short, M is abstracted. Costs
    the compositions of M and of N; then at most |M| - 2 steps of refinement, each at most the product of M's
    abstraction with N and the property.
    """
    started = time.monotonic()
    first, replaced = two_parts(problem, options)
    m, _ = _together(problem.components, first, "M")
    n, local_states = _together(problem.components, replaced, "N")
    abstract = options.abstraction
    if abstract is None:
        abstract = options.steps is not None or m.states <= _ABSTRACTED
    processes = two_processes(m, n, problem.property)
    until = None if seconds is None else started + seconds
    refinement = EnvironmentRefinement(processes, abstract)
    classes = None
    if not abstract:
        with suppress(TimeoutError):
            classes = refinement.classes(None if seconds is None else started + seconds / 2)
        if classes is None:
            progress("no time for a label of every state; abstracting")
            refinement = EnvironmentRefinement(processes)
    is_exact = classes is not None
    if classes is None:
        is_exact = _refined(refinement, options.steps, until, progress)
        classes = refinement.classes()
    return Replacement(
        replaced,
        m,
        n,
        local_states,
        classes,
        divided(n, classes),
        refinement.steps,
        *refinement.modal.forward.count(),
        is_exact,
    )


def _refined(refinement: EnvironmentRefinement, steps: int | None, until: float | None, progress: Progress) -> bool:
    """Refine; return whether the refinement has reached its end, and not the limit of steps or time."""
    try:
        while steps is None or refinement.steps < steps:
            if until is not None and time.monotonic() > until:
                return False
            if not refinement.step(until):
                return True
            line = f"step {refinement.steps}: {refinement.modal.classes} classes of the first part"
            progress(
                ProgressFigures(line, {"steps": refinement.steps, "environment_classes": refinement.modal.classes})
            )
    except TimeoutError:
        pass
    return False


def two_parts(problem: SafetyProblem, options: LtsOptions) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The components of M, the first part, and of N, all others. If there is only one part, it is N and M is empty."""
    first, *others = parts(len(problem.components), options.groups, options.order)
    if not others:
        return (), first
    return first, tuple(sorted(number for part in others for number in part))


def divided(system: Lts, classes: Numbers) -> Lts:
    """The quotient of an LTS without ERROR; class 0 has the initial state."""
    return Lts.of_arrays(
        f"{system.name}/~",
        system.alphabet,
        int(classes.max()) + 1,
        classes[system.source],
        system.action,
        classes[system.target],
    )


def decide(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
    """Whether the composition satisfies the property. Raises MemoryError.

    Costs ``replacement``, and the composition of M with N's quotient and the property.
    """
    limit = None if options.seconds is None else _SHARE * options.seconds
    smaller = replacement(problem, options, progress, limit)
    progress("checking the system with the quotient")
    small = composed((smaller.m, smaller.quotient, problem.property), "M || N/~ || P")
    largest = max((smaller.m, smaller.n, small.lts), key=lambda lts: (lts.states, lts.transitions))
    statistics = {
        "assumption_states": smaller.quotient.states,
        "assumption_states_max": smaller.quotient.states,
        "assumption_alphabet": len(smaller.quotient.alphabet) - 1,
        "assumption_transitions": smaller.quotient.transitions,
        "replaced_states": smaller.n.states,
        "environment_states": smaller.m.states,
        "steps": smaller.steps,
        "exact": int(smaller.is_exact),
        "may_edges": smaller.may_edges,
        "must_edges": smaller.must_edges,
        "product_states": small.lts.states,
        "product_transitions": small.lts.transitions,
        "largest_lts_states": largest.states,
        "largest_lts_transitions": largest.transitions,
    }
    if len(small.violations) == 0:
        states = zip(smaller.local_states.tolist(), smaller.classes.tolist(), strict=True)
        certificate = StateQuotient(smaller.replaced, tuple((tuple(local), number) for local, number in states))
        return SafetyOutcome(Verdict.HOLDS, certificate=certificate, statistics=statistics)
    progress("searching a word that violates the property")
    word = shortest_word((smaller.m, smaller.n, problem.property), small, smaller.classes)
    statistics["word_length"] = len(word)
    return SafetyOutcome(Verdict.VIOLATED, word, statistics=statistics, assumptions=(smaller.quotient,))


def _together(components: Sequence[Lts], numbers: Sequence[int], name: str) -> tuple[Lts, NDArray[np.int32]]:
    """The composition of some components without end states, so that no states are merged."""
    if not numbers:
        return Lts(name, ("tau",), 1), np.zeros((1, 0), dtype=np.int32)
    composition = composed([replace(components[number], end=None) for number in numbers], name)
    return composition.lts, composition.local_states


_Triple = tuple[int, int, int]


def shortest_word(processes: tuple[Lts, Lts, Lts], small: Composition, classes: Numbers) -> tuple[str, ...]:
    """The visible actions of a shortest run of the three processes M, N and P to ERROR; there is one.

    A* search: the distance to ERROR with N's quotient is a lower bound of the real one, because the quotient only has
    more runs; so the first run to ERROR is a shortest one.

    ``small`` is the composition of M, N's quotient and P, and ``classes`` the class of each state of N. Costs at worst
    the whole product, mostly the states near shortest runs.
    """
    distance = dict(zip(map(tuple, small.local_states.tolist()), distances_to_error(small.lts).tolist(), strict=True))
    block = classes.tolist()
    outgoing = [_by_label(lts) for lts in processes]
    owned = [frozenset(lts.alphabet[1:]) for lts in processes]
    start: _Triple = (0, 0, 0)
    reached: dict[_Triple, tuple[int, tuple[_Triple, str] | None]] = {start: (0, None)}
    order = itertools.count()
    waiting = [(distance[start], next(order), start)]
    done: set[_Triple] = set()
    while waiting:
        _, _, triple = heapq.heappop(waiting)
        if triple in done:
            continue
        done.add(triple)
        length = reached[triple][0] + 1
        for label, after in _moves(outgoing, owned, triple):
            if after[2] == ERROR:
                return _word(reached, triple, label)
            left = distance[(after[0], block[after[1]], after[2])]
            if left >= 0 and (after not in reached or length < reached[after][0]):
                reached[after] = length, (triple, label)
                heapq.heappush(waiting, (length + left, next(order), after))
    raise AssertionError("the quotient violates the property, the system does not: the equivalence is wrong")


def distances_to_error(lts: Lts) -> Numbers:
    """The length of a shortest path to ERROR from each state, -1 if there is none."""
    distances = np.full(lts.states, -1, dtype=np.int64)
    order = np.argsort(lts.target, kind="stable")
    source, target = lts.source[order], lts.target[order]
    frontier, length = np.array([ERROR]), 0
    while len(frontier):
        length += 1
        low, high = np.searchsorted(target, frontier), np.searchsorted(target, frontier, side="right")
        before = distinct(source[ranges(low, high)])
        frontier = before[distances[before] < 0]
        distances[frontier] = length
    return distances


def _by_label(lts: Lts) -> list[dict[str, list[int]]]:
    steps: list[dict[str, list[int]]] = [{} for _ in range(lts.states)]
    for source, action, target in lts.triples():
        steps[source].setdefault("" if action == TAU else lts.alphabet[action], []).append(target)
    return steps


def _moves(
    outgoing: Sequence[list[dict[str, list[int]]]], owned: Sequence[frozenset[str]], triple: _Triple
) -> list[tuple[str, _Triple]]:
    """The possible moves; a silent one has the empty label. The error is ERROR of the property."""
    steps: list[tuple[str, _Triple]] = []
    here = [moves[state] for moves, state in zip(outgoing, triple, strict=True)]
    for label in sorted(set().union(*here)):
        if label == "":
            continue
        choices = [
            moves.get(label, ()) if label in labels else (state,)
            for moves, labels, state in zip(here, owned, triple, strict=True)
        ]
        steps.extend((label, (m, n, p)) for m, n, p in itertools.product(*choices))
    steps.extend(("", (m, triple[1], triple[2])) for m in here[0].get("", ()))
    steps.extend(("", (triple[0], n, triple[2])) for n in here[1].get("", ()))
    return steps


def _word(
    reached: dict[_Triple, tuple[int, tuple[_Triple, str] | None]], triple: _Triple, last: str
) -> tuple[str, ...]:
    labels = [last]
    while (before := reached[triple][1]) is not None:
        triple, label = before
        labels.append(label)
    return tuple(label for label in reversed(labels) if label)
