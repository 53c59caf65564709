"""What Rule-S and Rule-G share: from a flat system to modules, and from an outcome to a result.

The stages are flat system -> (system over bits) -> cone of influence -> wires (the property becomes a variable
that all modules can see) -> symbolic system -> partitions -> modules.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.core.errors import UnsupportedError
from symag.core.limits import Progress, no_progress
from symag.core.values import replace
from symag.smv.certificates.invariants import NO_FACTS, FactLemmas
from symag.smv.expression_reader import expressions
from symag.smv.methods.by_parts.decomposition import composition, decompose, free_inputs
from symag.smv.methods.by_parts.module import Module
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.lemmas import facts_for
from symag.smv.model.bits import bitwise
from symag.smv.model.dependencies import cone_of_influence
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.properties import invariant_of
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression
from symag.smv.model.wires import WiredSystem, wired
from symag.smv.partition import Partition, partitions
from symag.smv.partition.hypergraph import moved
from symag.smv.symbolic.system import SymbolicSystem, encode


class DecompositionProblem(Struct, frozen=True, eq=False):
    """A property of a system, encoded and ready to be decomposed.

    ``wired`` is ``cone`` with the wires as variables; ``wires`` pairs each with the expression it stands
    for; ``safe`` is the property over letters. ``bits`` says which bit of which variable of ``system`` a
    variable of ``cone`` is; it is empty if those are the same variables. ``facts`` are lemmas over the variables of
    ``system``, ``fact_diagrams`` the same encoded.
    """

    system: FlatSystem
    target: Property
    cone: FlatSystem
    wired: FlatSystem
    wires: tuple[tuple[str, Expression], ...]
    property_wire: str | None
    symbolic: SymbolicSystem
    safe: Bdd
    bits: Mapping[str, tuple[str, int]]
    options: SmvOptions
    facts: FactLemmas = NO_FACTS
    fact_diagrams: tuple[Bdd, ...] = ()

    def modules(
        self, partition: Partition, hidden: Collection[str] = (), look_ahead: bool = False
    ) -> tuple[Module, ...]:
        """The modules of a partition of ``wired``, with letters that do not show the hidden variables."""
        return decompose(self.symbolic, partition.parts, self.safe, hidden, look_ahead, self.fact_diagrams)

    def free_inputs(self, partition: Partition) -> tuple[str, ...]:
        """The free variables that several parts read: candidates for hiding."""
        return free_inputs(self.symbolic, partition.parts, self.safe)

    def composition(self, modules: Sequence[Module]) -> Module:
        """The whole system as one module over the I/O variables of all modules."""
        return composition(self.symbolic, [name for module in modules for name in module.letters], self.safe)


#: A system with more nodes than this in its static order is reordered automatically during the search.
LARGE_SYSTEM = 10_000

#: The numbers of parts that are tried when the user names none; the paper's tables use 2 to 4.
DEFAULT_PARTS = (2, 3, 4)

Wires = Literal["none", "property", "defines", "cut"]


def subjects(
    system: FlatSystem,
    target: Property,
    options: SmvOptions,
    choices: Sequence[Wires],
    progress: Progress = no_progress,
) -> Iterator[DecompositionProblem]:
    """One property, prepared for each choice of wires (as in ``SmvOptions``); choices with the same wires count once.

    With ``options.facts`` the facts of the system are found first.

    Raises UnsupportedError if it is not an invariant, InputError for failing expressions anywhere in the
    system, and MemoryExhausted.
    """
    invariant = invariant_of(system, target)
    if invariant is None:
        raise UnsupportedError(f"{target.kind}, and neither an invariant of the states nor AG of one")
    # Encode the whole system once for the errors that only evaluation shows; the cone and the wires hide some.
    encode(system, memory=options.memory, reordering=options.reordering, engine=options.bdd).predicate(invariant)
    known = facts_for(target, system, options, progress)
    facts = FactLemmas(
        tuple(flat_expression_text(fact.expression) for fact in known), tuple(fact.uses for fact in known)
    )
    whole = system
    bits: Mapping[str, tuple[str, int]] = {}
    if options.grain == "bit":
        split = bitwise(replace(system, properties=(target,)))
        whole, bits = split.system, split.bits
        invariant = invariant_of(whole, whole.properties[0])
        assert invariant is not None  # it is the same property
    cone = cone_of_influence(whole, invariant) if options.cone_of_influence else whole
    seen: set[tuple[str, ...]] = set()
    for wires in choices:
        cut = cut_at(cone, invariant, wires, options)
        names = tuple(name for name, _ in cut.wires)
        if names in seen:
            continue
        seen.add(names)
        # Facts may name DEFINEs that the cone has no use for.
        subject = _with_defines(cut.system, whole) if facts.texts else cut.system
        symbolic = encode(subject, memory=options.memory, trusted=True, engine=options.bdd)
        # Sifting costs the modules' small sets more than it saves, unless the static order is bad to begin with.
        symbolic.context.reorder_automatically(options.reordering and symbolic.context.nodes() > LARGE_SYSTEM)
        wire = cut.property_wire
        safe = symbolic.predicate(invariant) if wire is None else symbolic.encoding.equals(wire, True)
        yield DecompositionProblem(
            system=system,
            target=target,
            cone=cone,
            wired=cut.system,
            wires=cut.wires,
            property_wire=wire,
            symbolic=symbolic,
            safe=safe,
            bits=bits,
            options=options,
            facts=facts,
            fact_diagrams=tuple(symbolic.predicate(fact) for fact in expressions(subject, facts.texts)),
        )


def _with_defines(system: FlatSystem, whole: FlatSystem) -> FlatSystem:
    """The system with the DEFINEs of the whole that read no other variables."""
    supports = Supports(whole)
    names = system.by_name.keys()
    further = {name: body for name, body in whole.defines.items() if supports.of(body).variables <= names}
    return replace(system, defines={**further, **system.defines})


def cut_at(cone: FlatSystem, invariant: Expression, wires: Wires, options: SmvOptions) -> WiredSystem:
    """The system with the wires of one choice; ``cut`` chooses them for the numbers of parts that are tried."""
    if wires != "cut":
        return wired(cone, invariant, wires)
    from symag.smv.partition.cut_wires import cut_wired  # needs scipy, which takes a quarter of a second to import

    counts = DEFAULT_PARTS if options.parts is None else (options.parts,)
    return cut_wired(
        cone, invariant, counts, options.imbalance, options.partitioner, options.seed, moved(options.grain)
    )


def candidates(prepared: DecompositionProblem, options: SmvOptions, count: int) -> tuple[Partition, ...]:
    """The partitions into ``count`` parts to try, the most promising first; none if none is feasible.

    Raises UnsupportedError if the user asked for more parts than the property's cone has variables.
    """
    available = len(prepared.wired.variables) - len(prepared.wires)
    if count > available and options.parts is None:
        return ()
    if count > available:
        raise UnsupportedError(f"{count} parts are more than the {available} variables that matter")
    weightless = [name for name, _ in prepared.wires]
    cuts = partitions(
        prepared.wired, count, options.imbalance, options.partitioner, options.seed, weightless, moved(options.grain)
    )
    return cuts[: options.partitions]


def statistics(prepared: DecompositionProblem, partition: Partition, started: float) -> dict[str, Any]:
    """The columns of the paper's tables that both rules have; ``started`` is the process's CPU time in seconds then."""
    encoding = prepared.symbolic.encoding
    return {
        "variables": len(prepared.cone.variables),
        "bits": sum(len(encoding.current[variable.name]) for variable in prepared.cone.variables),
        "parts": len(partition.parts),
        **({"facts": len(prepared.facts.texts)} if prepared.options.facts else {}),
        "mx": partition.mx,
        "io": partition.io_bits,
        "bdd_nodes_peak": prepared.symbolic.context.peak_nodes(),
        "cpu_seconds": round(time.process_time() - started, 3),
    }
