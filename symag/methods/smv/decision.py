"""What Rule-S and Rule-G share: from a flat system to modules, and from an outcome to a result.

The stages are flat system -> cone of influence -> wires (the property becomes a variable that all modules
can see) -> symbolic system -> partitions -> modules.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symag.certificates import AssumeGuarantee, Assumption, InductiveSet, Part
from symag.errors import UnsupportedError, UsageError
from symag.learning.symbolic_table import Conjecture
from symag.methods.smv.automaton import StateBits
from symag.methods.smv.decomposition import composition, decompose, free_inputs
from symag.methods.smv.module import Module
from symag.methods.smv.options import Options
from symag.methods.smv.premise import Exploration
from symag.partition import Partition, partitions
from symag.results import PropertyResult, Verdict
from symag.smv.dependencies import cone_of_influence
from symag.smv.flat import FlatSystem, Property, VariableKind
from symag.smv.printer import expression_text
from symag.smv.properties import invariant_of
from symag.smv.typed import Expression
from symag.smv.wires import is_function_of_the_state, publish
from symag.symbolic.context import Bdd
from symag.symbolic.diagram import DiagramWriter
from symag.symbolic.system import SymbolicSystem, encode
from symag.traces import Step, Trace, Value

#: The numbers of parts that are tried when the user names none; the paper's tables use 2 to 4.
DEFAULT_PARTS = (2, 3, 4)


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A property of a system, encoded and ready to be decomposed.

    ``wired`` is ``cone`` with the wires as variables; ``wires`` pairs each with the expression it stands
    for; ``safe`` is the property over letters.
    """

    system: FlatSystem
    cone: FlatSystem
    wired: FlatSystem
    wires: tuple[tuple[str, Expression], ...]
    property_wire: str | None
    symbolic: SymbolicSystem
    safe: Bdd

    def modules(self, partition: Partition, hidden: Collection[str] = ()) -> tuple[Module, ...]:
        """The modules of a partition of ``wired``, with letters that do not show the hidden variables."""
        return decompose(self.symbolic, partition.parts, self.safe, hidden)

    def free_inputs(self, partition: Partition) -> tuple[str, ...]:
        """The free variables that several parts read: candidates for hiding."""
        return free_inputs(self.symbolic, partition.parts, self.safe)

    def composition(self, modules: Sequence[Module]) -> Module:
        """The whole system as one module over the I/O variables of all modules."""
        return composition(self.symbolic, [name for module in modules for name in module.letters], self.safe)


def subject(system: FlatSystem, target: Property, options: Options) -> Subject:
    """Prepare one property. Raises UnsupportedError if it is no invariant, InputError, MemoryExhausted."""
    invariant = invariant_of(target)
    if invariant is None:
        raise UnsupportedError(f"{target.kind} property that is no invariant")
    cone = cone_of_influence(system, invariant) if options.cone_of_influence else system
    name = _fresh(cone, "property")
    wires = ((name, invariant),) if is_function_of_the_state(cone, invariant) else ()
    wired = publish(cone, wires)
    symbolic = encode(wired, memory=options.memory)
    safe = symbolic.encoding.equals(name, True) if wires else symbolic.predicate(invariant)
    return Subject(system, cone, wired, wires, name if wires else None, symbolic, safe)


def candidates(prepared: Subject, options: Options) -> tuple[Partition, ...]:
    """The partitions to try, the most promising first. Raises UsageError for more parts than variables."""
    available = len(prepared.wired.variables)
    counts: Iterable[int] = DEFAULT_PARTS if options.parts is None else (options.parts,)
    found: list[Partition] = []
    for count in counts:
        if options.parts is None and count > available:
            continue
        if count > available - len(prepared.wires) and options.parts is not None:
            raise UsageError(f"{count} parts are more than the {available - len(prepared.wires)} variables to cut")
        found.extend(
            partitions(prepared.wired, count, options.imbalance, options.partitioner, options.grain, options.seed)
        )
    return tuple(found)


def violated(
    prepared: Subject, method: str, modules: Sequence[Module], word: Sequence[Bdd], figures: Mapping[str, Any]
) -> PropertyResult:
    """The result for a word along which the composition violates the property."""
    trace = Trace("finite", trace_steps(prepared, modules, word))
    return PropertyResult(Verdict.VIOLATED, method, trace=trace, statistics=figures)


def trace_steps(prepared: Subject, modules: Sequence[Module], word: Sequence[Bdd]) -> tuple[Step, ...]:
    """A run of the cone along a real word of letters, without the wires."""
    whole = prepared.composition(modules)
    hidden = {name for name, _ in prepared.wires}
    steps = []
    for values in whole.run(word):
        state: dict[str, Value] = {}
        inputs: dict[str, Value] = {}
        for name, value in values.items():
            if name not in hidden:
                kind = prepared.wired.by_name[name].kind
                (inputs if kind is VariableKind.INPUT else state)[name] = value
        steps.append(Step(state, inputs))
    return tuple(steps)


def product_certificate(prepared: Subject, sets: Sequence[Bdd]) -> InductiveSet:
    """The inductive set that one-state assumptions amount to; wires are replaced by what they stand for."""
    context = prepared.symbolic.context
    encoding = prepared.symbolic.encoding
    hidden = encoding.current_bits(name for name, _ in prepared.wires)
    writer = DiagramWriter(encoding)
    root = writer.add(context.exists(hidden, context.conjunction(sets)))
    return InductiveSet(writer.table(), root)


def assume_guarantee_certificate(
    prepared: Subject,
    rule: str,
    modules: Sequence[Module],
    assumptions: Sequence[Conjecture],
    paired: Sequence[tuple[StateBits, int, Exploration]],
) -> AssumeGuarantee:
    """The assumptions with one inductive set per module and assumption state.

    ``paired[i]`` gives the state bits and the number of states of the assumption that module i was
    explored with. Variables outside the cone go to the last part, where no set mentions them.
    """
    context = prepared.symbolic.context
    writer = DiagramWriter(prepared.symbolic.encoding)
    cone = set(prepared.cone.by_name)
    outside = tuple(variable.name for variable in prepared.system.variables if variable.name not in cone)
    parts = []
    for index, (module, (bits, states, exploration)) in enumerate(zip(modules, paired, strict=True)):
        sets = tuple(
            writer.add(context.exists(bits.current, exploration.reached & bits.state(state))) for state in range(states)
        )
        parts.append(Part((*module.variables, *(outside if index + 1 == len(modules) else ())), sets))
    written = tuple(
        Assumption(
            tuple(tuple((target, writer.add(letters)) for target, letters in edges) for edges in conjecture.edges),
            tuple(writer.add(letters) for letters in conjecture.rejects),
        )
        for conjecture in assumptions
    )
    texts = tuple((name, expression_text(expression)) for name, expression in prepared.wires)
    return AssumeGuarantee(rule, writer.table(), tuple(parts), written, texts, prepared.property_wire)


def statistics(prepared: Subject, partition: Partition, started: float) -> dict[str, Any]:
    """The numbers of the paper's tables that every method has; ``started`` is a CPU time in seconds."""
    encoding = prepared.symbolic.encoding
    return {
        "variables": len(prepared.cone.variables),
        "bits": sum(len(encoding.current[variable.name]) for variable in prepared.cone.variables),
        "parts": len(partition.parts),
        "mx": partition.mx,
        "io": partition.io_bits,
        "bdd_nodes_peak": prepared.symbolic.context.peak_nodes(),
        "seconds": round(time.process_time() - started, 3),
    }


def _fresh(system: FlatSystem, name: str) -> str:
    taken = set(system.by_name) | set(system.defines)
    while name in taken:
        name += "_"
    return name
