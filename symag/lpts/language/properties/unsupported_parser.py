"""The constructs of PRISM's properties that are read, but not decided: all that is kept are the formulas in them."""

from __future__ import annotations

from abc import abstractmethod

from symag.lpts.language.prism.expression_parser import ExpressionParser
from symag.lpts.language.prism.syntax import (
    Expression,
    ExpressionText,
    FormulaText,
    PathText,
    UnsupportedText,
    begin_of,
)

RELATIONS = ("<=", "<", ">=", ">")
UNSUPPORTED = {
    "filter": "filter(..)",
    "multi": "multi(..)",
    "S": "the steady-state operator S",
    "A": "the operator A of CTL",
    "E": "the operator E of CTL",
}
_FILTERS = ("min", "max", "argmin", "argmax", "count", "sum", "avg", "first", "range", "forall", "exists")
_SHORT_FILTERS = ("+", "&", "|")  # of sum, forall and exists
_PRINTING = ("print", "printall", "state")


class UnsupportedParser(ExpressionParser):
    """Reads these constructs, by the grammar of formulas of the class that it is the base of."""

    @abstractmethod
    def state(self) -> FormulaText:
        """A formula about states that begins here."""

    @abstractmethod
    def path(self) -> PathText:
        """A path, as in the brackets of P."""

    @abstractmethod
    def comparison(self) -> tuple[str, Expression | None]:
        """``=?``, or a relation and a bound."""

    def unsupported(self) -> UnsupportedText:
        """The construct of ``UNSUPPORTED`` that begins here."""
        word, position = self.text, self.position
        self.advance()
        operands: tuple[FormulaText, ...]
        if word == "multi":
            self.symbol("(")
            operands = self.listed(self.state, ")")
        elif word == "filter":
            operands = self._filter()
        else:
            bound = self.comparison()[1] if word == "S" else None
            self.symbol("[")
            operands = (self.state(),) if word == "S" else self.path().operands
            if word == "S" and self.at("{"):
                operands = (*operands, self.old_filter())
            operands = operands if bound is None else (*operands, ExpressionText(bound, begin_of(bound)))
            self.symbol("]")
        return UnsupportedText(UNSUPPORTED[word], operands, position)

    def _filter(self) -> tuple[FormulaText, ...]:
        self.symbol("(")
        if self.text not in (*_FILTERS, *_SHORT_FILTERS, *_PRINTING):
            raise self.expected("an operator of filters such as min")
        self.advance()
        self.symbol(",")
        operands: tuple[FormulaText, ...] = (self.state(),)
        if self.accept(",") and not self.accept("init"):
            operands = (*operands, self.state())
        self.symbol(")")
        return operands

    def old_filter(self) -> FormulaText:
        """``{states}{min}`` behind a path, as filters were written before PRISM 4; the formula of the states."""
        self.symbol("{")
        states = self.state()
        self.symbol("}")
        while self.accept("{"):
            if not (self.accept("min") or self.accept("max")):
                raise self.expected("min or max")
            self.symbol("}")
        return states

    def coalition(self) -> UnsupportedText:
        """``<<player, ..>>`` or ``[[player, ..]]`` and the formula behind it."""
        position, end = self.position, ">" if self.at("<") else "]"
        self.index += 2
        if not self.accept("*") and not self.at(end):
            self._player()
            while self.accept(","):
                self._player()
        if not self.at(end):
            raise self.expected(f"',' or '{2 * end}'")
        self.symbol(end)
        self.symbol(end)
        return UnsupportedText("coalitions of games", (self.formula_behind(),), position)

    @abstractmethod
    def formula_behind(self) -> FormulaText:
        """The formula without connectives that begins here."""

    def _player(self) -> None:
        if self.kind not in ("name", "number", "string"):
            raise self.expected("the name or the number of a player")
        self.advance()
