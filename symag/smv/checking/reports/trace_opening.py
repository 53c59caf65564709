"""The state of a counterexample at which its page opens, and a sentence that says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symag.core.trace import Trace
from symag.smv.checking.reports.trace_formulas import Part, flat_operands, short_text
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import DefineReference, Expression, Operation

_Truths = Mapping[int, tuple[bool | None, ...]]
_LONGEST = 100


def opening(system: FlatSystem, checked: Property, trace: Trace, parts: Sequence[Part]) -> tuple[int, str]:
    """The step, from 0, and the sentence.

    The search starts at the whole property, which is false in the first state, and goes down to a part that is false as
    long as one part makes the whole false: below G (AG) to the first state where its operand is false, below -> to the
    right side, below & to the first operand that is false. Without truths it is the last step, or the first of the
    loop.
    """
    last = len(trace.steps) - 1
    if not parts:
        return (last if trace.loop is None else trace.loop), ""
    truths = {id(part.expression): part.truths for part in parts}
    formula, step = parts[0].expression, 0
    if checked.kind == "INVARSPEC":
        step = next((k for k, truth in enumerate(parts[0].truths) if truth is False), last)
    elif checked.kind not in ("LTL", "PSL", "CTL"):
        return last, ""
    while (blamed := _blamed(system, formula, step, trace, truths)) is not None:
        formula, step = blamed
    if formula is parts[0].expression and step == 0 and parts[0].truths[0] is not False:
        return (last if trace.loop is None else trace.loop), ""
    text = short_text(formula)
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
    beyond = " and will not become true" if _is_promise(formula) else ""
    return step, f"{shown} is false in state {step + 1}{beyond}"


def _blamed(
    system: FlatSystem, formula: Expression, step: int, trace: Trace, truths: _Truths
) -> tuple[Expression, int] | None:
    """The part that makes a formula false in a step, and where; None if it is not one part."""
    if isinstance(formula, DefineReference) and not formula.primed:
        return _if_false(system.defines[formula.name], step, truths)
    if not isinstance(formula, Operation):
        return None
    operands = formula.operands
    match formula.operator:
        case "G" | "AG" if len(operands) == 1:
            where = (k for k in trace.steps_from(step) if truths.get(id(operands[0]), ())[k : k + 1] == (False,))
            violated_at = next(where, None)
            return None if violated_at is None else (operands[0], violated_at)
        case "implies":
            return _if_false(operands[1], step, truths)
        case "and":
            false_parts = (_if_false(operand, step, truths) for operand in flat_operands(formula))
            return next((part for part in false_parts if part is not None), None)
        case "X" | "AX":
            after = trace.after(step)
            return None if after is None else _if_false(operands[0], after, truths)
    return None


def _if_false(formula: Expression, step: int, truths: _Truths) -> tuple[Expression, int] | None:
    known = truths.get(id(formula))
    return (formula, step) if known is not None and known[step] is False else None


def _is_promise(formula: Expression) -> bool:
    return isinstance(formula, Operation) and formula.operator in ("F", "AF", "EF")
