"""The search for invariants of a circuit that are inductive together over more and more states.

For k = 1, 2, .. the base drops the invariants that some run of k states violates, and the step finds the largest set of
the others that is inductive over k states together with those that are proved. Sources: see ``simultaneous``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.smv.circuits.transitions import TransitionCircuit
from symag.smv.methods.sat.candidate_path import CandidatePath

#: How many times as many states the next step has at most, where steps take longer than the base: rxuartlite needs
#: dozens of states, each of which takes the base 0.02 s and the step 2 to 7.
GROWTH = 1.2

#: Invariants are asked for all at once until a path excludes fewer than this many, then one by one: that nothing
#: excludes them is easier to show of each, and then it is known what it follows from. Searches of ZipCPU's zipdma_mm2s
#: 30 to 23 s, sdrxframe 17 to 9, zipdma_s2mm 13 to 10, pffifo 9 to 8, hwbfly 46 to 43, zip_ufifo 0.4 to 0.2 (1 December
#: 2026, single runs); one by one from the start mm2s takes 22, but pffifo 16.
SEVERAL = 2


class StepProof(Struct, frozen=True):
    """An invariant is true after ``steps`` states in which those with the keys ``uses`` are true, and then those of
    them that need fewer steps.
    """

    steps: int
    uses: tuple[int, ...]


class InductionOfSeveral:
    """The search over a circuit. ``literals`` are the invariants by their keys; ``open`` are the keys of those that are
    not proved, nor violated within ``steps`` states, and ``proofs`` says how the others follow: at first those that
    are ``known``.
    """

    def __init__(
        self, circuit: TransitionCircuit, literals: Mapping[int, int], known: Mapping[int, StepProof] | None = None
    ) -> None:
        self.steps = 0
        self.proofs = dict(known or {})
        self.open = [key for key in literals if key not in self.proofs]
        self._seconds_of_step = 0.0
        self._base = CandidatePath(circuit, literals, from_start=True)
        self._step = CandidatePath(circuit, literals, from_start=False)
        #: Solver variables: the invariant is true in all states of the step's path, but the last if it is not proved.
        self._assumed = {key: self._step.clauses.fresh() for key in literals}
        self._key_of = {variable: key for key, variable in self._assumed.items()}

    def advance(self, bound: int | None = None) -> None:
        """Search with one state more, or up to ``GROWTH`` times as many, at most ``bound``, while the base takes less
        time than the last step took. Costs a query for each invariant that is dropped or proved, and two, and one for
        each further state.
        """
        started, most = time.process_time(), GROWTH * self.steps if bound is None else min(GROWTH * self.steps, bound)
        self._extend()
        while self.open and self.steps < math.floor(most) and time.process_time() - started < self._seconds_of_step:
            self._extend()
        started = time.process_time()
        self._prove()
        self._seconds_of_step = time.process_time() - started

    def _extend(self) -> None:
        """Add a state, and drop the invariants that are false in the last state of a run."""
        self._base.extend()
        self.open = self._base.true_together(self.open, self.steps, {})
        for key in (*self.open, *self.proofs):
            # True in that state of every run, which helps with the later ones.
            self._base.solver.add([self._base.signal(key, self.steps)])
        if self.steps == 0:
            self._step.extend()
            self._assume(self.proofs, 0)
        self._assume(self.open, self.steps)
        self.steps += 1
        self._step.extend()
        # They follow from themselves, which the solver does not have to show again.
        self._assume(self.proofs, self.steps)

    def _assume(self, keys: Iterable[int], state: int) -> None:
        for key in keys:
            self._step.solver.add([-self._assumed[key], self._step.signal(key, state)])

    def _prove(self) -> None:
        """Find those that are inductive over the present number of states."""
        known = [self._assumed[key] for key in self.proofs]
        left = self._step.true_together(self.open, self.steps, self._assumed, known, fewest=SEVERAL)
        for key, uses in self._shown_one_by_one(left, known).items():
            # What is known at the start is true after this step only if its own steps were before.
            steps = max((self.steps, *(self.proofs[used].steps for used in uses if used in self.proofs)))
            self.proofs[key] = StepProof(steps, tuple(sorted(uses)))
        inductive = [key for key in left if key in self.proofs]
        self._assume(inductive, self.steps)
        self.open = [key for key in self.open if key not in self.proofs]

    def _shown_one_by_one(self, keys: Iterable[int], known: Sequence[int]) -> dict[int, set[int]]:
        """The largest inductive set among some invariants, each with those that it follows from.

        On the paths the solver's literals ``known`` are true. Costs a query for each invariant, and another one for it
        whenever something that it follows from turns out not to be inductive.
        """
        solver = self._step.solver
        signals = {key: self._step.signal(key, self.steps) for key in keys}
        uses: dict[int, set[int]] = {}
        while waiting := [key for key in signals if key not in uses]:
            for key in waiting:
                if key not in signals:
                    continue
                if not solver.solve([-signals[key], *known, *(self._assumed[left] for left in signals)]):
                    uses[key] = {self._key_of[literal] for literal in solver.core() if literal in self._key_of}
                    continue
                model = solver.model()
                false = {left for left, signal in signals.items() if model[abs(signal) - 1] != signal}
                signals = {left: signal for left, signal in signals.items() if left not in false}
                uses = {left: used for left, used in uses.items() if left not in false and used.isdisjoint(false)}
        return uses

    def connected(self, key: int) -> frozenset[int]:
        """The keys of the invariants that are proved with the help of this one, or whose help it has, and so on."""
        neighbours: dict[int, set[int]] = {member: set(proof.uses) for member, proof in self.proofs.items()}
        for member, proof in self.proofs.items():
            for used in proof.uses:
                neighbours[used].add(member)
        members, waiting = {key}, [key]
        while waiting:
            following = neighbours[waiting.pop()] - members
            members |= following
            waiting.extend(following)
        return frozenset(members)
