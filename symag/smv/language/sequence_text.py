"""PSL's sequences as NuSMV prints them: braces around every part."""

from __future__ import annotations

from collections.abc import Callable

from symag.smv.language.syntax import Expression, Operation


def sequence_text(e: Operation, text: Callable[[Expression], str]) -> str:
    """A sequence, or an operator on sequences; ``text`` prints other expressions."""
    operator, operands = e.operator, e.operands

    def shown(part: Expression) -> str:
        return sequence_text(part, text) if isinstance(part, Operation) and _is_sequence(part) else text(part)

    match operator:
        case "sere":
            return f"{{{text(operands[0])}}}"
        case "sere ;":
            return f"{{{shown(operands[0])}; {shown(operands[1])}}}"
        case "sere [*]" | "sere [+]" | "sere [*] any":
            symbol = "+" if operator == "sere [+]" else "*"
            body, bounds = operands[:1], operands[1:]
            if operator == "sere [*] any":
                body, bounds = (), operands
            inner = "".join(shown(part) for part in body)
            return f"{{{inner}[{symbol}{_bounds(bounds, text)}]}}"
        case "sere [=]" | "sere [->]":
            return f"{{{text(operands[0])}{operator[5:-1]}{_bounds(operands[1:], text)}]}}"
        case "seq {}":
            return shown(operands[0])
        case "seq {}!":
            return f"{shown(operands[0])}!"
        case "seq |->" | "seq |=>":
            return f"({shown(operands[0])} {operator[4:]} {shown(operands[1])})"
        case "seq ()":
            return f"({shown(operands[0])} |-> {shown(operands[1])}!)"
    if operator.startswith("sere "):
        return f"{{{shown(operands[0])} {operator[5:]} {shown(operands[1])}}}"
    *before, last = operands
    return f"{operator[4:]} ({', '.join(shown(part) for part in before)}) {shown(last)}"


def _is_sequence(e: Operation) -> bool:
    return e.operator.startswith(("seq ", "sere"))


def _bounds(bounds: tuple[Expression, ...], text: Callable[[Expression], str]) -> str:
    return ":".join(text(bound) for bound in bounds)
