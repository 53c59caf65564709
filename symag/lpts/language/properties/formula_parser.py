"""Formulas of PRISM's properties from tokens to the syntax tree.

Constructs that symag does not decide are read too: a property that has one is unknown, and the others are answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from symag.core.source import SourceText
from symag.lpts.language.prism.expression_parser import FUNCTIONS, tokens_of_properties
from symag.lpts.language.prism.syntax import (
    ConnectiveText,
    Expression,
    ExpressionText,
    FormulaText,
    LabelText,
    MeasureText,
    Name,
    Number,
    Operation,
    PathText,
    UnsupportedText,
    begin_of,
)
from symag.lpts.language.properties.unsupported_parser import RELATIONS, UNSUPPORTED, UnsupportedParser

_CONNECTIVES = ("!", "&", "|", "=>", "<=>")
#: The level of sums in the grammar of expressions: a bound is a sum, as ``<=`` and ``[`` stand beside it.
_SUMS = 6
#: What may stand behind P and R, or be one word with it; of two optima the second is over intervals.
_OPTIMA = ("max", "min", "maxmax", "maxmin", "minmax", "minmin")
_MEASURES = ("P", "R", *(letter + optimum for letter in "PR" for optimum in _OPTIMA))
_UNARY = ("X", "F", "G")
_BINARY = ("U", "W", "R")
_LTL = "LTL"
_TOTAL = "the reward of all steps"
_NOT_F = "a reward until a path ends that is not F"
_FILTER = "a filter {..}"
_INTERVALS = "optima over intervals of probabilities"

_Special = LabelText | MeasureText | UnsupportedText


class FormulaParser(UnsupportedParser):
    """Reads formulas by the grammar of expressions, in which a made-up name stands for each label and measure."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(tokens_of_properties(source))
        self._special: dict[str, _Special] = {}
        self._paths = 0  # how many paths are open

    def state(self) -> FormulaText:
        """A formula about states that begins here."""
        position = self.position
        return self._formula(self.expression(), position)

    def formula_behind(self) -> FormulaText:
        """The formula without connectives that begins here."""
        position = self.position
        return self._formula(self._atom(), position)

    def _formula(self, expression: Expression, position: int) -> FormulaText:
        match expression:
            case Name(text, _) if text in self._special:
                return self._special[text]
            case Operation(operator, operands, place) if operator in _CONNECTIVES:
                inner = tuple(self._formula(operand, begin_of(operand)) for operand in operands)
                return ConnectiveText(operator, inner, place)
        whole = ExpressionText(expression, position)
        inside = tuple(
            LabelText(one.name, one.position, True) if isinstance(one, LabelText) else one
            for one in self._inside(expression)
        )
        reasons: list[str] = []
        for one in inside:
            match one:
                case UnsupportedText(why, _, _):
                    reasons.append(why)
                case MeasureText(letter, _, _, "=?", _, _, _):
                    reasons.append(f"arithmetic with the value of {letter} [..]")
                case LabelText(name, _, _):
                    reasons.append(f'a reference to another property, "{name}"')
                case _:
                    raise self.error(f"{one.letter} [..] is true or false, expected a number here", one.position)
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
            return self._placeholder(LabelText(self.quoted("a label"), position))
        if self.kind == "name" and self.text in _MEASURES and not self._is_compared():
            return self._placeholder(self.measure())
        if self.kind == "name" and self.text in UNSUPPORTED and (self.at("(", 1) or self.at("[", 1) or self._bounded()):
            return self._placeholder(self.unsupported())
        if (self.at("<") and self.at("<", 1)) or (self.at("[") and self.at("[", 1)):
            return self._placeholder(self.coalition())
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
        optimum = any(self.at(word, 1) or self._is_name(word, 1) for word in _OPTIMA)
        return not (optimum or self._bounded() or self.at("{", 1) or self.at("=", 1))

    def _is_name(self, text: str, ahead: int) -> bool:
        return self.tokens.texts[min(self.index + ahead, len(self.tokens.texts) - 1)] == text

    def _bounded(self) -> bool:
        return any(self.at(relation, 1) for relation in RELATIONS) or (self.at("=", 1) and self.at("?", 2))

    # --------------------------------------------------------------------------------- measures

    def measure(self) -> MeasureText:
        """The measure that begins here, such as ``P<=0.1 [F "done"]``."""
        position, name = self.position, self.text
        self.advance()
        letter: Literal["P", "R"] = "P" if name[0] == "P" else "R"
        rewards = self._reward_name() if letter == "R" and self.accept("{") else None
        divisor = self._divisor() if rewards is not None and self.accept("/") else None
        optima = name[1:] or self._optima()
        if optima and not self.at("="):
            raise self.expected("=?")
        relation, bound = self.comparison()
        self.symbol("[")
        path = self.path() if letter == "P" else self.reward_path()
        if self.at("{"):
            path = _unsupported_path(path, _FILTER, self.old_filter())
        self.symbol("]")
        if len(optima) > len("max"):
            path = _unsupported_path(path, _INTERVALS)
        if divisor is not None:
            ratio = MeasureText(letter, divisor, None, "=?", None, path, position)
            path = _unsupported_path(path, "a ratio of rewards", ratio)
        optimum: Literal["max", "min"] | None = None
        if optima:
            optimum = "max" if optima.startswith("max") else "min"
        return MeasureText(letter, rewards, optimum, relation, bound, path, position)

    def _optima(self) -> str:
        """``max`` or ``min``, or two of them, which may be one word; "" if there is none."""
        optima = ""
        while self.text in _OPTIMA and len(optima) <= len("max"):
            optima += self.text
            self.advance()
        return optima

    def _divisor(self) -> str | Expression:
        self.symbol("{")
        return self._reward_name()

    def comparison(self) -> tuple[str, Expression | None]:
        """``=?``, or a relation and a bound."""
        if self.accept("="):
            self.symbol("?")
            return "=?", None
        if self.kind != "symbol" or self.text not in RELATIONS:
            raise self.expected("=? or a bound such as <=0.1")
        relation = self.text
        self.advance()
        return relation, self._binary(_SUMS)

    def _reward_name(self) -> str | Expression:
        """What stands in the braces of R: a name in quotes, or a number."""
        reward: str | Expression
        if self.kind == "string":
            reward = self.quoted("the name of a reward structure")
        elif self.kind in ("number", "name") or self.at("("):
            reward = self.expression()
        else:
            raise self.expected("the name of a reward structure in quotes, or its number")
        self.symbol("}")
        return reward

    # ------------------------------------------------------------------------------------- paths

    def path(self) -> PathText:
        """A path, as in the brackets of P."""
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
            elif self.at("]") or self.at("{"):  # of the path's first state alone
                path = PathText("F", (first,), Number(0, position), False, position)
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
            path = self.path()
            if operator == "F" and path.steps is None:
                return path
            return _unsupported_path(path, _NOT_F)
        if (operator == "C" and self.at("<=", 1)) or (operator == "I" and self.at("=", 1)):
            self.index += 2
            return PathText(operator, (), self._binary(_SUMS), False, position)
        if operator in ("C", "S") and self.at("]", 1):
            self.advance()
            return PathText(operator, (UnsupportedText(_TOTAL, (), position),), None, False, position)
        if operator in ("C", "S", "I"):
            raise self.expected("F with a formula, C<=k or I=k")
        return _unsupported_path(self.path(), _NOT_F)


def _unsupported_path(path: PathText, why: str, *beside: FormulaText) -> PathText:
    """A path that is not decided, with all formulas in it and these."""
    inside = UnsupportedText(why, (*path.operands, *beside), path.position)
    return PathText("F", (inside,), path.steps, path.strict, path.position)


def _is_unsupported(formula: FormulaText) -> bool:
    match formula:
        case UnsupportedText():
            return True
        case ConnectiveText(_, operands, _):
            return any(map(_is_unsupported, operands))
    return False
