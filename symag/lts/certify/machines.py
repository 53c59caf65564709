"""Components, assumptions and properties in the tables of the re-check.

It shares nothing here with the code that composes systems or searches for assumptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from symag.core.errors import CertificationError
from symag.lts.certificates import LabelledAssumption
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Lts
from symag.lts.questions import CompositeQuestion

State = TypeVar("State")

#: The suffix of the second name of an action; no label that is read from a file contains it.
SECOND = "\n"


class Machine(Struct, frozen=True):
    """``steps[s]`` gives for each action its targets; ``silent[s]`` are the targets of tau. State 0 is initial."""

    alphabet: frozenset[str]
    steps: tuple[dict[str, list[int]], ...]
    silent: tuple[tuple[int, ...], ...]


class Judge(Protocol[State]):
    """Reads words and refuses some; all continuations of a refused word are refused.

    ``has_choice``: the states can be compared by ``is_stricter``.
    """

    alphabet: frozenset[str]
    has_choice: bool

    def start(self) -> State:
        """The state after the empty word."""

    def after(self, state: State, label: str) -> State | None:
        """The state after one more action of the alphabet; None if that word is refused."""

    def is_stricter(self, one: State, other: State) -> bool:
        """True only if every word that is refused from ``other`` is refused from ``one`` too."""

    def observers(self) -> tuple[Machine, ...]:
        """The judge as machines that never block, and go to ERROR by refused words; not for a judge with choice."""


class AssumptionJudge:
    """Judges by an assumption; the state is the set of states that it may be in, as the bits of a number."""

    def __init__(self, machine: Machine) -> None:
        self.alphabet = machine.alphabet
        self.machine = machine
        self.has_choice = any(len(targets) > 1 for steps in machine.steps for targets in steps.values())
        self._after: dict[tuple[int, str], int] = {}
        self._before: dict[tuple[str, int], int] = {}

    def start(self) -> int:
        return 1

    def after(self, state: int, label: str) -> int | None:
        key = state, label
        if key not in self._after:
            states = 0
            for state_ in _bits(state):
                for target in self.machine.steps[state_].get(label, ()):
                    states |= 1 << target
            self._after[key] = states
        return self._after[key] or None

    def is_stricter(self, one: int, other: int) -> bool:
        return one & other == one

    def observers(self) -> tuple[Machine, ...]:
        return (self._completed(""),)

    def failing_on_second_names(self) -> Machine:
        """The assumption as a machine that goes to ERROR by the second names of the actions that it refuses."""
        return self._completed(SECOND)

    def _completed(self, suffix: str) -> Machine:
        steps = []
        for allowed in self.machine.steps:
            refused_here = [label for label in self.alphabet if not allowed.get(label)]
            steps.append({**allowed, **{label + suffix: [ERROR] for label in refused_here}})
        alphabet = self.alphabet.union(label + suffix for label in self.alphabet)
        return Machine(alphabet, tuple(steps), self.machine.silent)

    def before(self, label: str, states: int) -> int:
        """The states from which the action can lead to one of these."""
        key = label, states
        if key not in self._before:
            sources = 0
            for index, steps in enumerate(self.machine.steps):
                if any(states >> target & 1 for target in steps.get(label, ())):
                    sources |= 1 << index
            self._before[key] = sources
        return self._before[key]


class PropertyJudge:
    """Judges by the property: by the states of the observing processes; it refuses all ``failures``."""

    has_choice = False

    def __init__(self, observers: Sequence[Machine], failures: frozenset[str]) -> None:
        self._observers = observers
        self._failures = failures
        self.alphabet = failures.union(*(observer.alphabet for observer in observers))

    def start(self) -> tuple[int, ...]:
        return (0,) * len(self._observers)

    def after(self, state: tuple[int, ...], label: str) -> tuple[int, ...] | None:
        if label in self._failures:
            return None
        following = tuple(
            observer.steps[local][label][0] if label in observer.alphabet else local
            for observer, local in zip(self._observers, state, strict=True)
        )
        return None if ERROR in following else following

    def is_stricter(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        return one == other

    def observers(self) -> tuple[Machine, ...]:
        failing = Machine(self._failures, ({label: [ERROR] for label in self._failures},), ((),))
        return (*self._observers, failing)


class SafetyQuestion(Struct, frozen=True):
    """A safety question in the form that the rules need: components, and a property."""

    names: tuple[str, ...]
    components: tuple[Machine, ...]
    safe: PropertyJudge


def for_safety(question: CompositeQuestion) -> None:
    """Raise CertificationError for another question than whether ERROR is reached."""
    if question.kind != "safety":
        raise CertificationError("the certificate is not accepted: assumptions are evidence for safety only")


def safety_question(system: System) -> SafetyQuestion:
    """Whether ERROR can be reached, with components numbered as in certificates.

    Processes that only observe (``property``: deterministic, every action is possible or leads to ERROR) are P. The
    others are components 0, 1, .. in their order. If one has ERROR, it goes to a state that does ``ERROR.name``
    for ever instead, and P refuses that. If P has actions that no component has, or if there are no components, a
    last component with one state can always do those actions.

    Priorities are left out: they only remove runs, so a property that holds without them holds.
    """
    taken = {label for lts in system.components for label in lts.alphabet}
    names, components, observers, failures = [], [], [], set()
    for lts in system.components:
        machine = machine_from(lts)
        if lts.is_property and _observes(machine):
            observers.append(machine)
            continue
        if lts.has_error:
            failure = f"ERROR.{lts.name}"
            while failure in taken:
                failure += "'"
            taken.add(failure)
            failures.add(failure)
            machine = machine_from(lts, failure)
        names.append(lts.name)
        components.append(machine)
    safe = PropertyJudge(observers, frozenset(failures))
    free = safe.alphabet.difference(*(component.alphabet for component in components))
    if free or not components:
        names.append("free")
        components.append(Machine(free, ({label: [0] for label in free},), ((),)))
    return SafetyQuestion(tuple(names), tuple(components), safe)


def lts_of(machine: Machine) -> Lts:
    """The same system as arrays."""
    labels = ("tau", *sorted(machine.alphabet))
    number = {label: index for index, label in enumerate(labels)}
    triples = [(source, 0, target) for source, targets in enumerate(machine.silent) for target in targets]
    for source, steps in enumerate(machine.steps):
        triples += [(source, number[label], target) for label, targets in steps.items() for target in targets]
    return Lts.of("", labels, len(machine.steps), triples)


def offering_twice(machine: Machine, labels: frozenset[str]) -> Machine:
    """The machine with each step by one of its actions among ``labels`` under the action's second name too."""
    mine = machine.alphabet & labels
    steps = tuple(
        {**step, **{label + SECOND: targets for label, targets in step.items() if label in mine}}
        for step in machine.steps
    )
    return Machine(machine.alphabet.union(label + SECOND for label in mine), steps, machine.silent)


def machine_of(assumption: LabelledAssumption) -> Machine:
    """An assumption as a machine in which nothing fails."""
    steps: list[dict[str, list[int]]] = [{} for _ in range(assumption.states)]
    for source, action, target in assumption.transitions:
        steps[source].setdefault(assumption.alphabet[action], []).append(target)
    return Machine(frozenset(assumption.alphabet), tuple(steps), ((),) * assumption.states)


def machine_from(lts: Lts, failure: str | None = None) -> Machine:
    """The system in tables; with a ``failure``, a state that does this action for ever in the place of ERROR."""
    failed = lts.states
    steps: list[dict[str, list[int]]] = [{} for _ in range(lts.states)]
    silent: list[list[int]] = [[] for _ in range(lts.states)]
    for source, action, target in lts.triples():
        if failure is not None and target == ERROR:
            target = failed
        if action == 0:
            silent[source].append(target)
        else:
            steps[source].setdefault(lts.alphabet[action], []).append(target)
    alphabet = frozenset(lts.alphabet[1:])
    if failure is not None:
        steps.append({failure: [failed]})
        silent.append([])
        alphabet |= {failure}
    return Machine(alphabet, tuple(steps), tuple(map(tuple, silent)))


def _bits(number: int) -> list[int]:
    numbers = []
    while number:
        low = number & -number
        numbers.append(low.bit_length() - 1)
        number ^= low
    return numbers


def _observes(machine: Machine) -> bool:
    return not any(machine.silent) and all(
        len(steps.get(label, ())) == 1 for steps in machine.steps for label in machine.alphabet
    )


def check_parts(parts: Sequence[Sequence[int]], components: int) -> None:
    """Accept that each component is in one part, once. Raises CertificationError."""
    if sorted(number for part in parts for number in part) != list(range(components)):
        raise refused(f"its parts do not have each of the {components} components once")


def refused(reason: str) -> CertificationError:
    """The error that a re-check raises."""
    return CertificationError(f"the certificate is not accepted: {reason}")
