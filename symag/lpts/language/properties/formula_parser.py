"""Formulas of PRISM's properties from tokens to the syntax tree.

Constructs that symag does not decide are read too: a property that has one is unknown, and the others are answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from symag.core.source import SourceText
from symag.lpts.language.prism.expression_parser import FUNCTIONS, ExpressionParser, tokens_of_properties
from symag.lpts.language.prism.syntax import (
    ConnectiveText,
    Expression,
    ExpressionText,
    FormulaText,
    LabelText,
    MeasureText,
    Name,
    Operation,
    PathText,
    UnsupportedText,
    begin_of,
)

_CONNECTIVES = ("!", "&", "|", "=>", "<=>")
_RELATIONS = ("<=", "<", ">=", ">")
#: The level of sums in the grammar of expressions: a bound is a sum, as ``<=`` and ``[`` stand beside it.
_SUMS = 6
_MEASURES = ("P", "Pmax", "Pmin", "R", "Rmax", "Rmin")
_UNARY = ("X", "F", "G")
_BINARY = ("U", "W", "R")
_UNSUPPORTED = {
    "filter": "filter(..)",
    "multi": "multi(..)",
    "S": "the steady-state operator S",
    "A": "the operator A of CTL",
    "E": "the operator E of CTL",
}
_FILTERS = ("min", "max", "argmin", "argmax", "count", "sum", "avg", "first", "range", "forall", "exists")
_PRINTING = ("print", "printall", "state")
_LTL = "LTL"
_TOTAL = "the reward of all steps"

_Special = LabelText | MeasureText | UnsupportedText


class FormulaParser(ExpressionParser):
    """Reads formulas by the grammar of expressions, in which a made-up name stands for each label and measure."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(tokens_of_properties(source))
        self._special: dict[str, _Special] = {}
        self._paths = 0  # how many paths are open

    def state(self) -> FormulaText:
        """A formula about states that begins here."""
        position = self.position
        return self._formula(self.expression(), position)

    def _formula(self, expression: Expression, position: int) -> FormulaText:
        match expression:
            case Name(text, _) if text in self._special:
                return self._special[text]
            case Operation(operator, operands, place) if operator in _CONNECTIVES:
                inner = tuple(self._formula(operand, begin_of(operand)) for operand in operands)
                return ConnectiveText(operator, inner, place)
        whole = ExpressionText(expression, position)
        inside = tuple(self._inside(expression))
        reasons: list[str] = []
        for one in inside:
            match one:
                case UnsupportedText(why, _, _):
                    reasons.append(why)
                case MeasureText(letter, _, _, "=?", _, _, _):
                    reasons.append(f"arithmetic with the value of {letter} [..]")
                case _:
                    what = f'the label "{one.name}"' if isinstance(one, LabelText) else f"{one.letter} [..]"
                    raise self.error(f"{what} is true or false, expected a number here", one.position)
        return UnsupportedText(reasons[0], (*inside, whole), position) if reasons else whole

    def _inside(self, expression: Expression) -> Iterator[_Special]:
        """The labels and measures in an expression that is no connective."""
        match expression:
            case Name(text, _) if text in self._special:
                yield self._special[text]
            case Operation(_, operands, _):
                for operand in operands:
                    yield from self._inside(operand)

    def _atom(self) -> Expression:
        position = self.position
        if self.kind == "string":
            name = self.text[1:-1]
            self.advance()
            return self._placeholder(LabelText(name, position))
        if self.kind == "name" and self.text in _MEASURES and not self._is_compared():
            return self._placeholder(self.measure())
        if (
            self.kind == "name"
            and self.text in _UNSUPPORTED
            and (self.at("(", 1) or self.at("[", 1) or self._bounded())
        ):
            return self._placeholder(self._unsupported())
        if self.at("<") and self.at("<", 1):
            return self._placeholder(self._coalition())
        if self.kind == "name" and self.text in (*_UNARY, "U", "W") and not self._is_operand():
            if self.text not in _UNARY or not self._paths:
                where = "inside" if self.text in _UNARY else "after a formula inside"
                raise self.error(f"the path operator {self.text} stands only {where} P [..]", position)
            return self._placeholder(UnsupportedText(_LTL, self._rest_of_path().operands, position))
        if self._paths and self.accept("("):
            inside = self.expression()
            if self.kind == "name" and self.text in _BINARY:
                operands = self._rest_of_path(self._formula(inside, begin_of(inside))).operands
                inside = self._placeholder(UnsupportedText(_LTL, operands, position))
            self.symbol(")")
            return inside
        if self._is_named_like_a_keyword():
            self.advance()
            return Name(self.tokens.texts[self.index - 1], position)
        return super()._atom()

    def _is_operand(self) -> bool:
        """Whether G or W is nothing but a name here: no formula begins behind it."""
        ends = self.tokens.kinds[self.index + 1] == "end" or any(self.at(symbol, 1) for symbol in ("]", ")", "&", "|"))
        return self.text in ("G", "W") and ends

    def _is_named_like_a_keyword(self) -> bool:
        """Whether a keyword stands here that begins no expression: an action of an explicit file may be called so."""
        if self.kind != "symbol" or not self.text.isidentifier() or self.text in ("true", "false", "func"):
            return False
        return self.text not in FUNCTIONS or not self.at("(", ahead=1)

    def _placeholder(self, special: _Special) -> Expression:
        name = f"#{len(self._special)}"
        self._special[name] = special
        return Name(name, special.position)

    def _is_compared(self) -> bool:
        """Whether P or R is nothing but a name here."""
        return not (self._bounded() or self.at("{", 1) or self.at("=", 1) or self.at("max", 1) or self.at("min", 1))

    def _bounded(self) -> bool:
        return any(self.at(relation, 1) for relation in _RELATIONS) or (self.at("=", 1) and self.at("?", 2))

    # ---------------------------------------------------------------------------- not supported

    def _unsupported(self) -> UnsupportedText:
        """The construct of ``_UNSUPPORTED`` that begins here."""
        word, position = self.text, self.position
        self.advance()
        operands: tuple[FormulaText, ...]
        if word == "multi":
            self.symbol("(")
            operands = self.listed(self.state, ")")
        elif word == "filter":
            self.symbol("(")
            if self.text not in (*_FILTERS, *_PRINTING):
                raise self.expected("an operator of filters such as min")
            self.advance()
            self.symbol(",")
            operands = (self.state(),)
            if self.accept(",") and not self.accept("init"):
                operands = (*operands, self.state())
            self.symbol(")")
        else:
            bound = self._comparison()[1] if word == "S" else None
            self.symbol("[")
            operands = (self.state(),) if word == "S" else self._path().operands
            operands = operands if bound is None else (*operands, ExpressionText(bound, begin_of(bound)))
            self.symbol("]")
        return UnsupportedText(_UNSUPPORTED[word], operands, position)

    def _coalition(self) -> UnsupportedText:
        position = self.position
        self.index += 2
        while not self.accept(">"):
            if self.kind not in ("name", "number", "string"):
                raise self.expected("the name or the number of a player")
            self.advance()
            if not self.accept(",") and not self.at(">"):
                raise self.expected("',' or '>>'")
        self.symbol(">")
        begin = self.position
        return UnsupportedText("coalitions of games", (self._formula(self._atom(), begin),), position)

    # --------------------------------------------------------------------------------- measures

    def measure(self) -> MeasureText:
        """The measure that begins here, such as ``P<=0.1 [F "done"]``."""
        position, name = self.position, self.text
        self.advance()
        letter: Literal["P", "R"] = "P" if name[0] == "P" else "R"
        rewards = self._reward_name() if letter == "R" and self.accept("{") else None
        optimum: Literal["max", "min"] | None = None
        if name.endswith("max") or (len(name) == 1 and self.accept("max")):
            optimum = "max"
        elif name.endswith("min") or (len(name) == 1 and self.accept("min")):
            optimum = "min"
        if optimum is not None and not self.at("="):
            raise self.expected("=?")
        relation, bound = self._comparison()
        self.symbol("[")
        path = self._path() if letter == "P" else self.reward_path()
        self.symbol("]")
        return MeasureText(letter, rewards, optimum, relation, bound, path, position)

    def _comparison(self) -> tuple[str, Expression | None]:
        """``=?``, or a relation and a bound."""
        if self.accept("="):
            self.symbol("?")
            return "=?", None
        if self.kind != "symbol" or self.text not in _RELATIONS:
            raise self.expected("=? or a bound such as <=0.1")
        relation = self.text
        self.advance()
        return relation, self._binary(_SUMS)

    def _reward_name(self) -> str | int:
        reward: str | int
        if self.kind == "number":
            reward = int(self.text)
            self.advance()
        else:
            reward = self.word("string", "the name of a reward structure in quotes, or its number")[1:-1]
        self.symbol("}")
        return reward

    # ------------------------------------------------------------------------------------- paths

    def _path(self) -> PathText:
        position = self.position
        self._paths += 1
        if self.kind == "name" and self.text in _UNARY:
            path = self._rest_of_path()
        else:
            first = self.state()
            if self.kind == "name" and self.text in _BINARY:
                path = self._rest_of_path(first)
            elif _is_unsupported(first):
                path = PathText("F", (first,), None, False, position)
            else:
                raise self.expected("X, F or G before a formula, or U, W or R after it")
        self._paths -= 1
        return path

    def _rest_of_path(self, *before: FormulaText) -> PathText:
        """The path whose operator stands here, after these operands."""
        operator, position = self.text, self.position
        self.advance()
        place = self.position
        steps, strict, lower = self._steps() if operator != "X" else (None, False, ())
        operands = (*before, self.state())
        if lower:
            bounds = tuple(ExpressionText(bound, begin_of(bound)) for bound in lower)
            operands = (UnsupportedText("a lower bound on steps", (*operands, *bounds), place),)
        return PathText(operator, operands, steps, strict, position)

    def _steps(self) -> tuple[Expression | None, bool, tuple[Expression, ...]]:
        """The bound on the number of steps after a path operator, whether it is strict; and bounds that are others."""
        if self.accept("["):
            return None, False, self.listed(self.expression, "]")
        for relation in ("<=", "<", ">=", ">", "="):
            if self.accept(relation):
                bound = self._binary(_SUMS)
                return (bound, relation == "<", ()) if relation in ("<=", "<") else (None, False, (bound,))
        return None, False, ()

    def reward_path(self) -> PathText:
        """What stands in the brackets of R."""
        position = self.position
        operator = self.text if self.kind == "name" else ""
        if operator in _UNARY:
            path = self._path()
            if operator == "F" and path.steps is None:
                return path
            unsupported = UnsupportedText("a reward until a path ends that is not F", path.operands, position)
            return PathText("F", (unsupported,), path.steps, False, position)
        if (operator == "C" and self.at("<=", 1)) or (operator == "I" and self.at("=", 1)):
            self.index += 2
            return PathText(operator, (), self._binary(_SUMS), False, position)
        if operator in ("C", "S") and self.at("]", 1):
            self.advance()
            return PathText(operator, (UnsupportedText(_TOTAL, (), position),), None, False, position)
        raise self.expected("F with a formula, C<=k or I=k")


def _is_unsupported(formula: FormulaText) -> bool:
    match formula:
        case UnsupportedText():
            return True
        case ConnectiveText(_, operands, _):
            return any(map(_is_unsupported, operands))
    return False
