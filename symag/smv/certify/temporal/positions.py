"""A system as certify's BDDs: initial positions, invariant, and transitions, in a context of their own.

An expression that denotes an error takes an arbitrary value (see ``bit_blasting``), which is a free variable that
stands for no bit. Transitions that exist for SOME value (``may``) serve to prove that no run leaves a set, transitions
that exist for EVERY value (``must``) to prove that a run exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from symag.core.limits import Deadline
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.temporal import AvoidedCondition, RemovalStep
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.constraints import ConstraintReads, ConstraintSignals
from symag.smv.certify.circuits.decision_diagrams import Bdd, DecisionDiagrams
from symag.smv.certify.circuits.diagrams import Diagrams, bit_order
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import refused
from symag.smv.certify.temporal.tableau import Pair
from symag.smv.certify.transitions import FairnessCondition, Transitions
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import bit_count


class Constraints(Struct, frozen=True):
    """The constraints on runs: ``selected`` ones over the variables ``names``, and a tableau's bits and signals."""

    selected: Sequence[ConstraintReads]
    names: Sequence[str]
    bits: Sequence[Pair] = ()
    initial: Sequence[int] = ()
    transitions: Sequence[int] = ()


class Positions(Struct, frozen=True, eq=False):
    """A system's positions and transitions. ``always`` holds at every position; ``may`` includes ``must()``.

    ``known`` are the names of all current and next bits; other variables of formulas stand for erroneous values.
    """

    context: DecisionDiagrams
    diagrams: Diagrams
    inputs: frozenset[str]
    known: frozenset[str]
    _first: tuple[int, ...]
    always: tuple[Bdd, ...]
    deadline: Deadline
    _signals: Sequence[int]
    _pairs: Mapping[str, str]
    _choices: Sequence[Mapping[str, bool]]
    _care: Bdd
    _conjuncts: list[Bdd] = field(default_factory=list)
    _may: list[Transitions] = field(default_factory=list)
    _must: list[Transitions] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        encoder: Encoder,
        diagrams: Diagrams,
        table: DiagramTable,
        constraints: Constraints,
        deadline: Deadline,
        encoded: EncodedSystem | None = None,
    ) -> Positions:
        """All constraints as BDDs, in a context of their own without ``encoded``. Raises OutOfTimeError."""
        order = _order(encoder, diagrams, table, constraints)
        if encoded is None:
            context = DecisionDiagrams(encoder.circuit)
            context.declare(order)
        else:
            context = encoded.diagrams(order)
        names = constraints.names
        signals = ConstraintSignals.of(encoder, constraints.selected, names)
        pairs = _pairs(context, encoder, constraints)
        choices = _choices(context, encoder, names)
        inputs = [name for name in names if name in encoder.system.inputs]
        return cls(
            context,
            diagrams,
            frozenset(context.name(bit) for name in inputs for bit in encoder.bits(name, False)),
            frozenset(pairs).union(pairs.values()),
            (*signals.initial, *constraints.initial),
            tuple(context.of(signal) for signal in signals.state),
            deadline,
            (*signals.step, *signals.next_state, *constraints.transitions, *signals.state),
            pairs,
            choices,
            context.true,
        )

    def within(self, states: Bdd) -> Positions:
        """The same positions; only transitions from these states need be right, which may be simpler."""
        return replace(self, _care=states, _conjuncts=[], _may=[], _must=[])

    @property
    def initial(self) -> tuple[Bdd, ...]:
        """The constraints of the first position, besides ``always``."""
        return tuple(self.context.of(signal) for signal in self._first)

    @property
    def may(self) -> Transitions:
        """The transitions that exist for some value of each erroneous expression; built when first used."""
        if not self._may:
            conjuncts = []
            for signal in self._signals:
                self.deadline.check()
                conjuncts.append(self.context.of(signal))
            self._conjuncts.extend(conjuncts)
            self._may.append(self._transitions(conjuncts))
        return self._may[0]

    def must(self) -> Transitions:
        """The transitions that exist for every value of each erroneous expression; built when first used."""
        if not self._must:
            may = self.may
            safe = [self.certainly(conjunct) for conjunct in self._conjuncts]
            same = all(a == b for a, b in zip(safe, self._conjuncts, strict=True))
            self._must.append(may if same else self._transitions(safe))
        return self._must[0]

    def _transitions(self, conjuncts: Sequence[Bdd]) -> Transitions:
        pairs = self._pairs
        return Transitions.of(self.context, self.deadline, conjuncts, pairs, self._choices, pairs.keys(), self._care)

    def certainly(self, formula: Bdd) -> Bdd:
        """Where the formula is true for every value of each erroneous expression."""
        return self.context.for_all(self.context.support(formula) - self.known, formula)

    def states(self, positions: Bdd) -> Bdd:
        """The states of positions: the inputs quantified away existentially."""
        return self.context.exists(self.inputs, positions)

    def set(self, roots: Iterable[int]) -> Bdd:
        """The conjunction of a certificate's formulas."""
        return self.context.conjunction(self.context.of(self.diagrams.signal(root)) for root in roots)

    def fairness(self, encoder: Encoder, *, certain: bool) -> list[FairnessCondition]:
        """The system's JUSTICE and COMPASSION, met for some value of each erroneous expression, or (``certain``) for
        every value.
        """
        system, context = encoder.system, self.context

        def condition(signal: int, harder: bool) -> Bdd:
            positions = context.of(signal)
            return self.certainly(positions) if harder else ~self.certainly(~positions)

        conditions = [
            FairnessCondition(context.true, condition(encoder.truth(item.expression), certain))
            for item in system.justice
        ]
        for often, answer in system.compassion:
            first, second = encoder.truth(often.expression), encoder.truth(answer.expression)
            conditions.append(FairnessCondition(condition(first, not certain), condition(second, certain)))
        return conditions


def every_name(system: FlatSystem) -> list[str]:
    """All variables of a system, sorted."""
    return sorted(system.by_name)


def _order(encoder: Encoder, diagrams: Diagrams, table: DiagramTable, constraints: Constraints) -> list[int]:
    """Each bit beside its next one: first a tableau's bits that the table does not mention, then the table's bits in
    their order.
    """
    order: list[int] = []
    mentioned = {abs(diagrams.bit(name, index, primed=False)) for name, index in table.bits}
    for now, following in constraints.bits:
        if now not in mentioned:
            order += (now, following)
    for name, index in bit_order(encoder, table, constraints.selected, constraints.names):
        for primed in (False, True):
            signal = abs(diagrams.bit(name, index, primed))
            if encoder.circuit.gates[signal] == ("input",):
                order.append(signal)
    return list(dict.fromkeys(order))


def _pairs(context: DecisionDiagrams, encoder: Encoder, constraints: Constraints) -> dict[str, str]:
    pairs = list(constraints.bits)
    for name in constraints.names:
        pairs += zip(encoder.bits(name, False), encoder.bits(name, True), strict=True)
    return {context.name(now): context.name(following) for now, following in pairs}


def _choices(context: DecisionDiagrams, encoder: Encoder, names: Sequence[str]) -> list[dict[str, bool]]:
    """One valuation of bits for each value of the variable that chooses the process; one without bits for others."""
    selector = encoder.system.selector
    if selector is None or selector not in names:
        return [{}]
    bits = [context.name(bit) for bit in encoder.bits(selector, False)]
    width = bit_count(encoder.type_of(selector))
    return [{bit: bool(code >> index & 1) for index, bit in enumerate(bits)} for code in range(2**width)]


class Emptiness(Struct, frozen=True, eq=False):
    """The conditions that fair runs meet: the system's, made easier to meet, and a tableau's eventualities.

    Why a ``symag.smv.certificates.temporal.RemovalStep`` proves that no fair run stays in Z: take a fair run that stays
    in Z from some step on. If it then visits D, it stays in D for ever, and never meets the avoided condition again.
    With a JUSTICE that run is not fair, so a fair run stays in Z without D from some step on. With a COMPASSION the run
    meets the first condition only finitely often, so it stays in Z without those positions of D. When Z is empty, there
    is no such run.
    """

    positions: Positions
    justice: Sequence[FairnessCondition]
    compassion: Sequence[FairnessCondition]
    eventualities: Sequence[Bdd]

    def check(self, inside: Bdd, removals: Sequence[RemovalStep], what: str) -> None:
        """Accept that no fair run stays in ``inside``; ``what`` names the set in the refusal.

        Raises CertificationError with the removal that fails, OutOfTimeError. Removals take from the set in their
        order; if something is left, its fair core is computed.
        """
        for number, removal in enumerate(removals, start=1):
            inside = self._without(inside, removal, f"{what}, removal {number}")
        if inside == self.positions.context.false:
            return
        true = self.positions.context.true
        met = [FairnessCondition(true, condition) for condition in self.eventualities]
        fairness = [*self.justice, *self.compassion, *met]
        if self.positions.may.fair_core(inside, fairness) != self.positions.context.false:
            raise refused(f"{what}: a fair run remains")

    def _without(self, inside: Bdd, removal: RemovalStep, where: str) -> Bdd:
        transitions, false = self.positions.may, self.positions.context.false
        removed = inside & self.positions.set([removal.positions])
        if transitions.leads(removed, inside & ~removed):
            raise refused(f"{where}: a transition leaves the positions")
        if removal.avoids.kind == "progress":
            if transitions.trimmed(removed) != false:
                raise refused(f"{where}: an infinite run stays")
            return inside & ~removed
        condition = self._condition(removal.avoids, where)
        if transitions.leads(removed & condition.answer, inside):
            raise refused(f"{where}: the condition is met")
        return inside & ~(removed & condition.often)

    def _condition(self, avoided: AvoidedCondition, where: str) -> FairnessCondition:
        true = self.positions.context.true
        by_kind: dict[str, Sequence[FairnessCondition]] = {
            "justice": self.justice,
            "compassion": self.compassion,
            "eventuality": [FairnessCondition(true, condition) for condition in self.eventualities],
        }
        conditions = by_kind.get(avoided.kind, ())
        if not 0 <= avoided.index < len(conditions):
            raise refused(f"{where}: there is no {avoided.kind} {avoided.index}")
        return conditions[avoided.index]
