"""Lifting: from one state that makes targets true to a cube of states that all do, under the same inputs.

By unsatisfiable cores, as in Chockler, Ivrii, Matsliah, Moran, Nevo ("Incremental formal verification of hardware",
FMCAD 2011): the circuit is a function, so a state, its inputs and "some target is false" have no model, and
the latches of a core suffice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symag.smv.methods.pdr.encoding import Cube, LazySolver, PdrEncoding

#: Clauses that may be switched off before the solver is made anew.
_REBUILD_AFTER = 1_000

#: The number of lifts after which the variables are sorted by activity again.
_SORT_AFTER = 50


class Lifter:
    """Lifts states. ``activity`` is how often variables occur in lemmas: the active ones are rather kept."""

    def __init__(self, encoding: PdrEncoding, activity: Mapping[int, float]) -> None:
        self._encoding = encoding
        self._activity = activity
        self._solver = LazySolver(encoding, ())
        self.queries = 0
        self._order: list[int] = []

    def lift(self, state: Sequence[int], inputs: Sequence[int], targets: Sequence[int]) -> Cube:
        """A cube around the state; each of its states makes all targets true with these inputs. One query."""
        if self._solver.activations > _REBUILD_AFTER:
            self._solver.close()
            self._solver = LazySolver(self._encoding, ())
        if self.queries % _SORT_AFTER == 0:
            activity = self._activity
            variables = sorted(self._encoding.latches, key=lambda latch: activity.get(latch, 0.0), reverse=True)
            self._order = [variable - self._encoding.latches[0] for variable in variables]
        self.queries += 1
        solver = self._solver
        switch = solver.switched([-target for target in targets])
        if solver.solve(targets, [switch, *inputs, *[state[latch] for latch in self._order]]):
            raise AssertionError("a state with its inputs determines its next state")
        core = set(solver.solver.core())
        return Cube(literal for literal in state if literal in core)

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()
