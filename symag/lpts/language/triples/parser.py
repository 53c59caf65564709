"""The section ``triples ... endtriples`` of a file of monitors: from text to the syntax tree.

    triple ::= ["name":] <[bound {, bound}]> (component {|| component} | system) <bound>;
    bound  ::= P<=p [F "label"] | P<=p [G !"label"] | R{"name"}<=r [C]

In place of ``<=`` there may be ``>=``, in place of ``<=p`` also ``=?``, ``min=?`` or ``max=?``. The rest of the file is
PRISM's language.
"""

from __future__ import annotations

import re

from msgspec import Struct

from symag.core.source import SourceText
from symag.lpts.language.prism.syntax import MeasureText, PathText
from symag.lpts.language.properties.formula_parser import FormulaParser

_MEASURES = ("P", "R", "Pmin", "Pmax", "Rmin", "Rmax")
_SECTION = re.compile(r"^[ \t]*triples\b(.*?)^[ \t]*endtriples\b", re.MULTILINE | re.DOTALL)


class ComponentText(Struct, frozen=True):
    """The name of a component, and where it stands."""

    name: str
    position: int


class TripleText(Struct, frozen=True):
    """A triple; no ``components`` stand for the whole system."""

    assumptions: tuple[MeasureText, ...]
    components: tuple[ComponentText, ...]
    guarantee: MeasureText
    name: str | None
    text: str
    line: int


def sections(source: SourceText) -> tuple[SourceText, tuple[TripleText, ...]]:
    """The rest of the file, with blanks for the section of triples, and the triples. Raises InputError."""
    match = _SECTION.search(source.text)
    if match is None:
        raise source.error("there are no triples, expected: triples ... endtriples", max(0, len(source.text) - 1))
    begin, end = match.span(1)
    text = source.text
    rest = _blank(text[: match.end()], match.start(), match.end()) + text[match.end() :]
    inside = _blank(text[:begin], 0, begin) + text[begin:end]
    return SourceText.of(source.path, rest), _TripleParser(SourceText.of(source.path, inside)).triples()


def _blank(text: str, begin: int, end: int) -> str:
    """The text with blanks from ``begin`` to ``end``; lines stay."""
    return text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]


class _TripleParser(FormulaParser):
    def triples(self) -> tuple[TripleText, ...]:
        """All triples to the end."""
        read: list[TripleText] = []
        while self.kind != "end":
            read.append(self._triple())
        if not read:
            raise self.expected('a triple such as <> sensor <P<=0.1 [F "lost"]>;')
        return tuple(read)

    def _triple(self) -> TripleText:
        name, position = None, self.position
        line, _ = self.tokens.source.location(position)
        if self.kind == "string":
            name = self.quoted("a name")
            self.symbol(":")
        begin = self.index
        self.symbol("<")
        assumptions: list[MeasureText] = []
        while not self.accept(">"):
            if assumptions:
                self.symbol(",")
            assumptions.append(self._bound())
        components: list[ComponentText] = []
        if not self.accept("system"):
            components.append(self._component())
            while self.accept("|"):
                self.symbol("|")
                components.append(self._component())
        self.symbol("<")
        guarantee = self._bound()
        self.symbol(">")
        end = self.tokens.starts[self.index - 1] + 1
        text = " ".join(self.tokens.source.text[self.tokens.starts[begin] : end].split())
        self.symbol(";")
        return TripleText(tuple(assumptions), tuple(components), guarantee, name, text, line)

    def _component(self) -> ComponentText:
        position = self.position
        return ComponentText(self.name("the name of a component, or system"), position)

    def _bound(self) -> MeasureText:
        if self.kind != "name" or self.text not in _MEASURES:
            raise self.expected('P or R, as in P<=0.1 [F "lost"]')
        return self.measure()

    def reward_path(self) -> PathText:
        position = self.position
        if self.kind == "name" and self.text == "C" and not self.at("<=", 1):
            self.advance()
            return PathText("C", (), None, False, position)
        if self.text not in ("F", "C", "I"):
            raise self.expected("F with a formula, C<=k or I=k")
        return super().reward_path()
