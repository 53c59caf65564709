"""Re-check of assumptions for labelled transition systems, premise by premise.

It reads the components and the certificate, and explores each premise alone, on the fly, with tables of its own.
It shares no code with the composition of systems or the search for assumptions.

Words are finite sequences of visible actions, in every premise over all actions of the system; w/X is w without
the actions that are not in X. A word w is one of a part M_k if w/alphabet(M_k) is a trace of it, one of an
assumption A if w/alphabet(A) is in its language. Both sets are prefix-closed. By Lemma 1 of circular-nway-2016, w is
a trace of the system exactly if it is one of every part: the parts contain all components.

rule-1 and rule-3 (agar-lts-2008, rules 1 and 3). Let w be a trace of the system. It is one of M_n-1, so by the
last premise one of A_n-2; it is one of M_n-2 too, so by the premise before one of A_n-3; and so on to A_0. It
is one of M_0 as well, so by the first premise P allows it.

circular (circular-nway-2016, Theorem 1 and Definition 3). To show: every trace w of the system is one of every A_i;
then the last premise says that P allows it. By induction on the length of w: the empty word is one of every A_i.
Let w = s.a, and s be one of every A_j. If a is not in A_i's alphabet then w is one of A_i, as s is. If it is:
w is one of M_i, and s is one of all assumptions in G_i and of A_i, so premise i says that w is one of A_i. That
only s, and not s.a, must be allowed by G_i makes the circular argument sound: A_i is guaranteed for one step more
than the others are assumed. So the exploration checks in every state every action that M_i can do next, whether or
not the assumptions of G_i allow it.

Alphabets need not match: an action of the right side of a premise that nothing on its left has may happen there at
any time, which makes the premise only harder to satisfy.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.lts.certificates import LabelledAssumptions
from symag.lts.certify.machines import (
    SECOND,
    AssumptionJudge,
    Judge,
    Machine,
    SafetyQuestion,
    State,
    check_parts,
    for_safety,
    lts_of,
    machine_of,
    offering_twice,
    refused,
    safety_question,
)
from symag.lts.certify.simulation import is_simulated
from symag.lts.certify.states import ExploredStates, explored
from symag.lts.language.systems import System
from symag.lts.lts import ERROR
from symag.lts.questions import CompositeQuestion

#: The states of the machines on the left side of a premise.
_Local = tuple[int, ...]


class JudgedPremise:
    """The left side of a premise: a part's components, and assumptions that restrict them."""

    def __init__(
        self, name: str, components: Sequence[Machine], assumed: Sequence[Machine], deadline: Deadline
    ) -> None:
        self._name = name
        self._components = len(components)
        self._machines = [*components, *assumed]
        self._owners: dict[str, list[int]] = {}
        for index, machine in enumerate(self._machines):
            for label in machine.alphabet:
                self._owners.setdefault(label, []).append(index)
        self._deadline = deadline

    def check(self, judge: Judge[State]) -> None:
        """Accept that the judge refuses no word of the left side. Raises CertificationError and OutOfTimeError.

        For an assumption with a choice of targets simulation is tried first, because its subsets can be many.
        """
        if isinstance(judge, AssumptionJudge) and judge.has_choice:
            if not is_simulated(self._everything(self._free(judge)), judge, self._deadline):
                self._check_by_subsets(judge, len(self._machines))
            return
        self._refuse_errors(_explored([*self._machines, *judge.observers()], self._deadline))

    def check_one_step_more(self, judge: AssumptionJudge) -> None:
        """Accept that the judge refuses no action of the components after a word of the left side that it allows.

        The components offer each action under a second name too; the judge alone reads it, and fails by it. Raises
        CertificationError and OutOfTimeError.
        """
        if judge.has_choice:
            self._check_by_subsets(judge, self._components)
            return
        components = [offering_twice(machine, judge.alphabet) for machine in self._machines[: self._components]]
        assumed = self._machines[self._components :]
        self._refuse_errors(_explored([*components, *assumed, judge.failing_on_second_names()], self._deadline))

    def _refuse_errors(self, states: ExploredStates) -> None:
        wrong = np.flatnonzero(states.target == ERROR)
        if len(wrong):
            raise self._broken(states.labels[states.label[wrong[0]]].removesuffix(SECOND))

    def _everything(self, free: Sequence[str]) -> ExploredStates:
        loops = Machine(frozenset(free), ({label: [0] for label in free},), ((),))
        return _explored([*self._machines, loops], self._deadline)

    def _check_by_subsets(self, judge: AssumptionJudge, able: int) -> None:
        """Accept that the judge refuses no action of the first ``able`` machines after a word of the left side."""
        labels = sorted(judge.alphabet)
        for state, read in self._explored(judge):
            for label in labels:
                if self._can(state, label, able) and judge.after(read, label) is None:
                    raise self._broken(label)

    def _free(self, judge: Judge[State]) -> list[str]:
        """The judge's actions that nothing on the left side has."""
        return sorted(judge.alphabet.difference(self._owners))

    def _explored(self, judge: Judge[State]) -> Iterator[tuple[_Local, State]]:
        """Every reachable state of the left side with the states of the judge there; refused words are not continued.

        A state of the judge is skipped if a stricter one was found with the same state of the left side: that one
        refuses all that this one refuses (antichains: De Wulf, Doyen, Henzinger and Raskin, 2006).
        """
        free = self._free(judge)
        start = (0,) * len(self._machines)
        seen: dict[_Local, set[State]] = {start: {judge.start()}}
        waiting = [(start, judge.start())]
        steps = 0
        while waiting:
            state, read = waiting.pop()
            steps += 1
            if steps % 1000 == 1:
                self._deadline.check()
            yield state, read
            for label, following in self._moves(state, free):
                after = read if label is None or label not in judge.alphabet else judge.after(read, label)
                if after is None:
                    continue
                states = seen.setdefault(following, set())
                if after in states or (judge.has_choice and any(judge.is_stricter(before, after) for before in states)):
                    continue
                if judge.has_choice:
                    states.difference_update([before for before in states if judge.is_stricter(after, before)])
                states.add(after)
                waiting.append((following, after))

    def _moves(self, state: _Local, free: Sequence[str]) -> Iterator[tuple[str | None, _Local]]:
        """Labels (None for tau) and the states that follow."""
        for label in free:
            yield label, state
        for index, machine in enumerate(self._machines):
            for target in machine.silent[state[index]]:
                yield None, (*state[:index], target, *state[index + 1 :])
            for label in machine.steps[state[index]]:
                owners = self._owners[label]
                if owners[0] != index:
                    continue
                for targets in itertools.product(*(self._targets(k, state, label) for k in owners)):
                    following = list(state)
                    for k, target in zip(owners, targets, strict=True):
                        following[k] = target
                    yield label, tuple(following)

    def _targets(self, index: int, state: _Local, label: str) -> Sequence[int]:
        return self._machines[index].steps[state[index]].get(label, ())

    def _can(self, state: _Local, label: str, limit: int) -> bool:
        """Whether all of the first ``limit`` machines that have the action can do it; also if none of them has it."""
        owners = self._owners.get(label, ())
        return all(self._targets(k, state, label) for k in owners if k < limit)

    def _broken(self, label: str) -> CertificationError:
        return refused(f"{self._name} does not hold: {label} is possible where it must not be")


def _explored(machines: Sequence[Machine], deadline: Deadline) -> ExploredStates:
    system = System("premise", tuple(lts_of(machine) for machine in machines), None, None, False, frozenset())
    return explored(system, (0,) * len(machines), deadline)


CERTIFICATE = LabelledAssumptions


def check(system: System, question: CompositeQuestion, certificate: LabelledAssumptions, deadline: Deadline) -> None:
    """See ``kinds``."""
    for_safety(question)
    check_labelled_assumptions(system, certificate, deadline)


def component_names(system: System) -> tuple[str, ...]:
    """The names of the components, by the numbers in a certificate's parts."""
    return safety_question(system).names


def check_labelled_assumptions(system: System, certificate: LabelledAssumptions, deadline: Deadline) -> None:
    """Accept that ERROR cannot be reached. Raises CertificationError with the premise, and OutOfTimeError.

    Costs for each premise the states of its left side, paired with the possible states of its right side.
    """
    question = safety_question(system)
    _check_form(question, certificate)
    parts = [[question.components[number] for number in part] for part in certificate.parts]
    machines = [machine_of(assumption) for assumption in certificate.assumptions]
    if certificate.rule == "circular":
        for index, (part, granted) in enumerate(zip(parts, certificate.guarantees, strict=True)):
            premise = JudgedPremise(f"premise {index + 1}", part, [machines[j] for j in granted], deadline)
            premise.check_one_step_more(AssumptionJudge(machines[index]))
        JudgedPremise(f"premise {len(parts) + 1}", [], machines, deadline).check(question.safe)
        return
    for index, part in enumerate(parts):
        premise = JudgedPremise(f"premise {index + 1}", part, machines[index : index + 1], deadline)
        if index == 0:
            premise.check(question.safe)
        else:
            premise.check(AssumptionJudge(machines[index - 1]))


def _check_form(question: SafetyQuestion, certificate: LabelledAssumptions) -> None:
    check_parts(certificate.parts, len(question.components))
    count = len(certificate.parts)
    if certificate.rule == "rule-1" and count != 2:
        raise refused("rule-1 is for two parts")
    if certificate.rule not in ("rule-1", "rule-3", "circular"):
        raise refused(f"there is no rule {certificate.rule}")
    needed = count if certificate.rule == "circular" else count - 1
    if len(certificate.assumptions) != needed:
        raise refused(f"{certificate.rule} for {count} parts has {needed} assumptions")
    if len(certificate.guarantees) != (count if certificate.rule == "circular" else 0):
        raise refused("every part of the circular rule, and of no other, has a set of guarantees")
    for index, granted in enumerate(certificate.guarantees):
        if index in granted or not set(granted) <= set(range(count)):
            raise refused(f"premise {index + 1} may use the assumptions of the other parts only")
    labels = question.safe.alphabet.union(*(component.alphabet for component in question.components))
    for index, assumption in enumerate(certificate.assumptions):
        if len(set(assumption.alphabet)) != len(assumption.alphabet) or not labels.issuperset(assumption.alphabet):
            raise refused(f"assumption {index} has actions that the system does not have, or one twice")
        if assumption.states < 1 or not all(
            0 <= source < assumption.states
            and 0 <= action < len(assumption.alphabet)
            and 0 <= target < assumption.states
            for source, action, target in assumption.transitions
        ):
            raise refused(f"assumption {index} is not an automaton")
