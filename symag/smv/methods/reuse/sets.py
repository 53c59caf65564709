"""Uses the sets of states of an earlier proof: enlarges them until the steps of the changed system stay inside.

If the earlier proof has a set for each part, each grows by the images of its own variables, inside the other sets
(machine by machine traversal: Cho, Hachtel, Macii, Plessier, Somenzi, IEEE TCAD 1996). The result contains all
reachable states, whatever the sets were before, so the sets need not be trusted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.methods.options import SmvOptions
from symag.smv.model.dependencies import Cones
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.properties import invariant_of
from symag.smv.model.typed import Expression
from symag.smv.symbolic.clustering import cluster
from symag.smv.symbolic.diagram import DiagramWriter, read_diagrams
from symag.smv.symbolic.order import static_order
from symag.smv.symbolic.relation import system_conjuncts
from symag.smv.symbolic.relational_product import CLUSTER_THRESHOLD, RelationalProduct
from symag.smv.symbolic.system import SymbolicSystem, encode


class ProvedBySets(Struct, frozen=True):
    """``certificate`` has the enlarged sets, ``note`` says how many are. ``candidates`` are the properties that may
    hold: the invariants that the sets prove, and all CTL properties. ``is_larger``: at least one set is enlarged.
    """

    certificate: InductiveSet
    candidates: tuple[Property, ...]
    note: str
    images: int
    is_larger: bool
    assumes_closed: bool


class EnlargedSets:
    """Proofs by sets of states of one system."""

    def __init__(self, system: FlatSystem, options: SmvOptions) -> None:
        self._system = system
        self._options = options
        self._cones = Cones(system)
        self._static: tuple[tuple[str, int], ...] | None = None

    def decide(self, property: Property, earlier: InductiveSet, progress: Progress) -> PropertyResult | None:
        """Prove an invariant by enlarged sets; None if their intersection has a state that violates it.

        Raises UnsupportedError for other properties, InputError and MemoryExhausted.
        """
        started = time.process_time()
        if invariant_of(self._system, property) is None:
            raise UnsupportedError(f"{property.kind} that is not an invariant of states, by sets of an earlier proof")
        proved = self.proved([property], earlier, progress)
        if not proved.candidates:
            return None
        return PropertyResult(
            Verdict.HOLDS,
            "sets",
            certificate=proved.certificate,
            notes=(proved.note,),
            statistics={"cpu_seconds": round(time.process_time() - started, 3), "images": proved.images},
        )

    def proved(
        self,
        properties: Sequence[Property],
        earlier: InductiveSet,
        progress: Progress,
        *,
        branching: bool = False,
        assume_closed: bool = False,
    ) -> ProvedBySets:
        """Enlarge sets of an earlier proof, over the cone of influence of properties, and ask which these may prove.

        ``branching``: the properties are CTL. ``assume_closed``: if a single set lacks initial states, only these and
        what they reach are added; the result is closed if no step leaves the earlier set. Raises InputError and
        MemoryExhausted.
        """
        invariants = [None if branching else invariant_of(self._system, item) for item in properties]
        formulas = [
            (item.expression, True) if own is None else (own, False)
            for item, own in zip(properties, invariants, strict=True)
        ]
        cones = [self._cones.variables(formula, fair) for formula, fair in formulas if formula is not None]
        variables = frozenset[str]().union(*cones)
        options = self._options
        # No sifting before the sets are read: they are small under their own order.
        symbolic = encode(self._system, self.order(earlier.table), memory=options.memory, engine=options.bdd)
        context = symbolic.context
        if options.reordering:
            context.reorder_large_tables()
        with memory_errors():
            invar = [conjunct.diagram for conjunct in symbolic.invar_over(variables)]
            enlarged = _enlarged(symbolic, variables, invar, earlier, progress, assume_closed)
            every = symbolic.encoding.current_bits(variables)

            def is_proved(invariant: Expression) -> bool:
                bad = ~symbolic.predicate(invariant)
                violations = RelationalProduct.of(context, [*enlarged.sets, *invar, bad], every)
                return bool(violations.apply(context.true) == context.false)

            candidates = tuple(
                item
                for item, invariant in zip(properties, invariants, strict=True)
                if invariant is None or is_proved(invariant)
            )
        total = len(earlier.conjuncts)
        note = f"{total - enlarged.changed} of its {total} sets are as they were, {enlarged.changed} enlarged"
        images, assumes_closed = enlarged.images, enlarged.assumes_closed
        return ProvedBySets(enlarged.certificate, candidates, note, images, enlarged.changed > 0, assumes_closed)

    def order(self, table: DiagramTable) -> tuple[tuple[str, int], ...]:
        """The order of a table's diagrams, under which they are no larger; other bits follow their neighbours."""
        if self._static is None:
            self._static = static_order(self._system)
        after: dict[tuple[str, int] | None, list[tuple[str, int]]] = {None: []}
        present = set(self._static)
        ordered = [bit for bit in table.order() if bit in present]
        named = frozenset(ordered)
        last = None
        for bit in self._static:
            if bit in named:
                last = bit
            else:
                after.setdefault(last, []).append(bit)
        return tuple(after[None]) + tuple(item for bit in ordered for item in (bit, *after.get(bit, ())))


class _GrownSets(Struct, frozen=True):
    """Sets that no step leaves, as a certificate too; how many are larger than before, and the images it took.

    ``assumes_closed``: if no step left the set as it was.
    """

    sets: tuple[Bdd, ...]
    certificate: InductiveSet
    changed: int
    images: int
    assumes_closed: bool


def _enlarged(
    symbolic: SymbolicSystem,
    variables: frozenset[str],
    invar: Sequence[Bdd],
    earlier: InductiveSet,
    progress: Progress,
    assume_closed: bool,
) -> _GrownSets:
    diagrams = read_diagrams(symbolic.encoding, earlier.table, variables)
    conjuncts = [diagrams[number] for number in earlier.conjuncts]
    init = (conjunct.diagram for conjunct in symbolic.init if conjunct.current <= variables)
    growth = GrowingSets(symbolic, variables, conjuncts, symbolic.context.conjunction([*invar, *init]))
    assumes_closed = assume_closed and growth.lacks_initial_states
    growth.close(progress, assumes_closed=assumes_closed)
    writer = DiagramWriter(symbolic.encoding)
    numbers = tuple(writer.add(part) for part in growth.sets)
    changed = sum(before != after for before, after in zip(conjuncts, growth.sets, strict=True))
    return _GrownSets(tuple(growth.sets), InductiveSet(writer.table(), numbers), changed, growth.images, assumes_closed)


class GrowingSets:
    """Sets of states, each over bits of its own; ``close`` enlarges them until no step leaves their intersection.

    ``images`` is the number of images computed so far.
    """

    def __init__(self, symbolic: SymbolicSystem, variables: frozenset[str], sets: Sequence[Bdd], initial: Bdd) -> None:
        encoding, context = symbolic.encoding, symbolic.context
        self._context = context
        self._encoding = encoding
        self._current = encoding.current_bits(variables)
        self._state = [name for name in variables if encoding.variables[name].kind is VariableKind.STATE]
        following = encoding.next_bits(self._state)
        pairs = dict(zip(encoding.current_bits(self._state), following, strict=True))
        own = [self._own_bits(part, variables if len(sets) == 1 else frozenset()) for part in sets]
        frozen = frozenset(encoding.current_bits(n for n in variables if n not in self._state))
        #: For each set the bits to quantify: current ones but its own frozen ones, next ones of others.
        self._quantified = [
            frozenset(self._current).difference(bits & frozen)
            | frozenset(then for now, then in pairs.items() if now not in bits)
            for bits in own
        ]
        conjuncts = list(system_conjuncts(symbolic, variables))
        self._clusters = cluster(context, conjuncts, frozenset(self._current), CLUSTER_THRESHOLD)
        self.sets = [
            part | context.exists([bit for bit in self._current if bit not in bits], initial)
            for part, bits in zip(sets, own, strict=True)
        ]
        self._initial = self.sets[0] & ~sets[0] if len(sets) == 1 else context.false
        self.images = 0

    @property
    def lacks_initial_states(self) -> bool:
        """Whether there is one set, and it lacked initial states."""
        return bool(self._initial != self._context.false)

    def _own_bits(self, part: Bdd, variables: frozenset[str]) -> frozenset[str]:
        """All bits of the state variables that a set reads, and of ``variables``: an enlarged set may read them."""
        owner = self._encoding.variable_of_bit
        names = variables | {owner[bit][0] for bit in self._context.support(part)}
        state = (name for name in names if self._encoding.variables[name].kind is not VariableKind.INPUT)
        return frozenset(self._encoding.current_bits(state))

    def close(self, progress: Progress, *, assumes_closed: bool) -> None:
        """Enlarge the sets until all are closed. Raises MemoryExhausted.

        ``assumes_closed``: there is one set, and only steps from initial states that it lacked are looked at.
        """
        if len(self.sets) == 1:
            self._close_one(self._initial if assumes_closed else self.sets[0], progress)
            return
        waiting = set(range(len(self.sets)))
        while waiting:
            number = min(waiting)
            waiting.discard(number)
            larger = self.sets[number] | self._image(number, self.sets[number])
            if larger != self.sets[number]:
                self.sets[number] = larger
                # The image of any set depends on this one.
                waiting = set(range(len(self.sets)))
            progress(f"image {self.images}, {len(waiting)} of {len(self.sets)} sets to look at")

    def _close_one(self, ring: Bdd, progress: Progress) -> None:
        while ring != self._context.false:
            ring = self._image(0, ring) & ~self.sets[0]
            self.sets[0] = self.sets[0] | ring
            progress(f"image {self.images}")

    def _image(self, number: int, states: Bdd) -> Bdd:
        """The image of some states of a set, inside the other sets, over the set's own bits."""
        self.images += 1
        others = [part for index, part in enumerate(self.sets) if index != number]
        product = RelationalProduct.over_clusters(self._context, [*self._clusters, *others], self._quantified[number])
        return self._encoding.to_current(product.apply(states))
