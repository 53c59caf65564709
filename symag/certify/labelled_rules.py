"""Re-check of assumptions for labelled transition systems, premise by premise.

It reads the components and the certificate, and explores each premise by itself, on the fly, with tables of
its own; no code that composes systems or searches for assumptions is shared with it.

Words are finite sequences of visible actions, in every premise over all actions of the system; w/X is w without
the actions that are not in X. A word w is one of a part M_k if w/alphabet(M_k) is a trace of it, one of an
assumption A if w/alphabet(A) is in its language. Both sets are prefix-closed, and (Lemma 1 of circular-nway-2016) w
is a trace of the system exactly if it is one of every part: the parts are all its components.

rule-1 and rule-3 (agar-lts-2008, rules 1 and 3). Let w be a trace of the system. It is one of M_n-1, so by the
last premise one of A_n-2; it is one of M_n-2 too, so by the premise before one of A_n-3; and so on to A_0. It
is one of M_0 as well, so by the first premise P allows it.

circular (circular-nway-2016, Theorem 1 and Definition 3). To show: every trace w of the system is one of every A_i;
then the last premise says that P allows it. By induction on the length of w: the empty word is one of every A_i.
Let w = s.a, and s be one of every A_j. If a is not in A_i's alphabet then w is one of A_i, as s is. If it is:
w is one of M_i, and s is one of all assumptions in G_i and of A_i, so premise i says that w is one of A_i. That
only s, not s.a, need be allowed by G_i is what makes room for the circle: A_i is owed for one step more than the
others have been granted, so no two can excuse each other. The exploration therefore asks in every state about every
action that M_i can do next, whether or not the assumptions of G_i can.

Nothing is asked of the alphabets: an action that the right side of a premise has, and nothing on its left, may
happen there at any time, which makes the premise only harder to satisfy.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from symag.certificates import LabelledAssumption, LabelledAssumptions
from symag.certify.deadlines import Deadline
from symag.errors import CertificationError
from symag.lts.composites import System
from symag.lts.lts import ERROR, Lts


@dataclass(frozen=True, slots=True)
class Machine:
    """``steps[s]`` gives for each action its targets; ``silent[s]`` are the targets of tau. State 0 is initial."""

    alphabet: frozenset[str]
    steps: tuple[dict[str, list[int]], ...]
    silent: tuple[tuple[int, ...], ...]


class Judge(Protocol):
    """Reads words and refuses some, for ever once it has refused."""

    alphabet: frozenset[str]

    def start(self) -> object:
        """The state in which nothing has been read."""

    def after(self, state: object, label: str) -> object | None:
        """The state after one more action of the alphabet; None if that word is refused."""


class Allowed:
    """Judges by an assumption: by all states that it may be in."""

    def __init__(self, machine: Machine) -> None:
        self.alphabet = machine.alphabet
        self._steps = machine.steps

    def start(self) -> object:
        return frozenset((0,))

    def after(self, state: object, label: str) -> object | None:
        assert isinstance(state, frozenset)
        return frozenset(target for each in state for target in self._steps[each].get(label, ())) or None


class Safe:
    """Judges by the property: by the state of each process that observes, and by failures, all of which it refuses."""

    def __init__(self, observers: Sequence[Machine], failures: frozenset[str]) -> None:
        self._observers = observers
        self._failures = failures
        self.alphabet = failures.union(*(each.alphabet for each in observers))

    def start(self) -> object:
        return (0,) * len(self._observers)

    def after(self, state: object, label: str) -> object | None:
        assert isinstance(state, tuple)
        if label in self._failures:
            return None
        following = tuple(
            each.steps[local][label][0] if label in each.alphabet else local
            for each, local in zip(self._observers, state, strict=True)
        )
        return None if ERROR in following else following


@dataclass(frozen=True, slots=True)
class SafetyQuestion:
    """A safety question in the form that the rules speak of."""

    names: tuple[str, ...]
    components: tuple[Machine, ...]
    safe: Safe


def safety_question(system: System) -> SafetyQuestion:
    """Whether ERROR can be reached, for components that are numbered as certificates do it.

    Processes that observe only (``property``: deterministic, everything is allowed or leads to ERROR) are P. The
    others are components 0, 1, .. in their order; where one has ERROR, it goes to a state that does
    ``ERROR.name`` for ever instead, and P refuses that. If P has actions that no component has, or there is
    no component at all, a last one is in one state and can always do those.
    """
    if system.priority is not None and any(
        _is_named(label, system.priority.labels) for lts in system.components for label in lts.alphabet[1:]
    ):
        raise _refused("the rules are for systems without priorities")
    taken = {label for lts in system.components for label in lts.alphabet}
    names, components, observers, failures = [], [], [], set()
    for lts in system.components:
        machine = _machine(lts, None)
        if lts.is_property and _observes(machine):
            observers.append(machine)
            continue
        if lts.has_error:
            failure = f"ERROR.{lts.name}"
            while failure in taken:
                failure += "'"
            taken.add(failure)
            failures.add(failure)
            machine = _machine(lts, failure)
        names.append(lts.name)
        components.append(machine)
    safe = Safe(observers, frozenset(failures))
    free = safe.alphabet.difference(*(each.alphabet for each in components))
    if free or not components:
        names.append("free")
        components.append(Machine(free, ({label: [0] for label in free},), ((),)))
    return SafetyQuestion(tuple(names), tuple(components), safe)


def component_names(system: System) -> tuple[str, ...]:
    """The components that the numbers of a certificate's parts mean."""
    return safety_question(system).names


def check_labelled_assumptions(system: System, certificate: LabelledAssumptions, deadline: Deadline) -> None:
    """Accept that ERROR cannot be reached. Raises CertificationError with the premise, and OutOfTimeError.

    Cost: for each premise the states of its own left side, paired with what its right side may be in.
    """
    asked = safety_question(system)
    _check_form(asked, certificate)
    parts = [[asked.components[number] for number in part] for part in certificate.parts]
    machines = [_of_assumption(each) for each in certificate.assumptions]
    if certificate.rule == "circular":
        for place, (part, granted) in enumerate(zip(parts, certificate.guarantees, strict=True)):
            premise = Premise(f"premise {place + 1}", part, [machines[j] for j in granted], deadline)
            premise.check_one_step_more(Allowed(machines[place]))
        Premise(f"premise {len(parts) + 1}", [], machines, deadline).check(asked.safe)
        return
    for place, part in enumerate(parts):
        judge: Judge = asked.safe if place == 0 else Allowed(machines[place - 1])
        Premise(f"premise {place + 1}", part, machines[place : place + 1], deadline).check(judge)


class Premise:
    """The left side of a premise: a part's components, and assumptions that restrict them."""

    def __init__(
        self, name: str, components: Sequence[Machine], assumed: Sequence[Machine], deadline: Deadline
    ) -> None:
        self._name = name
        self._components = len(components)
        self._machines = [*components, *assumed]
        self._owners: dict[str, list[int]] = {}
        for place, machine in enumerate(self._machines):
            for label in machine.alphabet:
                self._owners.setdefault(label, []).append(place)
        self._deadline = deadline

    def check(self, judge: Judge) -> None:
        """The judge refuses no word of the left side."""
        labels = sorted(judge.alphabet)
        for state, read in self._explored(judge):
            for label in labels:
                if self._can(state, label) and judge.after(read, label) is None:
                    raise self._broken(label)

    def check_one_step_more(self, judge: Judge) -> None:
        """The judge refuses no action that the components can do after a word of the left side that it allowed."""
        labels = sorted(judge.alphabet)
        for state, read in self._explored(judge):
            for label in labels:
                if self._can(state, label, self._components) and judge.after(read, label) is None:
                    raise self._broken(label)

    def transitions(self) -> Iterator[tuple[tuple[int, ...], str | None, tuple[int, ...]]]:
        """Every transition of the left side that can be reached; the label None is tau."""
        start = (0,) * len(self._machines)
        seen = {start}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if len(seen) % 1000 == 1:
                self._deadline.check()
            for label, following in self._moves(state, ()):
                yield state, label, following
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)

    def _explored(self, judge: Judge) -> Iterator[tuple[tuple[int, ...], object]]:
        """Every reachable state of the left side, with what the judge may be in there; refused words end."""
        free = sorted(judge.alphabet.difference(self._owners))
        start = ((0,) * len(self._machines), judge.start())
        seen = {start}
        waiting = [start]
        while waiting:
            state, read = waiting.pop()
            if len(seen) % 1000 == 1:
                self._deadline.check()
            yield state, read
            for label, following in self._moves(state, free):
                after = read if label is None or label not in judge.alphabet else judge.after(read, label)
                if after is not None and (following, after) not in seen:
                    seen.add((following, after))
                    waiting.append((following, after))

    def _moves(self, state: tuple[int, ...], free: Sequence[str]) -> Iterator[tuple[str | None, tuple[int, ...]]]:
        """Labels (None for tau) and the states that follow."""
        for label in free:
            yield label, state
        for place, machine in enumerate(self._machines):
            for target in machine.silent[state[place]]:
                yield None, (*state[:place], target, *state[place + 1 :])
            for label in machine.steps[state[place]]:
                owners = self._owners[label]
                if owners[0] != place:
                    continue
                for targets in itertools.product(*(self._targets(k, state, label) for k in owners)):
                    following = list(state)
                    for k, target in zip(owners, targets, strict=True):
                        following[k] = target
                    yield label, tuple(following)

    def _targets(self, place: int, state: tuple[int, ...], label: str) -> Sequence[int]:
        return self._machines[place].steps[state[place]].get(label, ())

    def _can(self, state: tuple[int, ...], label: str, limit: int | None = None) -> bool:
        """Whether all of the machines (of the first ``limit``) that have the action can do it; also if none has it."""
        owners = self._owners.get(label, ())
        return all(self._targets(k, state, label) for k in owners if limit is None or k < limit)

    def _broken(self, label: str) -> CertificationError:
        return _refused(f"{self._name} does not hold: {label} is possible where it must not be")


def _check_form(asked: SafetyQuestion, certificate: LabelledAssumptions) -> None:
    numbers = sorted(number for part in certificate.parts for number in part)
    if numbers != list(range(len(asked.components))):
        raise _refused(f"its parts do not have each of the {len(asked.components)} components once")
    count = len(certificate.parts)
    if certificate.rule == "rule-1" and count != 2:
        raise _refused("rule-1 is for two parts")
    if certificate.rule not in ("rule-1", "rule-3", "circular"):
        raise _refused(f"there is no rule {certificate.rule}")
    wanted = count if certificate.rule == "circular" else count - 1
    if len(certificate.assumptions) != wanted:
        raise _refused(f"{certificate.rule} for {count} parts has {wanted} assumptions")
    if len(certificate.guarantees) != (count if certificate.rule == "circular" else 0):
        raise _refused("every part of the circular rule, and of no other, has a set of guarantees")
    for place, granted in enumerate(certificate.guarantees):
        if place in granted or not set(granted) <= set(range(count)):
            raise _refused(f"premise {place + 1} may use the assumptions of the other parts only")
    labels = asked.safe.alphabet.union(*(each.alphabet for each in asked.components))
    for place, each in enumerate(certificate.assumptions):
        if len(set(each.alphabet)) != len(each.alphabet) or not labels.issuperset(each.alphabet):
            raise _refused(f"assumption {place} has actions that the system does not have, or one twice")
        if each.states < 1 or not all(
            0 <= source < each.states and 0 <= action < len(each.alphabet) and 0 <= target < each.states
            for source, action, target in each.transitions
        ):
            raise _refused(f"assumption {place} is no automaton")


def _machine(lts: Lts, failure: str | None) -> Machine:
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


def _of_assumption(assumption: LabelledAssumption) -> Machine:
    steps: list[dict[str, list[int]]] = [{} for _ in range(assumption.states)]
    for source, action, target in assumption.transitions:
        steps[source].setdefault(assumption.alphabet[action], []).append(target)
    return Machine(frozenset(assumption.alphabet), tuple(steps), ((),) * assumption.states)


def _observes(machine: Machine) -> bool:
    return not any(machine.silent) and all(
        len(steps.get(label, ())) == 1 for steps in machine.steps for label in machine.alphabet
    )


def _is_named(label: str, names: frozenset[str]) -> bool:
    pieces = label.split(".")
    return any(".".join(pieces[:k]) in names for k in range(1, len(pieces) + 1))


def _refused(reason: str) -> CertificationError:
    return CertificationError(f"the certificate is not accepted: {reason}")
