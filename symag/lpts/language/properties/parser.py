"""PRISM's properties from text to the syntax tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.lpts.language.prism.syntax import Constant, Formula, Label, PropertiesText, PropertyText
from symag.lpts.language.properties.formula_parser import FormulaParser

_Parsed = TypeVar("_Parsed")


def parse_formula(source: SourceText) -> PropertyText:
    """The only formula in a text. Raises InputError at the first token that does not fit."""
    return _guarded(source, lambda parser: parser.only())


def parse_properties(source: SourceText) -> PropertiesText:
    """A file of properties. Raises InputError at the first token that does not fit."""
    return _guarded(source, lambda parser: parser.file())


def _guarded(source: SourceText, parse: Callable[[_PropertiesParser], _Parsed]) -> _Parsed:
    try:
        return parse(_PropertiesParser(source))
    except RecursionError:
        raise InputError("the formula is nested too deeply", source.path) from None


class _PropertiesParser(FormulaParser):
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
                position, name = self.position, self.quoted("the name of a label in quotes")
                self.symbol("=")
                labels.append(Label(name, self.expression(), position))
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
            name = self.quoted("a name")
            self.symbol(":")
        begin = self.index
        formula = self.state()
        end = self.tokens.starts[self.index - 1] + len(self.tokens.texts[self.index - 1])
        text = self.tokens.source.text[self.tokens.starts[begin] : end]
        return PropertyText(formula, name, " ".join(text.split()), line)
