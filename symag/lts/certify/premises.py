"""One premise of an assume-guarantee rule, checked on the fly by code that shares nothing with the search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.lts.certify.machines import SECOND, AssumptionJudge, Judge, Machine, State, lts_of, offering_twice, refused
from symag.lts.certify.simulation import is_simulated
from symag.lts.certify.states import ExploredStates, explored
from symag.lts.language.composites import System
from symag.lts.lts import ERROR

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
