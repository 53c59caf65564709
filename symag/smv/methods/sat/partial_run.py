"""A run as a SAT engine finds it: what its solver's model says of latches and inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.smv.circuits.steps_as_clauses import StepsAsClauses
from symag.smv.circuits.transitions import TransitionCircuit


class Run(Struct, frozen=True):
    """The first values of latches and the values of inputs at every step, by node; nodes without one may have any."""

    first: Mapping[int, bool]
    inputs: tuple[Mapping[int, bool], ...]

    def of(self, circuit: TransitionCircuit) -> Run:
        """What the run says of the latches and inputs of a circuit over the same nodes."""
        latches = {latch.node for latch in circuit.latches}
        nodes = set(circuit.inputs)
        return Run(
            {node: value for node, value in self.first.items() if node in latches},
            tuple({node: value for node, value in step.items() if node in nodes} for step in self.inputs),
        )


def run_of_model(circuit: TransitionCircuit, steps: StepsAsClauses, model: Sequence[int], length: int) -> Run:
    """The run of a solver's model of some steps; nodes that have no solver variable get no value."""

    def values_at(nodes: Sequence[int], step: int) -> dict[int, bool]:
        signals = ((node, steps.known(node, step)) for node in nodes)
        return {
            node: (model[abs(signal) - 1] > 0) == (signal > 0)
            for node, signal in signals
            if 0 < abs(signal) <= len(model)
        }

    return Run(
        values_at([latch.node for latch in circuit.latches if latch.reset is None], 0),
        tuple(values_at(steps.inputs, step) for step in range(length)),
    )
