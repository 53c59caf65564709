"""PRISM's properties from text to the syntax tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.lpts.language.prism.expression_parser import FUNCTIONS, ExpressionParser, tokens_of_properties
from symag.lpts.language.prism.syntax import (
    ConnectiveText,
    Constant,
    Expression,
    ExpressionText,
    Formula,
    FormulaText,
    Label,
    LabelText,
    MeasureText,
    Name,
    Operation,
    PathText,
    PropertiesText,
    PropertyText,
    begin_of,
)

_CONNECTIVES = ("!", "&", "|", "=>", "<=>")
_RELATIONS = ("<=", "<", ">=", ">")
#: The level of sums in the grammar of expressions: a bound is a sum, as ``<=`` and ``[`` stand beside it.
_SUMS = 6
_MEASURES = ("P", "Pmax", "Pmin", "R", "Rmax", "Rmin")
_TEMPORAL = ("X", "F", "G", "U", "W")
_REFUSED = {
    "filter": 'filter(...) is not supported; expected a formula such as P<=0.1 [F "done"] or Pmax=? [F x=2]',
    "S": "the steady-state operator S is not supported, expected P or R",
    "A": "the operator A of CTL is not supported for PRISM models, expected P>=1 [..]",
    "E": "the operator E of CTL is not supported for PRISM models, expected P>0 [..]",
    "multi": "multi(...) is not supported, expected one formula",
}

_Parsed = TypeVar("_Parsed")


def parse_formula(source: SourceText) -> PropertyText:
    """The only formula in a text. Raises InputError at the first token that does not fit."""
    return _guarded(source, lambda parser: parser.only())


def parse_properties(source: SourceText) -> PropertiesText:
    """A file of properties. Raises InputError at the first token that does not fit."""
    return _guarded(source, lambda parser: parser.file())


def _guarded(source: SourceText, parse: Callable[[FormulaParser], _Parsed]) -> _Parsed:
    try:
        return parse(FormulaParser(source))
    except RecursionError:
        raise InputError("the formula is nested too deeply", source.path) from None


class FormulaParser(ExpressionParser):
    """Reads formulas by the grammar of expressions, in which a made-up name stands for each label and measure."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(tokens_of_properties(source))
        self._special: dict[str, LabelText | MeasureText] = {}

    # -------------------------------------------------------------------------------------- texts

    def only(self) -> PropertyText:
        """The formula, which is all of the text."""
        property_ = self._property()
        if self.kind != "end":
            raise self.expected("the end of the formula")
        return property_

    def file(self) -> PropertiesText:
        """Properties and definitions to the end; a semicolon after a property may be left out."""
        properties: list[PropertyText] = []
        constants: list[Constant] = []
        formulas: list[Formula] = []
        labels: list[Label] = []
        while self.kind != "end":
            if self.accept("const"):
                constants.append(self._constant())
            elif self.at("formula"):
                self.advance()
                position, name = self.position, self.name("the name of a formula")
                self.symbol("=")
                formulas.append(Formula(name, self.expression(), position))
            elif self.accept("label"):
                position, name = self.position, self.word("string", "the name of a label in quotes")
                self.symbol("=")
                labels.append(Label(name[1:-1], self.expression(), position))
            else:
                properties.append(self._property())
                while self.accept(";"):
                    pass
                continue
            self.symbol(";")
        return PropertiesText(tuple(properties), tuple(constants), tuple(formulas), tuple(labels))

    def _constant(self) -> Constant:
        kind = "int"
        if self.kind == "symbol" and self.text in ("int", "double", "bool"):
            kind = self.text
            self.advance()
        position, name = self.position, self.name("the name of a constant")
        return Constant(name, kind, self.expression() if self.accept("=") else None, position)

    def _property(self) -> PropertyText:
        name = None
        line, _ = self.tokens.source.location(self.position)
        if self.kind == "string" and self.at(":", ahead=1):
            name = self.text[1:-1]
            self.index += 2
        begin = self.index
        formula = self._state()
        end = self.tokens.starts[self.index - 1] + len(self.tokens.texts[self.index - 1])
        text = self.tokens.source.text[self.tokens.starts[begin] : end]
        return PropertyText(formula, name, " ".join(text.split()), line)

    # ----------------------------------------------------------------------------------- formulas

    def _state(self) -> FormulaText:
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
        wrong = self._inside(expression)
        if wrong is not None:
            what = f'the label "{wrong.name}"' if isinstance(wrong, LabelText) else f"{wrong.letter} [..]"
            raise self.error(f"{what} is true or false, expected a number here", wrong.position)
        return ExpressionText(expression, position)

    def _inside(self, expression: Expression) -> LabelText | MeasureText | None:
        """A label or measure in an expression that is no connective."""
        match expression:
            case Name(text, _):
                return self._special.get(text)
            case Operation(_, operands, _):
                return next((inside for operand in operands if (inside := self._inside(operand)) is not None), None)
            case _:
                return None

    def _atom(self) -> Expression:
        position = self.position
        if self.kind == "string":
            name = self.text[1:-1]
            self.advance()
            return self._placeholder(LabelText(name, position))
        if self.kind == "name" and self.text in _MEASURES and not self._is_compared():
            return self._placeholder(self.measure())
        if self.kind == "name" and self.text in _REFUSED and (self.at("(", 1) or self.at("[", 1) or self._bounded(1)):
            raise self.error(_REFUSED[self.text], position)
        if self.at("<") and self.at("<", 1):
            raise self.error("the coalitions <<..>> of games are not supported, expected P or R", position)
        if self.kind == "name" and self.text in _TEMPORAL and not self._is_operand():
            message = f"the path operator {self.text} stands only at the beginning of P [..]; LTL is not supported"
            raise self.error(message, position)
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

    def _placeholder(self, special: LabelText | MeasureText) -> Expression:
        name = f"#{len(self._special)}"
        self._special[name] = special
        return Name(name, special.position)

    def _is_compared(self) -> bool:
        """Whether P or R is nothing but a name here."""
        return not (self._bounded(1) or self.at("{", 1) or self.at("=", 1) or self.at("max", 1) or self.at("min", 1))

    def _bounded(self, ahead: int) -> bool:
        return any(self.at(relation, ahead) for relation in _RELATIONS) or (
            self.at("=", ahead) and self.at("?", ahead + 1)
        )

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
        relation, bound = "=?", None
        if self.accept("="):
            self.symbol("?")
        elif self.kind == "symbol" and self.text in _RELATIONS and optimum is None:
            relation = self.text
            self.advance()
            bound = self._binary(_SUMS)
        else:
            raise self.expected("=?" if optimum else "=? or a bound such as <=0.1")
        self.symbol("[")
        path = self._path() if letter == "P" else self.reward_path()
        self.symbol("]")
        return MeasureText(letter, rewards, optimum, relation, bound, path, position)

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
        if self.kind == "name" and self.text in ("X", "F", "G"):
            operator = self.text
            self.advance()
            steps, strict = (None, False) if operator == "X" else self._steps()
            return PathText(operator, (self._state(),), steps, strict, position)
        first = self._state()
        if self.kind != "name" or self.text not in ("U", "W", "R"):
            raise self.expected("X, F or G before a formula, or U, W or R after it")
        operator, position = self.text, self.position
        self.advance()
        steps, strict = self._steps()
        return PathText(operator, (first, self._state()), steps, strict, position)

    def _steps(self) -> tuple[Expression | None, bool]:
        """The bound on the number of steps after a path operator, and whether it is strict."""
        if self.at("[") or self.at(">=") or self.at(">") or self.at("="):
            raise self.error("of bounds on steps, <= and < are supported", self.position)
        for relation in ("<=", "<"):
            if self.accept(relation):
                return self._binary(_SUMS), relation == "<"
        return None, False

    def reward_path(self) -> PathText:
        """What stands in the brackets of R."""
        position = self.position
        operator = self.text if self.kind == "name" else ""
        if operator == "F":
            self.advance()
            if self.at("<=") or self.at("<"):
                raise self.error("F of rewards has no bound on steps, expected F or C<=k", self.position)
            return PathText("F", (self._state(),), None, False, position)
        if operator == "C" and self.at("<=", 1):
            self.index += 2
            return PathText("C", (), self._binary(_SUMS), False, position)
        if operator == "I" and self.at("=", 1):
            self.index += 2
            return PathText("I", (), self._binary(_SUMS), False, position)
        raise self.expected("F with a formula, C<=k or I=k")
