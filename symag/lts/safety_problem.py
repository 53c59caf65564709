"""The question that assume-guarantee methods decide: does the composition of some LTSs satisfy one property?

Laws of this file, for every ``SafetyProblem``:

- Components are free of ERROR. Tau and nondeterminism are allowed in them. There is at least one.
- ``property`` is deterministic and without tau, and in each of its states every action of its alphabet has
  exactly one target: ERROR for what it forbids. Its states are reachable. It observes: it blocks nothing.
- Every action of the property is in the alphabet of at least one component.
- A word over visible actions violates if it is a trace of the composition of the components and the property,
  reading the actions of its own alphabet, comes to ERROR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts.certificates import LabelledCertificate
from symag.lts.composition import labels_of
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, TAU, Lts, matches

#: What a property reads is a product of deterministic automata; beyond this many states it is refused.
_MOST_STATES = 1_000_000


class SafetyProblem(Struct, frozen=True, eq=False):
    """``failures`` are fresh actions, one for each component of a system that can come to ERROR by itself.

    ``indices[k]`` is the place of component k in the system that the problem was made of (-1 for ``free``);
    ``observers`` are the properties that ``property`` joins, if they are known.
    """

    components: tuple[Lts, ...]
    property: Lts
    failures: frozenset[str] = frozenset()
    indices: tuple[int, ...] = ()
    observers: tuple[Lts, ...] = ()

    def observed(self, word: Sequence[str]) -> tuple[str, ...]:
        """The word up to its first fresh action: what happens in the system that the problem was made of."""
        end = next((index for index, label in enumerate(word) if label in self.failures), len(word))
        return tuple(word[:end])


def safety_problem(system: System) -> SafetyProblem:
    """Whether ERROR can be reached in the system, as a question about components without ERROR.

    Properties are the processes that forbid and never block (as FSP's ``property`` makes them): they become
    one, their product. Any other component may have ERROR inside: a step there by an action leads to a new
    state instead, which does the fresh action ``ERROR.name`` for ever and nothing else, and the property forbids
    that action. Actions that only properties have can always happen: a last component ``free`` offers them.

    Raises UnsupportedError for a system with priorities: they make components depend on each other.
    """
    if system.priority is not None and _matters(system):
        raise UnsupportedError("priority in an assume-guarantee method")
    observers = [lts for lts in system.components if _only_observes(lts)]
    indices = [index for index, lts in enumerate(system.components) if not _only_observes(lts)]
    taken = set(labels_of(system.components))
    components: list[Lts] = []
    failures: list[str] = []
    for lts in (system.components[index] for index in indices):
        if lts.has_error:
            failures.append(fresh(f"ERROR.{lts.name}", taken))
            taken.add(failures[-1])
            lts = _failing_visibly(lts, failures[-1])
        components.append(replace(lts, is_property=False))
    if failures:
        labels = ("tau", *failures)
        observers.append(Lts.of("ERROR", labels, 1, [(0, action, ERROR) for action in range(1, len(labels))]))
    shared = set(labels_of(components))
    free = [label for label in labels_of(observers) if label not in shared]
    if free or not components:
        indices.append(-1)
        components.append(Lts.of("free", ("tau", *free), 1, [(0, action, 0) for action in range(1, len(free) + 1)]))
    joint = joint_property(observers)
    return SafetyProblem(tuple(components), joint, frozenset(failures), tuple(indices), tuple(observers))


def joint_property(properties: Sequence[Lts]) -> Lts:
    """One property that forbids what any of several forbids; of none, the one that forbids nothing.

    Each is deterministic, without tau, and complete over its alphabet. Cost: the reachable product.
    """
    if len(properties) == 1:
        properties = [replace(properties[0], end=None)]
    alphabet = ("tau", *labels_of(properties))
    tables = [_table(lts) for lts in properties]
    start = (0,) * len(properties)
    number = {start: 0}
    waiting = [start]
    triples = []
    for states in waiting:
        for action, label in enumerate(alphabet[1:], start=1):
            after = tuple(table.get((state, label), state) for table, state in zip(tables, states, strict=True))
            if ERROR not in after and after not in number:
                if len(number) == _MOST_STATES:
                    raise UnsupportedError(f"properties with more than {_MOST_STATES} states together")
                number[after] = len(number)
                waiting.append(after)
            triples.append((number[states], action, ERROR if ERROR in after else number[after]))
    name = " || ".join(lts.name for lts in properties) or "true"
    return Lts.of(name, alphabet, len(number), triples, is_property=True)


def _matters(system: System) -> bool:
    """Whether priorities can take a step away: not if no action is low, or none is high."""
    assert system.priority is not None
    named = [matches(label, system.priority.labels) for label in labels_of(system.components)]
    return any(named)


def _only_observes(lts: Lts) -> bool:
    if not lts.is_property or not lts.is_deterministic():
        return False
    return lts.transitions == lts.states * (len(lts.alphabet) - 1)


def _failing_visibly(lts: Lts, label: str) -> Lts:
    failed, action = lts.states, len(lts.alphabet)
    triples = [(source, move, failed if target == ERROR else target) for source, move, target in lts.triples()]
    return Lts.of(lts.name, (*lts.alphabet, label), lts.states + 1, [*triples, (failed, action, failed)], lts.end)


def _table(lts: Lts) -> dict[tuple[int, str], int]:
    return {(source, lts.alphabet[action]): target for source, action, target in lts.triples() if action != TAU}


def fresh(label: str, taken: set[str]) -> str:
    """The label, with as many primes as make it a new one."""
    while label in taken:
        label += "'"
    return label


@dataclass(frozen=True, slots=True)
class SafetyOutcome:
    """``holds`` with a certificate, ``violated`` with a word, or ``unknown`` with a reason.

    The word consists of visible actions of the problem's components, with as many of the private ones as the method
    knows, and leads to a violation. ``assumptions`` are the last ones before it was found. ``statistics`` has numbers
    under the names of the papers' tables: assumption_states_max, assumption_states, iterations, membership_queries,
    equivalence_queries, refinements, interface_alphabet, assumption_alphabet, largest_lts_states,
    largest_lts_transitions, and others.
    """

    verdict: Verdict
    word: tuple[str, ...] | None = None
    reason: str | None = None
    certificate: LabelledCertificate | None = None
    statistics: Mapping[str, int | float] = field(default_factory=dict)
    assumptions: tuple[Lts, ...] = ()

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.VIOLATED) != (self.word is not None):
            raise ValueError("a word belongs to a violation and to nothing else")
        if (self.verdict is Verdict.UNKNOWN) != (self.reason is not None):
            raise ValueError("a reason belongs to an unknown verdict and to no other")
        if self.certificate is not None and self.verdict is not Verdict.HOLDS:
            raise ValueError("a certificate belongs to what holds")
