"""States of simulated runs that a SAT solver chooses: NuSMV's bounded simulation of large models."""

from __future__ import annotations

from random import Random

from symag.cli.nusmv.simulation import RunConstraints, Valuation, wrong_constraint
from symag.core.errors import InputError
from symag.core.values import replace
from symag.smv.methods.sat.simulator import SatSimulator
from symag.smv.model.flat import Constraint, FlatSystem


class SolverChooser:
    """``StateChooser`` by a SAT solver, for large models; with ``random`` at random, else what the solver gives first.

    Constraints of states read no inputs; ``length`` is that of a ``path``. Raises InputError where evaluation can fail
    in the model, CommandError where it can in the constraints.
    """

    def __init__(self, system: FlatSystem, constraints: RunConstraints, random: Random | None, length: int = 1) -> None:
        invar, trans = (
            tuple(Constraint(one, 0) for one in (expression,) if one is not None)
            for expression in (constraints.states, constraints.steps)
        )
        self._random = random
        try:
            self._simulator = SatSimulator(
                replace(system, invar=(*system.invar, *invar), trans=(*system.trans, *trans)), length
            )
        except InputError as error:
            SatSimulator(system).close()  # an error of the model itself says more
            raise wrong_constraint(error.message) from None

    def initial(self) -> Valuation | None:
        """See ``StateChooser``."""
        return self._simulator.initial(self._random)

    def step(self, state: Valuation) -> tuple[Valuation, Valuation] | None:
        """See ``StateChooser``."""
        return self._simulator.following(state, self._random)

    def path(self, state: Valuation) -> list[tuple[Valuation, Valuation]] | None:
        """``length`` steps, each as its inputs and the next state; None if no path is so long."""
        return self._simulator.path(state, self._random)
