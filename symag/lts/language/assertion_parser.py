"""Assertions of FSP: formulas of fluent linear temporal logic."""

from __future__ import annotations

from collections.abc import Callable

from symag.lts.language.reading import FspReader
from symag.lts.language.syntax import Assertion, Formula


class AssertionParser(FspReader):
    """A reader of assertions and of what they are made of."""

    def assertion(self, kind: str = "assertion") -> Assertion:
        """What follows ``assert`` or ``constraint``: the name, the parameters, the formula and further actions."""
        position = self.position
        name = self.new_name(kind)
        parameters = self.parameters()
        self.symbol("=")
        formula = self._formula_unary()
        further = self.label_set() if self.accept("+") else None
        return Assertion(name, parameters, formula, further, position)

    def _formula(self) -> Formula:
        left = self._formula_until()
        while self.text == "||":
            left = self._formula_binary(left, self._formula_until)
        return left

    def _formula_until(self) -> Formula:
        left = self._formula_and()
        if self.text in ("U", "W", "->", "<->"):
            return self._formula_binary(left, self._formula_and)
        return left

    def _formula_and(self) -> Formula:
        left = self._formula_unary()
        while self.text == "&&":
            left = self._formula_binary(left, self._formula_unary)
        return left

    def _formula_binary(self, left: Formula, operand: Callable[[], Formula]) -> Formula:
        operator, position = self.text, self.position
        self.advance()
        return Formula(operator, (left, operand()), None, (), (), (), None, position)

    def _formula_unary(self) -> Formula:
        operator, position = self.text, self.position
        if operator in ("!", "X", "<>", "[]"):
            self.advance()
            return Formula(operator, (self._formula_unary(),), None, (), (), (), None, position)
        if operator in ("forall", "exists"):
            self.advance()
            ranges = self.index_ranges()
            return Formula(operator, (self._formula_unary(),), None, ranges, (), (), None, position)
        if self.accept("("):
            inner = self._formula()
            self.symbol(")")
            return inner
        if self.accept("rigid"):
            return Formula("atom", (), None, (), (), (), self.sum(), position)
        if self.kind == "upper":
            self.advance()
            indices = self.index_ranges() if self.text == "[" else ()
            arguments = self.arguments() or ()
            return Formula("atom", (), operator, indices, arguments, (), None, position)
        if self.begins_label():
            return Formula("atom", (), None, (), (), self.label(), None, position)
        raise self.expected("a formula")
