"""The symbolic system: a flat system's constraints as separate diagrams over one context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from symag.smv.flat import FlatSystem, VariableKind
from symag.smv.typed import Expression, Operation, VariableReference
from symag.symbolic.context import Bdd, BddContext, memory_errors
from symag.symbolic.encoding import Encoding
from symag.symbolic.expressions import ExpressionEncoder, Operand
from symag.symbolic.order import static_order

#: ``domain``: the bits of a variable stand for a value; ``assignment``: ``owner`` is assigned;
#: ``constraint``: INIT, INVAR or TRANS.
ConjunctKind = Literal["domain", "assignment", "constraint"]


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """``diagram`` holds, and the variables of ``kept`` keep their values (which the diagram need not say)."""

    diagram: Bdd
    kept: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Conjunct:
    """One conjunct of init, invar or trans.

    ``owner`` is the variable that it assigns or whose domain it states, None for a constraint.
    ``current`` are the variables that the diagram reads now (inputs too), ``next`` those it reads in
    the next state, the owner included. A TRANS that is a disjunction has its operands as
    ``alternatives``, if in every one of them some variables are kept.
    """

    diagram: Bdd
    kind: ConjunctKind
    owner: str | None
    current: frozenset[str]
    next: frozenset[str]
    position: int
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicSystem:
    """A flat system in a BDD context.

    ``init`` holds in the first state together with ``invar``; ``invar`` (domains of state and frozen
    variables, INVAR, current assignments) holds in every state and reads current bits only; ``trans``
    (domains of inputs, TRANS, next assignments) holds on every step. Frozen variables need no
    conjuncts: they share their bits with the next state.
    """

    source: FlatSystem
    context: BddContext
    encoding: Encoding
    init: tuple[Conjunct, ...]
    invar: tuple[Conjunct, ...]
    trans: tuple[Conjunct, ...]
    _encoder: ExpressionEncoder = field(repr=False)

    def predicate(self, expression: Expression) -> Bdd:
        """A boolean expression over current values as a diagram.

        Raises InputError where its evaluation can fail, MemoryExhausted over the memory limit.
        """
        with memory_errors():
            result = self._encoder.boolean(expression)
            self._encoder.forget()
            return result

    def initial_states(self) -> Bdd:
        """Init and invar."""
        with memory_errors():
            return self.context.conjunction(conjunct.diagram for conjunct in (*self.invar, *self.init))

    def invariant(self) -> Bdd:
        """The conjunction of ``invar``."""
        with memory_errors():
            return self.context.conjunction(conjunct.diagram for conjunct in self.invar)


def encode(
    system: FlatSystem,
    order: Sequence[tuple[str, int]] | None = None,
    *,
    memory: int | None = None,
    reordering: bool = False,
    backend: str | None = None,
    trusted: bool = False,
) -> SymbolicSystem:
    """Encode a flat system in a context of its own.

    ``order`` lists every ``(variable, bit)`` from the top (None: :func:`static_order`);
    ``memory`` is in MiB; ``reordering`` lets the manager sift by itself, from the start. ``trusted``: no
    evaluation that can occur fails, because the system comes from one that was encoded without error; it
    may still fail under valuations that a wire and what it stands for rule out together.
    Raises InputError for failing expressions (position of the construct) and MemoryExhausted.
    """
    context = BddContext(memory, backend)
    with memory_errors():
        encoding = Encoding.declare(context, system, static_order(system) if order is None else order)
        context.reorder_automatically(reordering)
        return _encode(system, encoding, trusted)


def _encode(system: FlatSystem, encoding: Encoding, trusted: bool) -> SymbolicSystem:
    encoder = ExpressionEncoder(encoding, system.defines, system.source, trusted)

    def conjunct(diagram: Bdd, kind: ConjunctKind, owner: str | None, position: int) -> Conjunct:
        return Conjunct(diagram, kind, owner, *encoding.variables_in(diagram), position)

    def assignments(time: str) -> Iterable[Conjunct]:
        for assignment in system.assignments:
            if assignment.time == time:
                diagram = encoder.assignment(assignment.variable, time == "next", assignment.value)
                yield conjunct(diagram, "assignment", assignment.variable, assignment.position)

    def domains(*kinds: VariableKind) -> Iterable[Conjunct]:
        for name in encoding.names(*kinds):
            diagram = encoding.valid(name)
            if diagram != encoding.context.true:
                yield conjunct(diagram, "domain", name, encoding.variables[name].position)

    init = [*assignments("init")]
    init.extend(conjunct(encoder.boolean(each.expression), "constraint", None, each.position) for each in system.init)
    invar = [*domains(VariableKind.STATE, VariableKind.FROZEN), *assignments("current")]
    invar.extend(conjunct(encoder.boolean(each.expression), "constraint", None, each.position) for each in system.invar)
    trans = [*domains(VariableKind.INPUT), *assignments("next")]
    for each in system.trans:
        for part in encoder.conjuncts(each.expression):
            found = conjunct(encoder.diagram(part), "constraint", None, each.position)
            trans.append(replace(found, alternatives=_alternatives(encoder, encoding.context, part)))
    encoder.forget()
    return SymbolicSystem(system, encoding.context, encoding, tuple(init), tuple(invar), tuple(trans), encoder)


def _alternatives(encoder: ExpressionEncoder, context: BddContext, whole: Operand) -> tuple[Alternative, ...]:
    """The operands of a disjunction, or nothing if one of them keeps no variable."""
    operands = encoder.operands(whole, "or")
    found: list[Alternative] = []
    for operand in operands if len(operands) > 1 else ():
        kept: set[str] = set()
        diagram = context.true
        for part in encoder.operands(operand, "and"):
            name = _kept_variable(part)
            if name is None:
                diagram = diagram & encoder.diagram(part)
            else:
                kept.add(name)
        if not kept:
            return ()
        found.append(Alternative(diagram, frozenset(kept)))
    return tuple(found)


def _kept_variable(operand: Operand) -> str | None:
    """``x`` if the operand is ``next(x) = x`` or ``x = next(x)``."""
    expression = operand.expression
    if operand.primed or not isinstance(expression, Operation) or expression.operator not in ("=", "iff", "xnor"):
        return None
    left, right = expression.operands
    if not isinstance(left, VariableReference) or not isinstance(right, VariableReference):
        return None
    return left.name if left.name == right.name and left.primed != right.primed else None
