"""Proves an invariant of a system by the sets of its parts, refined by counterexamples."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct, field

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.core.values import replace
from symag.smv.certificates.invariants import InductiveParts
from symag.smv.facts.circuit import StepCircuit
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.partwise.components import Components, GroupSets
from symag.smv.methods.partwise.fixpoints import PartSets, sets_between
from symag.smv.methods.partwise.parallel import LAYERS, MemoryState, ParallelSearch
from symag.smv.methods.partwise.part import BitConstraints, part
from symag.smv.methods.partwise.questions import Cube, StateQuestions
from symag.smv.methods.partwise.refinement import (
    Exclusions,
    SplitWires,
    ViolatingPath,
    exclusion,
    exclusion_by_rings,
    refined,
    without_wires,
)
from symag.smv.model.bits import bitwise
from symag.smv.model.typed import Expression
from symag.smv.partition import partitions
from symag.smv.partition.hypergraph import moved
from symag.smv.partition.metis import libraries_silent
from symag.smv.symbolic.diagram import DiagramWriter
from symag.smv.symbolic.interactions import interactions_of
from symag.smv.symbolic.system import encode

#: The number of bits of a part at the start, about. Smaller parts need more refinements: with 20 gcd_1.p3 of
#: ``elastic`` takes 8 and 4.2 s of CPU time, with 10 12 to 16 and 5.4 to 7.8 s, with 6 over 12 s.
FIRST_BITS = 20

#: Sets whose fix-points take more steps than this are not looked at ring by ring.
MOST_RINGS = 200


class PartwiseOutcome(Struct, frozen=True, eq=False):
    """What part-wise reachability knows of an invariant.

    ``proof`` proves it; a run of ``violated_within`` steps violates it, or one through ``states``. With none of these,
    ``reason`` says why it stopped.
    """

    proof: InductiveParts | None = None
    violated_within: int | None = None
    states: tuple[MemoryState, ...] = ()
    reason: str = ""
    statistics: dict[str, Any] = field(default_factory=dict)


def decide(circuit: StepCircuit, invariant: Expression, options: SmvOptions, progress: Progress) -> PartwiseOutcome:
    """Prove an invariant of the circuit's system, or find the length of a violation, or say why neither.

    The system must have initial states. Raises InputError where evaluation fails, UnsupportedError where encoding does,
    and MemoryExhausted.
    """
    system = circuit.system
    symbolic = encode(system, memory=options.memory, engine=options.bdd)
    interactions = interactions_of(symbolic)
    if interactions is not None:
        pairs = GroupSets.of(Components.of(symbolic, interactions))
        with StateQuestions(circuit, symbolic.encoding, invariant) as questions:
            outcome = _GroupSearch(pairs, questions, options, progress).outcome()
        if outcome.reason and options.bound is None:
            search = ParallelSearch(pairs.components, pairs.initial, invariant)
            outcome = replace(outcome, states=tuple(search.violation(LAYERS, progress) or ()))
        return outcome
    symbolic.context.reorder_automatically(options.reordering)
    constraints = BitConstraints.of(symbolic)
    groups = _first_parts(constraints, options)
    parts = PartSets(symbolic.context, [part(constraints, bits) for bits in groups], [frozenset()] * len(groups))
    wires = SplitWires.of(system, invariant) if options.splits else SplitWires({})
    with StateQuestions(circuit, symbolic.encoding, invariant, wires.expressions) as questions:
        bad = ~symbolic.predicate(invariant)
        return _Search(constraints, parts, questions, options, progress, bad, wires).outcome()


def _first_parts(constraints: BitConstraints, options: SmvOptions) -> list[frozenset[str]]:
    """The bits of the parts of a partition, as the rules have it; none is empty."""
    system, encoding = constraints.system.source, constraints.system.encoding
    memory = [v.name for v in system.variables if constraints.memory.intersection(encoding.current[v.name])]
    count = options.parts or max(1, round(len(constraints.memory) / FIRST_BITS))
    count = min(count, len(memory))
    if count <= 1:
        return [constraints.memory] if constraints.memory else []
    bits: dict[str, tuple[str, ...]] = {v.name: tuple(encoding.current[v.name]) for v in system.variables}
    cut = system
    if options.grain == "bit":
        split = bitwise(replace(system, properties=()))
        cut, bits = split.system, {name: (bits[whole][index],) for name, (whole, index) in split.bits.items()}
    weightless = [name for name in bits if constraints.memory.isdisjoint(bits[name])]
    imbalance = options.imbalance or 2.0
    with libraries_silent():
        cuts = partitions(cut, count, imbalance, options.partitioner, options.seed, weightless, moved(options.grain))
    names: Sequence[Sequence[str]] = cuts[0].parts if cuts else [[name] for name in bits]
    groups = [frozenset(bit for name in group for bit in bits[name]) & constraints.memory for group in names]
    return [group for group in groups if group]


@dataclass(slots=True, eq=False)
class _Search:
    constraints: BitConstraints
    parts: PartSets
    questions: StateQuestions
    options: SmvOptions
    progress: Progress
    bad: Bdd
    wires: SplitWires
    refinements: int = 0
    splits: int = 0
    backward_proof: bool = False

    def outcome(self) -> PartwiseOutcome:
        draw = random.Random(self.options.seed)
        changed: list[int] | None = None
        self.progress(ProgressFigures("sets of the parts", self.figures()))
        while True:
            self._compute(changed)
            sets = [self.questions.literal(diagram) for diagram in self.parts.sets]
            violation = self.questions.violation(sets)
            if violation is None:
                return self._ended(proof=self._proof(self.questions.reason(sets), sets))
            # Backward sets cost as much as forward ones, so they are computed after 0, 1, 2, 4, 8 .. refinements.
            proof = self._proof_between() if self.refinements & (self.refinements - 1) == 0 else None
            if proof is not None:
                return self._ended(proof=proof)
            if self.refinements >= self.options.refinements:
                many = f"{self.refinements} refinements"
                return self._ended(reason=f"the sets of the parts allow a violation after {many}")
            line = f"refining the parts, {self.refinements} times so far"
            self.progress(ProgressFigures(line, self.figures()))
            step = self._exclusion(sets, violation, draw)
            if isinstance(step, ViolatingPath):
                return self._ended(violated_within=step.steps)
            if step is None:
                return self._ended(reason="the predecessors of a violation that the sets allow are too many")
            refinement = refined(self.parts, self.constraints, step, self.options.part_bits, self.wires)
            if refinement is None:
                return self._ended(reason=f"no part of at most {self.options.part_bits} bits excludes a violation")
            self.constraints = refinement.constraints
            self.refinements += 1
            self.splits += bool(refinement.wires)
            changed = [refinement.number]

    def _exclusion(self, sets: list[int], violation: Cube, draw: random.Random) -> Exclusions | ViolatingPath | None:
        """What excludes a violation from the sets, or from one of their rings."""
        step = exclusion(self.questions, sets, violation, draw)
        if step is not None:
            return step
        rings = self.parts.rings(MOST_RINGS)
        if rings is None:
            return None
        literals = [[self.questions.literal(states) for states in ring] for ring in rings]
        return exclusion_by_rings(self.questions, literals, violation, draw)

    def _proof_between(self) -> InductiveParts | None:
        """A proof by forward and backward sets, if they have no violating state in common."""
        if self.options.direction == "forward":
            return None
        between = sets_between(self.parts, self.constraints, self.bad, self.progress)
        if between is None:
            return None
        context = self.parts.context
        literals = [self.questions.literal(states) for states in (*between.sets, *between.backward)]
        forward = between.forward
        if not self.questions.first_state(literals):
            forward = [context.false]
        elif self.questions.violation([*literals, *map(self.questions.literal, forward)]) is not None:
            return None
        self.backward_proof = True
        writer = DiagramWriter(self.constraints.system.encoding)
        outside = tuple(writer.add(~self._plain(states)) for states in between.confining)
        roots: list[tuple[int, ...]] = [
            (writer.add(self._plain(states)),) for states in between.sets if states != context.true
        ]
        roots += [(*outside, writer.add(self._plain(states))) for states in forward if states != context.true]
        everything = tuple(range(len(roots)))
        return InductiveParts(writer.table(), tuple(roots), tuple(everything for _ in roots))

    def _plain(self, states: Bdd) -> Bdd:
        return without_wires(self.constraints, states)

    def _compute(self, changed: list[int] | None) -> None:
        if self.options.fixpoints == "together":
            self.parts.together(self.progress)
        else:
            self.parts.separately(self.progress, changed)

    def _ended(self, **known: Any) -> PartwiseOutcome:
        statistics = {**self.figures(), "backward_sets": self.backward_proof}
        return PartwiseOutcome(**known, statistics=statistics)

    def figures(self) -> dict[str, int]:
        """Where the search is; ``io`` are the bits that a part reads and does not have."""
        parts = self.parts.parts
        foreign = [part_.scope & self.constraints.memory - part_.bits for part_ in parts]
        return {
            "parts": len(parts),
            "io": len(frozenset().union(*foreign)),
            "largest_part_bits": max((len(part_.bits) for part_ in parts), default=0),
            "refinements": self.refinements,
            "splits": self.splits,
            "set_queries": self.questions.queries,
        }

    def _proof(self, reason: frozenset[int], sets: list[int]) -> InductiveParts:
        """The sets that imply the property, and those that their steps need."""
        needed = [number for number, literal in enumerate(sets) if literal in reason]
        for number in needed:
            needed.extend(other for other in self.parts.neighbours(number) if other not in needed)
        places = {number: place for place, number in enumerate(needed)}
        writer = DiagramWriter(self.constraints.system.encoding)
        roots = tuple((writer.add(self._plain(self.parts.sets[number])),) for number in needed)
        uses = tuple(
            tuple(sorted({places[number], *(places[other] for other in self.parts.neighbours(number))}))
            for number in needed
        )
        return InductiveParts(writer.table(), roots, uses)


@dataclass(slots=True, eq=False)
class _GroupSearch:
    """The search over groups of components, where interactions move them."""

    groups: GroupSets
    questions: StateQuestions
    options: SmvOptions
    progress: Progress
    refinements: int = 0

    def outcome(self) -> PartwiseOutcome:
        draw = random.Random(self.options.seed)
        largest = self.options.part_bits
        while True:
            line = f"sets of {len(self.groups.groups)} groups of components"
            self.progress(ProgressFigures(line, self.figures()))
            self.groups.grow(self.progress)
            sets = [self.questions.literal(diagram) for diagram in self.groups.sets]
            sets += [self.questions.literal(others | first) for others, first in self.groups.first]
            violation = self.questions.violation(sets)
            if violation is None:
                return self._ended(proof=self._proof(self.questions.reason(sets), sets))
            if self.refinements >= self.options.refinements:
                return self._ended(
                    reason=f"the sets of the parts allow a violation after {self.refinements} refinements"
                )
            step = exclusion(self.questions, sets, violation, draw)
            if isinstance(step, ViolatingPath):
                return self._ended(violated_within=step.steps)
            if step is None:
                return self._ended(reason="the predecessors of a violation that the sets allow are too many")
            group = self.groups.components.components_of(step[0].bits)
            if len(self.groups.bits(group)) > largest or self.groups.within_one(group):
                return self._ended(reason=f"no part of at most {largest} bits excludes a violation")
            self.groups.groups.append(group)
            self.refinements += 1

    def _proof(self, reason: frozenset[int], sets: list[int]) -> InductiveParts:
        """The sets that imply the property, and those that their steps need; with them what the first states lack."""
        needed = [number for number in range(len(self.groups.groups)) if sets[number] in reason]
        for number in needed:
            needed.extend(other for other in sorted(self.groups.uses(number)) if other not in needed)
        places = {number: place for place, number in enumerate(needed)}
        writer = DiagramWriter(self.groups.components.symbolic.encoding)
        roots: list[tuple[int, ...]] = [(writer.add(self.groups.sets[number]),) for number in needed]
        uses = [tuple(sorted(places[other] for other in self.groups.uses(number))) for number in needed]
        roots += [(writer.add(others), writer.add(first)) for others, first in self.groups.first]
        last = tuple(range(len(needed), len(roots)))
        return InductiveParts(writer.table(), tuple(roots), (*((*use, *last) for use in uses), *(() for _ in last)))

    def _ended(self, **known: Any) -> PartwiseOutcome:
        return PartwiseOutcome(**known, statistics=self.figures())

    def figures(self) -> dict[str, int]:
        """Where the search is."""
        groups = self.groups
        return {
            "parts": len(groups.groups),
            "components": len(groups.components.names),
            "largest_part_bits": max((len(groups.bits(group)) for group in groups.groups), default=0),
            "refinements": self.refinements,
            "set_queries": self.questions.queries,
        }
