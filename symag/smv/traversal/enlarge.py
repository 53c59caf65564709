"""A symbolic system with more variables and constraints, in the context of the system that it extends."""

from __future__ import annotations

from symag.bdd.context import Bdd, memory_errors
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression
from symag.smv.symbolic.choices import conjuncts
from symag.smv.symbolic.encoding import Encoding, current_bit, next_bit
from symag.smv.symbolic.expressions import ExpressionEncoder
from symag.smv.symbolic.system import Conjunct, SymbolicSystem


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
