"""The symbolic system: a flat system's constraints as separate diagrams over one context."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.bdd.engines import Engine, new_context
from symag.core.grouping import pairwise
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.symbolic.choices import ConjunctOfTrans, KeepingOperand, Operand, conjuncts, parts_of_trans
from symag.smv.symbolic.encoding import Encoding, current_bit, next_bit
from symag.smv.symbolic.expressions import ExpressionEncoder
from symag.smv.symbolic.order import static_order

#: ``domain``: the bits of a variable stand for a value; ``assignment``: ``owner`` is assigned;
#: ``constraint``: INIT, INVAR or TRANS.
ConjunctKind = Literal["domain", "assignment", "constraint"]


class Alternative(Struct, frozen=True, eq=False):
    """``diagram`` holds, and the variables of ``kept`` keep their values (the diagram need not imply that)."""

    diagram: Bdd
    kept: frozenset[str]


class Disjunction(Struct, eq=False):
    """The disjunction of alternatives. Its diagram, which is large and seldom needed, is made at its first use."""

    encoding: Encoding
    alternatives: tuple[Alternative, ...]
    _unchanged: Mapping[str, Bdd]
    _whole: Bdd | None = None

    def whole(self) -> Bdd:
        """The diagram. Raises MemoryExhausted."""
        if self._whole is None:
            context = self.encoding.context
            with memory_errors():
                self._whole = pairwise(
                    operator.or_,
                    [
                        context.conjunction(
                            (alternative.diagram, *(self._unchanged[name] for name in sorted(alternative.kept)))
                        )
                        for alternative in self.alternatives
                    ],
                )
        return self._whole

    def variables(self) -> tuple[frozenset[str], frozenset[str]]:
        """The variables that the alternatives read now, and those that they read in the next state."""
        context = self.encoding.context
        bits = frozenset().union(*(context.support(alternative.diagram) for alternative in self.alternatives))
        read = [self.encoding.variable_of_bit[bit] for bit in bits]
        unchanged = frozenset().union(*(alternative.kept for alternative in self.alternatives))
        return (
            unchanged.union(name for name, _, primed in read if not primed),
            unchanged.union(name for name, _, primed in read if primed),
        )


class Conjunct(Struct, frozen=True, eq=False):
    """One conjunct of init, invar or trans.

    ``owner`` is the variable that it assigns or whose domain it is, None for a constraint. ``current`` are the
    variables whose current (or input) bits the diagram reads, ``next`` those whose next bits it reads, the owner
    included. If it is a disjunction in TRANS, and every operand keeps some variables, the operands are its
    ``alternatives``.
    """

    _diagram: Bdd | Disjunction
    kind: ConjunctKind
    owner: str | None
    current: frozenset[str]
    next: frozenset[str]
    position: int

    @property
    def diagram(self) -> Bdd:
        """The whole conjunct as one diagram."""
        return self._diagram.whole() if isinstance(self._diagram, Disjunction) else self._diagram

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The conjunct as a disjunction of events; none if it is not given as one."""
        return self._diagram.alternatives if isinstance(self._diagram, Disjunction) else ()


class SymbolicSystem(Struct, frozen=True, eq=False):
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
    _encoder: ExpressionEncoder

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
        # Init first: it mostly gives values, while domains of numbers with interleaved bits multiply without them.
        with memory_errors():
            return self.context.conjunction(conjunct.diagram for conjunct in (*self.init, *self.invar))

    def diagrams(self) -> tuple[Bdd, ...]:
        """The diagrams of all conjuncts. Raises MemoryExhausted."""
        with memory_errors():
            return tuple(conjunct.diagram for conjunct in (*self.init, *self.invar, *self.trans))

    def invariant(self, variables: frozenset[str] | None = None) -> Bdd:
        """The conjunction of ``invar``, or of its conjuncts over these variables. Raises MemoryExhausted."""
        chosen = self.invar if variables is None else self.invar_over(variables)
        with memory_errors():
            return self.context.conjunction(conjunct.diagram for conjunct in chosen)

    def trans_over(self, variables: frozenset[str]) -> list[Conjunct]:
        """The conjuncts of trans that read these variables only."""
        return [conjunct for conjunct in self.trans if conjunct.current | conjunct.next <= variables]

    def invar_over(self, variables: frozenset[str]) -> list[Conjunct]:
        """The conjuncts of invar that read these variables only."""
        return [conjunct for conjunct in self.invar if conjunct.current <= variables]


def encode(
    system: FlatSystem,
    order: Sequence[tuple[str, int]] | None = None,
    *,
    memory: int | None = None,
    reordering: bool = False,
    engine: Engine = "auto",
    trusted: bool = False,
) -> SymbolicSystem:
    """Encode a flat system in a context of its own.

    ``order`` lists every ``(variable, bit)`` from the top (None: :func:`static_order`); ``memory`` is in MiB;
    ``reordering`` lets the manager sift automatically from the start; ``engine`` is the package of diagrams.
    ``trusted``: failures of evaluation raise no error, because the system comes from one that was encoded without
    error (they may occur under valuations that a wire and its expression exclude together). Raises InputError for
    failing expressions (position of the construct) and MemoryExhausted.
    """
    context = new_context(engine, memory)
    with memory_errors():
        trans = parts_of_trans(system)
        encoding = Encoding.declare(context, system, static_order(system, trans) if order is None else order)
        context.reorder_automatically(reordering)
        return _encode(system, encoding, trans, trusted)


def _encode(
    system: FlatSystem, encoding: Encoding, trans_parts: Sequence[Sequence[ConjunctOfTrans]], trusted: bool
) -> SymbolicSystem:
    encoder = ExpressionEncoder(encoding, system.defines, system.source, trusted)

    def conjunct(diagram: Bdd, kind: ConjunctKind, owner: str | None, position: int) -> Conjunct:
        return Conjunct(diagram, kind, owner, *encoding.variables_in(diagram), position)

    def assignments(time: str) -> Iterable[Conjunct]:
        for assignment in system.assignments:
            if assignment.time != time:
                continue
            # Chaining needs one conjunct for the whole assignment, to see when a process keeps the variable.
            whole = time != "next" or system.selector is not None
            encoded = encoder.assignment if whole else encoder.assignment_in_parts
            diagrams = encoded(assignment.variable, time == "next", assignment.value)
            for diagram in diagrams if isinstance(diagrams, list) else [diagrams]:
                yield conjunct(diagram, "assignment", assignment.variable, assignment.position)

    def domains(*kinds: VariableKind) -> Iterable[Conjunct]:
        for name in encoding.names(*kinds):
            diagram = encoding.valid(name)
            if diagram != encoding.context.true:
                yield conjunct(diagram, "domain", name, encoding.variables[name].position)

    init = [*assignments("init")]
    init.extend(
        conjunct(encoder.boolean(constraint.expression), "constraint", None, constraint.position)
        for constraint in system.init
    )
    invar = [*domains(VariableKind.STATE, VariableKind.FROZEN), *assignments("current")]
    invar.extend(
        conjunct(encoder.boolean(constraint.expression), "constraint", None, constraint.position)
        for constraint in system.invar
    )
    trans = [*domains(VariableKind.INPUT), *assignments("next")]
    for constraint, parts in zip(system.trans, trans_parts, strict=True):
        leaves = [leaf for part in parts for leaf in _leaves(part)]
        if any(encoder.can_fail(leaf) for leaf in leaves):
            encoder.boolean(constraint.expression)  # raises InputError, unless other parts absorb the failure
        for part in parts:
            if part.choices:
                disjunction = _disjunction(encoder, encoding, part.choices)
                trans.append(Conjunct(disjunction, "constraint", None, *disjunction.variables(), constraint.position))
            else:
                trans.append(conjunct(encoder.diagram(part.whole), "constraint", None, constraint.position))
    encoder.forget()
    return SymbolicSystem(system, encoding.context, encoding, tuple(init), tuple(invar), tuple(trans), encoder)


def _leaves(part: ConjunctOfTrans) -> Iterator[Operand]:
    """The operands of a part that get diagrams."""
    for choice in part.choices:
        yield from choice.rest
    if not part.choices:
        yield part.whole


def _disjunction(encoder: ExpressionEncoder, encoding: Encoding, choices: Sequence[KeepingOperand]) -> Disjunction:
    unchanged = sorted(frozenset().union(*(choice.kept for choice in choices)))
    return Disjunction(
        encoding,
        tuple(
            Alternative(encoding.context.conjunction(map(encoder.diagram, choice.rest)), choice.kept)
            for choice in choices
        ),
        {name: encoder.unchanged(name) for name in unchanged},
    )


def enlarged(base: SymbolicSystem, system: FlatSystem) -> SymbolicSystem:
    """Encode the additions of ``system`` to ``base.source``; everything else is shared with ``base``.

    ``system`` is ``base.source`` with boolean state variables, defines, INIT, INVAR and TRANS constraints added at
    the end of its lists, as by ``symag.smv.temporal.tableau``. New bits stand below all others; bits that an earlier
    extension has declared are used again. Raises InputError and MemoryExhausted.
    """
    source = base.source
    context = base.context
    added = system.variables[len(source.variables) :]
    with memory_errors():
        known = frozenset(context.order())
        pairs = [(current_bit(variable.name, 0), next_bit(variable.name, 0)) for variable in added]
        context.declare(pair for pair in pairs if pair[0] not in known)
        encoding = Encoding.over(context, system.variables)
        encoder = ExpressionEncoder(encoding, system.defines, system.source, False)

        def conjunct(diagram: Bdd, position: int) -> Conjunct:
            return Conjunct(diagram, "constraint", None, *encoding.variables_in(diagram), position)

        def whole(expression: Expression, position: int) -> Conjunct:
            return conjunct(encoder.boolean(expression), position)

        init = [whole(constraint.expression, constraint.position) for constraint in system.init[len(source.init) :]]
        invar = [whole(constraint.expression, constraint.position) for constraint in system.invar[len(source.invar) :]]
        trans: list[Conjunct] = []
        for constraint in system.trans[len(source.trans) :]:
            encoder.boolean(constraint.expression)  # errors are those of the whole
            parts = conjuncts(system.defines, constraint.expression)
            trans.extend(conjunct(encoder.diagram(part), constraint.position) for part in parts)
        encoder.forget()
    return SymbolicSystem(
        system,
        context,
        encoding,
        (*base.init, *init),
        (*base.invar, *invar),
        (*base.trans, *trans),
        encoder,
    )
