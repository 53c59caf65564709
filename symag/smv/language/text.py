"""Expressions as NuSMV prints them: its parentheses, its spellings, its spaces; PSL's sequences with braces around
every part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symag.smv.language.syntax import Expression, Name, Number, Operation, WordLiteral

# An operation is in parentheses if its priority is not above that of its context. Infix logical and path
# operators are always in parentheses.
_INFIX: Mapping[str, int] = {
    "..": 3, "->": 4, "<->": 4, "xor": 4, "xnor": 4, "|": 5, "&": 6,
    "U": 8, "S": 8, "=": 9, "!=": 9, "<": 9, "<=": 9, ">": 9, ">=": 9,
    "^": 4, "in": 10, "union": 11, "<<": 12, ">>": 12, "+": 13, "-": 13, "mod": 14, "*": 15, "/": 15, "::": 16,
}  # fmt: skip
_PSL_INFIX = ("until", "until_", "until!", "until!_", "before", "before_", "before!", "before!_", "abort", "W")
_PSL_PREFIX = frozenset(("always", "never", "eventually!", "next!"))
_ALWAYS_IN_PARENTHESES = frozenset(("->", "<->", "xor", "xnor", "|", "&", "U", "S", "^", *_PSL_INFIX))
_ALL_INFIX = frozenset((*_INFIX, *_PSL_INFIX, "{}"))
_PREFIX: Mapping[str, tuple[str, int]] = {
    **{operator: (f"{operator} ", 8) for operator in ("EX", "AX", "EF", "AF", "EG", "AG")},
    **{operator: (f" {operator} ", 8) for operator in "XYZGHFO"},
    "negate": ("-", 17),
    "!": ("!", 17),
}
_BOUNDED_CTL = frozenset(("EBF", "ABF", "EBG", "ABG"))
_FUNCTIONS = frozenset(
    """next bool word1 toint signed unsigned sizeof extend resize uwconst swconst count READ WRITE CONSTARRAY
    typeof""".split()
)
_COMMA = {"extend": " , "}
_ZERO = Number(0, 0)


def text_of(expression: Expression, runs: bool = False, exact: bool = False) -> str:
    """NuSMV's spelling of an expression, as in its lists of properties.

    With ``runs``, a chain of one operator has one pair of parentheses instead of many. With ``exact`` there are
    parentheses where NuSMV leaves out what it needs to read the same expression back: ``a mod (b * c)``,
    ``(-0sd4_4)[3 : 3]``.
    """
    return _Printer(runs, exact).text(expression, 0)


class _Printer:
    def __init__(self, runs: bool, exact: bool) -> None:
        self.runs = runs
        self.exact = exact

    def text(self, e: Expression, priority: int) -> str:
        match e:
            case Name(text):
                return text
            case Number(value):
                return ("TRUE" if value else "FALSE") if isinstance(value, bool) else str(value)
            case WordLiteral(value, width, signed):
                return _enclosed(
                    word_text(value, width, signed), self.exact and value < 0 and priority > _PREFIX["negate"][1]
                )
        operator = e.operator
        if operator in _ALL_INFIX:
            return self.infix(e, priority)
        if operator in _PREFIX and len(e.operands) == 1:
            symbol, own = _PREFIX[operator]
            operand = self.text(e.operands[0], own)
            if symbol == "-" and operand.startswith("-"):  # two hyphens would begin a comment
                symbol = "- "
            return _enclosed(f"{symbol}{operand}", own <= priority)
        if operator in _FUNCTIONS:
            arguments = _COMMA.get(operator, ", ").join([self.text(operand, 0) for operand in e.operands])
            return f"{operator}({arguments})"
        return self.special(e, priority)

    def infix(self, e: Operation, priority: int) -> str:
        """An infix operation; down its left operands without recursion, for chains may be very long."""
        pending: list[tuple[str, tuple[Expression, ...], int, bool]] = []
        left: Expression = e
        while isinstance(left, Operation) and left.operator in _ALL_INFIX:
            operator = "union" if left.operator == "{}" else left.operator
            own = _INFIX.get(operator, priority)
            pending.append((operator, left.operands, own, operator in _ALWAYS_IN_PARENTHESES or own <= priority))
            left, priority = left.operands[0], own
        parts = [self.text(left, priority)]
        opening = 0
        for operator, operands, own, enclosed in reversed(pending):
            if operator == "->" and self.runs:
                operands = _implications(operands)
            elif not self.runs:
                opening += len(operands) - 2
            for index, operand in enumerate(operands[1:]):
                if index and not self.runs:
                    parts.append(")")
                parts.append(f" {operator} ")
                parts.append(self.text(operand, _INFIX["*"] if operator == "mod" and self.exact else own))
            if enclosed:
                opening += 1
                parts.append(")")
        return "(" * opening + "".join(parts)

    def special(self, e: Operation, priority: int) -> str:
        operands = e.operands
        match e.operator:
            case ".":
                return f"{self.text(operands[0], 0)}.{self.text(operands[1], 0)}"
            case "[]":
                return f"{self.text(operands[0], 0)}[{self.text(operands[1], 0)}]"
            case "[:]":
                high, low = self.text(operands[1], 0), self.text(operands[2], 0)
                return f"{self.text(operands[0], 18)}[{high} : {low}]"
            case "self":
                return "self"
            case "case":
                pairs = zip(operands[::2], operands[1::2], strict=True)
                branches = [f"{self.text(one, 0)} : {self.text(other, 0)};\n" for one, other in pairs]
                return f"case\n{''.join(branches)}esac"
            case "?:":
                return self.if_then_else(*operands)
            case "abs":
                (one,) = operands
                return self.if_then_else(Operation(">=", (one, _ZERO), 0), one, Operation("negate", (one,), 0))
            case "min":
                one, other = operands
                return self.if_then_else(Operation("<", (one, other), 0), one, other)
            case "max":
                one, other = operands
                return self.if_then_else(Operation("<", (one, other), 0), other, one)
            case "V" | "T":
                return self.text(_dual(e), priority)
            case "psl ?:":
                condition, then, otherwise = [self.text(operand, 0) for operand in operands]
                return f"{condition} ? {then} : {otherwise}"
            case "sequence":
                return self.text(operands[0], 0)
        if e.operator.startswith(("seq ", "sere")):
            return sequence_text(e, lambda part: self.text(part, 0))
        if e.operator in _PSL_PREFIX or e.operator.startswith("psl "):
            return self.psl(e, priority)
        return self.temporal(e, priority)

    def if_then_else(self, condition: Expression, then: Expression, otherwise: Expression) -> str:
        return f" ({self.text(condition, 0)} ? {self.text(then, 0)} : {self.text(otherwise, 0)}) "

    def psl(self, e: Operation, priority: int) -> str:
        """A temporal operator of PSL, whose operands are printed under the priority around the operator."""
        operator = e.operator.removeprefix("psl ")
        operand, *rest = [self.text(part, priority) for part in e.operands]
        if isinstance(e.operands[0], Operation) and e.operands[0].operator == "seq {}":
            return f"{operator} {operand}"
        if operator in ("forall", "forany"):
            body, *values = rest
            ranges = (value.replace(" .. ", ":") for value in reversed(values))
            domain = "boolean" if values == ["boolean"] else f"{{{', '.join(ranges)}}}"
            return f"( {operator} {operand} in {domain} : {body} )"
        if operator.endswith("()"):
            event, *bounds = rest
            shown = f"[{':'.join(bounds)}] " if bounds else ""
            return f"{operator[:-2]} ({event}) {shown}({operand})"
        if operator.endswith("[]"):
            return f"{operator[:-2]} [{':'.join(rest)}] ({operand})"
        return f"{operator}({operand})" if operator in ("X", "X!") else f"{operator} ({operand})"

    def temporal(self, e: Operation, priority: int) -> str:
        operands = e.operands
        if e.operator in _PREFIX:
            low, high = [self.text(bound, 0) for bound in operands[1:]]
            return f" {e.operator} [{low},{high}] {self.text(operands[0], 0)}"
        if e.operator in _BOUNDED_CTL:
            low, high = [self.text(bound, 8) for bound in operands[1:]]
            return _enclosed(f"{e.operator} {low}..{high} {self.text(operands[0], 8)}", priority >= 8)
        left, right = [self.text(operand, 8) for operand in operands[:2]]
        if e.operator in ("MIN", "MAX"):
            return f"{e.operator} [ {left} , {right} ] "
        if e.operator in ("AU", "EU"):
            return f"{e.operator[0]} [ {left} U {right} ] "
        low, high = [self.text(bound, 8) for bound in operands[2:]]
        return f"{e.operator[0]} [ {left} BU {low}..{high} {right} ] "


def _dual(e: Operation) -> Expression:
    """``a V b`` and ``a T b``, which NuSMV's parser turns into ``!(!a U !b)`` and ``!(!a S !b)``."""
    left, *rest = e.operands
    operator = "U" if e.operator == "V" else "S"
    for right in rest:
        operands = (Operation("!", (left,), e.position), Operation("!", (right,), e.position))
        left = Operation("!", (Operation(operator, operands, e.position),), e.position)
    return left


def _implications(operands: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """The operands of ``a -> (b -> (c -> d))``, which need no parentheses."""
    chain = list(operands)
    while isinstance(chain[-1], Operation) and chain[-1].operator == "->":
        chain[-1:] = chain[-1].operands
    return tuple(chain)


def _enclosed(text: str, enclosed: bool) -> str:
    return f"({text})" if enclosed else text


def word_text(value: int, width: int, signed: bool) -> str:
    """A word constant in NuSMV's default output format, such as ``0ud8_255`` or ``-0sd4_3``."""
    if signed:
        return f"{'-' if value < 0 else ''}0sd{width}_{abs(value)}"
    return f"0ud{width}_{value}"


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
