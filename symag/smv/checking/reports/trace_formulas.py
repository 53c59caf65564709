"""The sub-formulas of a property in every state of its counterexample, by certify's interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from symag.core.trace import Trace
from symag.smv.certify.runs.runs import outcomes
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import (
    LOGICAL_OPERATORS,
    TEMPORAL_OPERATORS,
    Constant,
    DefineReference,
    Expression,
    Operation,
    VariableReference,
    has_operator,
)
from symag.smv.model.types import BooleanType
from symag.traces.report import ShownFormula

#: Operators whose operands are shown as formulas of their own.
_SHOWN = LOGICAL_OPERATORS | TEMPORAL_OPERATORS
#: Operators of which a chain is one operation.
_CHAINS = frozenset(("and", "or", "xor", "xnor", "iff"))
#: Evaluating a branching-time formula along a run costs the square of the steps.
_MOST_STEPS = 1000
#: Larger properties are shown by this many parts: a table of thousands is of no use.
MOST_FORMULAS = 60


class Part(Struct, frozen=True):
    """A part of a property: its expression, how deep it lies in the whole, and its truth in every state."""

    expression: Expression
    depth: int
    truths: tuple[bool | None, ...]


def formulas(system: FlatSystem, checked: Property, trace: Trace) -> tuple[ShownFormula, ...]:
    """The parts of a property (see ``parts_of``) as they are shown."""
    return shown_parts(parts_of(system, checked, trace))


def shown_parts(parts: Sequence[Part]) -> tuple[ShownFormula, ...]:
    """Parts as they are shown."""
    return tuple(ShownFormula(short_text(part.expression), part.depth, part.truths) for part in parts)


def parts_of(system: FlatSystem, checked: Property, trace: Trace) -> tuple[Part, ...]:
    """The property and its boolean parts, the whole first, at most MOST_FORMULAS, with their truths in every state.

    Variables alone are left out, for they are shown anyway. LTL operators are evaluated along the lasso, at the first
    visit of each step. One run shows only some truths of a CTL operator; the others are None. Raises CertificationError
    if a part has no value.
    """
    if checked.expression is None:
        return ()

    parts = list(_parts(system, checked.expression))
    plain = [part for part, _ in parts if not has_operator(part, TEMPORAL_OPERATORS)]
    columns: dict[int, list[bool | None]] = {id(part): [] for part, _ in parts}
    for _, row in outcomes(system, plain, trace):
        for part, outcome in zip(plain, row, strict=True):
            columns[id(part)].append(outcome if isinstance(outcome, bool) else None)
    if checked.kind in ("LTL", "PSL") and trace.kind == "lasso":
        # For start-up: only traces of such properties need it.
        from symag.smv.certify.runs.lasso import truths_along

        for part, _ in parts:
            if has_operator(part, TEMPORAL_OPERATORS):
                columns[id(part)].extend(truths_along(system, part, trace))
    elif checked.kind == "CTL" and trace.kind != "tree" and len(trace.steps) <= _MOST_STEPS:
        # For start-up: only traces of such properties need it.
        from symag.smv.certify.runs.branching import shown_truths
        from symag.smv.certify.runs.replay import shows_fair_path

        if shows_fair_path(system, trace):
            for part, _ in parts:
                if has_operator(part, TEMPORAL_OPERATORS):
                    columns[id(part)].extend(shown_truths(system, part, trace))
    unknown = (None,) * len(trace.steps)
    return tuple(Part(part, depth, tuple(columns[id(part)]) or unknown) for part, depth in parts)


def _parts(system: FlatSystem, whole: Expression) -> Iterator[tuple[Expression, int]]:
    """Boolean parts in reading order with their depth, each text once; DEFINEs are followed by what they stand for."""
    stack: list[tuple[Expression, int]] = [(whole, 0)]
    seen: set[str] = set()
    count = 0
    while stack and count < MOST_FORMULAS:
        part, depth = stack.pop()
        if depth and isinstance(part, Constant | VariableReference):
            continue
        text = expression_text(part)
        if not isinstance(part.type, BooleanType) or text in seen:
            continue
        seen.add(text)
        count += 1
        yield part, depth
        below: tuple[Expression, ...] = ()
        if isinstance(part, DefineReference) and not part.primed:
            below = (system.defines[part.name],)
        elif isinstance(part, Operation) and part.operator in _SHOWN:
            below = tuple(flat_operands(part))
        stack.extend((operand, depth + 1) for operand in reversed(below))


def flat_operands(whole: Operation) -> Iterator[Expression]:
    """The operands of an operation; those of ``(a & b) & c`` are a, b and c."""
    stack = list(reversed(whole.operands))
    while stack:
        part = stack.pop()
        if isinstance(part, Operation) and part.operator == whole.operator and part.operator in _CHAINS:
            stack.extend(reversed(part.operands))
        else:
            yield part


def short_text(part: Expression) -> str:
    """A formula without NuSMV's double blanks; ``a & b`` of ``(a & b)``, but not ``a) & (b`` of ``(a) & (b)``."""
    text = " ".join(expression_text(part).split())
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and index < len(text) - 1:
            return text
    return text[1:-1].strip() if text.startswith("(") else text
