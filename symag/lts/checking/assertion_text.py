"""The parts of an assertion as text, in the operators of FSP."""

from __future__ import annotations

from collections.abc import Iterator

from symag.lts.language.fluents import FALSE, TRUE, ActionOccurs, Temporal


def parts_of(formula: Temporal) -> Iterator[tuple[Temporal, int, str]]:
    """The formula and its parts in reading order, each with its depth below the whole and its text, each text once."""
    seen: set[str] = set()
    waiting = [(formula, 0)]
    while waiting:
        part, depth = waiting.pop()
        text = text_of(part)
        if text in seen or part in (TRUE, FALSE):
            continue
        seen.add(text)
        yield part, depth, text
        waiting += [(operand, depth + 1) for operand in reversed(part.operands)]


def text_of(formula: Temporal) -> str:
    """A formula in negation normal form as FSP writes it: ``[]``, ``<>``, ``U``; ``p R q`` is ``q W (p && q)``."""
    operands = [_operand(operand) for operand in formula.operands]
    match formula.operator:
        case "true" | "false":
            return formula.operator
        case "atom" | "not atom":
            return ("!" if formula.operator == "not atom" else "") + _atom(formula)
        case "and":
            return " && ".join(operands)
        case "or":
            return " || ".join(operands)
        case "X":
            return f"X {operands[0]}"
        case "U":
            return f"<>{operands[1]}" if formula.operands[0] == TRUE else f"{operands[0]} U {operands[1]}"
        case _:
            if formula.operands[0] == FALSE:
                return f"[]{operands[1]}"
            return f"{operands[1]} W ({operands[0]} && {operands[1]})"


def _operand(formula: Temporal) -> str:
    text = text_of(formula)
    simple = formula.operator in ("true", "false", "atom", "not atom") or text.startswith(("[]", "<>", "X "))
    return text if simple else f"({text})"


def _atom(formula: Temporal) -> str:
    atom = formula.atom
    if not isinstance(atom, ActionOccurs):
        return "?" if atom is None else atom.name
    actions = sorted(atom.actions)
    return actions[0] if len(actions) == 1 else f"{{{', '.join(actions)}}}"
