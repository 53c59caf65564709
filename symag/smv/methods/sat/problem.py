"""From a property of a flat system to a circuit with one literal that must never be true."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from functools import cached_property

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.values import replace
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.transitions import Latch, TransitionCircuit, reduced
from symag.smv.model.dependencies import Cones, influencing
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import in_its_logic, searched_invariant, speaks_of_transitions
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType
from symag.smv.temporal.tableau import LinearProduct

_NO_START = "the set of initial states is empty: every property holds"

#: The solver for single questions about the model.
_SOLVER = "cadical153"


class LassoMonitor(Struct, frozen=True, eq=False):
    """The search for a lasso that violates a formula.

    ``save`` is the input that begins the loop; ``repeated`` is the circuit all of whose latches a lasso repeats, and
    ``copied`` are the model's bits of those that have a copy. ``automaton`` is the tableau of the formula's negation
    where that is a part of the system; None where the monitor has it (see ``rounds``), which serves no proof.
    """

    save: int
    repeated: TransitionCircuit
    copied: tuple[tuple[str, int], ...]
    automaton: LinearProduct | None


class ReachabilityProblem(Struct, frozen=True, eq=False):
    """Is ``bad`` reachable? ``circuit`` is the cone of influence of ``bad`` in ``whole``.

    ``lemmas`` are literals that are true in every reachable state. ``read`` are the expressions of the property and of
    the lemmas. ``has_start``: some state is initial; if none is, every property holds. ``lasso`` is there if only
    lassos violate the property (see ``liveness``).
    """

    system: FlatSystem
    target: Property
    blasting: Blasting
    whole: TransitionCircuit
    circuit: TransitionCircuit
    bad: int
    lemmas: tuple[int, ...] = ()
    has_start: bool = True
    read: tuple[Expression, ...] = ()
    lasso: LassoMonitor | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the answer says besides the verdict."""
        return () if self.has_start else (_NO_START,)

    def over_whole_variables(self) -> ReachabilityProblem:
        """The problem with all bits of every variable that can influence the property or a lemma.

        Influence is that of the model's text: in the circuit, gates may have folded away.
        """
        if all(isinstance(variable.type, BooleanType) for variable in self.system.variables):
            # Circuits are large, so this is a superset of the cone: fewer states are equal, and the proof is no weaker.
            names: Collection[str] = influencing(self.system, self.read)
        else:
            cones = Cones(self.system)
            names = {name for expression in self.read for name in cones.variables(expression)}
        bits = [bit for name in sorted(names) for bit in self.whole.values[name]]
        return replace(self, circuit=reduced(self.whole, (self.bad, *self.lemmas, *bits)))


class SharedCircuit:
    """The circuit of a system, made on first use, to which its properties are added one by one. ``cpu_seconds`` is
    what making it took.
    """

    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self.cpu_seconds = 0.0

    @cached_property
    def blasting(self) -> Blasting:
        started = time.process_time()
        blasting = Blasting(self._system)
        self.cpu_seconds = time.process_time() - started
        return blasting

    @cached_property
    def has_start(self) -> bool:
        """Whether some state is initial."""
        return has_start(self.blasting.circuit)


def problem_of(
    system: FlatSystem,
    target: Property,
    lemmas: Sequence[Expression] = (),
    coi: bool = True,
    shared: SharedCircuit | None = None,
) -> ReachabilityProblem:
    """The problem that an invariant, ``AG p`` or ``G p`` poses. Costs time linear in the size of the circuit.

    ``lemmas`` are expressions over state variables that every reachable state satisfies; ``shared`` is the circuit of
    the same system. Raises UnsupportedError for other properties and InputError where evaluation can fail.
    """
    invariant = searched_invariant(system, target)
    if invariant is None:
        raise UnsupportedError(target.unsupported or f"{in_its_logic(target).kind} that is not an invariant")
    shared = shared or SharedCircuit(system)
    blasting = shared.blasting
    of_model = len(blasting.failures)
    bad = blasting.truth(invariant) ^ 1
    lemma_literals = tuple(blasting.truth(lemma) for lemma in lemmas)
    refuse_failures(blasting, of_model)
    whole = blasting.circuit
    if speaks_of_transitions(system, invariant):
        node = blasting.graph.input() >> 1
        whole = replace(whole, latches=(*whole.latches, Latch(node, bad, False, None)))
        bad = 2 * node
    # Reading the property may have added inputs to latches.
    circuit = reduced(whole, (bad, *lemma_literals)) if coi else whole
    return ReachabilityProblem(
        system, target, blasting, whole, circuit, bad, lemma_literals, shared.has_start, (invariant, *lemmas)
    )


def has_start(circuit: TransitionCircuit) -> bool:
    """Whether some state is initial."""
    return not (circuit.initial or circuit.invariants) or initial_state(circuit) is not None


def initial_state(circuit: TransitionCircuit) -> list[bool] | None:
    """The values of the latches in an initial state; None if there is none. Costs one query."""
    solver = SatSolver(_SOLVER)
    clauses = GateClauses(circuit.graph, solver.add)
    for literal in (*circuit.initial, *circuit.invariants):
        solver.add([clauses.literal(literal)])
    own = [clauses.literal(2 * latch.node) for latch in circuit.latches]
    pairs = list(zip(own, circuit.latches, strict=True))
    state = None
    if solver.solve([one if latch.reset else -one for one, latch in pairs if latch.reset is not None]):
        model = solver.model()
        state = [
            bool(latch.reset) if abs(one) > len(model) else (model[abs(one) - 1] > 0) == (one > 0)
            for one, latch in pairs
        ]
    solver.close()
    return state
