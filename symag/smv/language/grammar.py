"""The grammar of NuSMV's input language: pyparsing for the structure of a file."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pyparsing as pp

from symag.smv.language import syntax
from symag.smv.language.expressions import ExpressionParser
from symag.smv.language.lexer import LexedText
from symag.smv.language.recursion import deep_recursion
from symag.smv.language.terminals import Elements, FurthestToken, Identifier, made


def parse(tokens: LexedText) -> tuple[syntax.Module, ...]:
    """The modules of a file, in the order of the text; raises InputError with position. Linear time."""
    # Alternatives that begin with a word that does not occur would fail, but take time to build. The error message
    # names them.
    for occurring in (frozenset(tokens.texts), None):
        furthest = FurthestToken()
        grammar = _Grammar(tokens, furthest, occurring).file()
        with deep_recursion():
            try:
                return tuple(grammar.parse_with_tabs().parse_string(tokens.source.text))
            except pp.ParseBaseException:
                continue
    raise furthest.error(tokens)


class _Grammar(Elements):
    """Builds the grammar of one file."""

    def file(self) -> pp.ParserElement:
        return self.sequence(pp.OneOrMore(self.module()), self.word(""))

    def module(self) -> pp.ParserElement:
        names = pp.DelimitedList(self.identifier, delim=self.word(","))
        parameters = pp.Opt(self.sequence(self.word("("), pp.Opt(names), self.word(")")))
        item = pp.MatchFirst(
            [
                *self.variables(),
                *self.assigns(),
                *self.definitions(),
                *self.conditions(),
                *self.specifications(),
                *self.constants(),
                *self.isa(),
            ]
        )
        items = pp.Group(pp.ZeroOrMore(item))
        return self.rule(_module, self.placed("MODULE"), self.identifier, pp.Group(parameters), items)

    def variables(self) -> list[pp.ParserElement]:
        return [
            self.declarations(section, self.type(instances=section == "VAR"))
            for section in ("VAR", "IVAR", "FROZENVAR")
            if self.occurs(section)
        ]

    def type(self, instances: bool) -> pp.ParserElement:
        element = pp.Forward()
        choices: list[pp.ParserElement] = []
        bounds = self.rule(
            lambda tokens: syntax.RangeSyntax(tokens[0], tokens[2], tokens[1]),
            *(self.bound, self.placed(".."), self.bound),
        )
        if self.occurs("boolean"):
            choices.append(self.rule(lambda tokens: syntax.BooleanSyntax(), self.word("boolean")))
        if self.occurs("{"):
            values = pp.DelimitedList(self.expression, delim=self.word(","))
            choices.append(
                self.rule(
                    lambda tokens: syntax.EnumerationSyntax(tuple(tokens[1]), tokens[0]),
                    *(self.placed("{"), pp.Group(values), self.word("}")),
                )
            )
        choices.extend(self.word_types())
        if self.occurs("array"):
            choices.append(self.rule(self.refuse_unbounded_array, self.placed("array"), self.words("of", "integer")))
            choices.append(
                self.rule(
                    lambda tokens: syntax.WordArraySyntax(tokens[1], tokens[2], tokens[0]),
                    *(self.placed("array"), self.words("word", "Word"), *self.width(), self.word("of"), element),
                )
            )
            choices.append(
                self.rule(
                    lambda tokens: syntax.ArraySyntax(tokens[1], tokens[2], tokens[0]),
                    *(self.placed("array"), bounds, self.word("of"), element),
                )
            )
        if instances:
            choices.append(self.instance())
        else:
            name = Identifier(self.tokens, self.furthest, "a type")
            choices.append(self.rule(self.refuse_name, name, pp.FollowedBy(self.semicolon)))
        choices.append(bounds)
        element <<= pp.MatchFirst(choices)
        return element

    def word_types(self) -> list[pp.ParserElement]:
        if not self.occurs("word", "Word"):
            return []
        width = self.width()
        words = self.words("word", "Word")
        signed = self.rule(
            lambda tokens: syntax.WordSyntax(tokens[1], True, tokens[0]), self.placed("signed"), words, *width
        )
        unsigned = self.rule(
            lambda tokens: syntax.WordSyntax(tokens[1], False, tokens[0]),
            *(self.position, pp.Opt(self.word("unsigned")), words, *width),
        )
        return [signed, unsigned]

    def width(self) -> tuple[pp.ParserElement, ...]:
        return self.word("["), self.expression, self.word("]")

    def refuse_name(self, tokens: pp.ParseResults) -> None:
        (name,) = tokens
        message = f"'{name.text}' is not a type; instances of modules are declared in VAR"
        if name.text in syntax.INFINITE_TYPES:
            message = syntax.not_finite(name.text)
        raise self.tokens.source.error(message, name.position)

    def refuse_unbounded_array(self, tokens: pp.ParseResults) -> None:
        raise self.tokens.source.error(
            "unbounded arrays are not supported: symag supports finite types only", tokens[0]
        )

    def instance(self) -> pp.ParserElement:
        argument = self.climber("an expression", ExpressionParser.parse, _starts_argument)
        values = pp.Opt(pp.DelimitedList(argument, self.word(",")))
        arguments = pp.Group(pp.Opt(self.sequence(self.word("("), values, self.word(")"))))
        after = pp.FollowedBy(self.words(";", "("))
        plain = self.rule(lambda tokens: _instance(tokens, False), self.identifier, after, arguments)
        if not self.occurs("process"):
            return plain
        process = self.rule(lambda tokens: _instance(tokens, True), self.word("process"), self.identifier, arguments)
        return pp.MatchFirst([process, plain])

    def declarations(self, section: Any, declared: pp.ParserElement) -> pp.ParserElement:
        declaration = self.rule(
            lambda tokens: syntax.Declaration(section, tokens[0], tokens[1]),
            *(self.path, self.word(":"), declared, self.semicolon),
        )
        return self.sequence(self.word(section), pp.ZeroOrMore(declaration))

    def definitions(self) -> list[pp.ParserElement]:
        if not self.occurs("DEFINE", "MDEFINE"):
            return []
        definition = self.rule(
            lambda tokens: (tokens[0], tokens[1]),
            *(self.path, self.word(":="), self.defined(), self.semicolon),
        )
        section = self.rule(
            lambda pairs: [syntax.Definition(name, value, pairs[0][0].position) for name, value in pairs],
            *(self.words("DEFINE", "MDEFINE"), pp.ZeroOrMore(definition)),
        )
        return [section]

    def defined(self) -> pp.ParserElement:
        """The right side of a definition."""
        if self.occurring is not None and (":=", "[") not in pairwise(self.tokens.texts):
            return self.expression
        array = pp.Forward()
        entries = pp.DelimitedList(array | self.expression, delim=self.word(","))
        array <<= (self.placed("[") - pp.Group(entries) - self.word("]")).set_parse_action(
            made(lambda tokens: syntax.ArrayLiteral(tuple(tokens[1]), tokens[0]))
        )
        return array | self.expression

    def assigns(self) -> list[pp.ParserElement]:
        if not self.occurs("ASSIGN"):
            return []
        value = (self.word(":="), self.expression, self.semicolon)
        target = (self.word("("), self.path, self.word(")"))
        choices = [
            self.rule(_assign(keyword), self.placed(keyword), *target, *value)
            for keyword in ("next", "init")
            if self.occurs(keyword)
        ]
        choices.append(self.rule(_assign("current"), self.position, self.path, *value))
        return [self.sequence(self.word("ASSIGN"), pp.ZeroOrMore(pp.MatchFirst(choices)))]

    def conditions(self) -> list[pp.ParserElement]:
        elements = [
            self.rule(_condition(keyword), self.placed(keyword), self.expression, self.optional_semicolon)
            for keyword in ("INIT", "INVAR", "TRANS", "FAIRNESS", "JUSTICE")
            if self.occurs(keyword)
        ]
        if self.occurs("COMPASSION"):
            pair = (self.word("("), self.expression, self.word(","), self.expression, self.word(")"))
            compassion = self.placed("COMPASSION")
            elements.append(self.rule(_condition("COMPASSION"), compassion, *pair, self.optional_semicolon))
        return elements

    def specifications(self) -> list[pp.ParserElement]:
        name = pp.Group(pp.Opt(self.word("NAME") - self.path - self.word(":=")))
        context = pp.Group(pp.Opt(self.sequence(self.word("IN"), self.path)))
        psl = self.climber("a PSL property", _parse_psl)
        elements = []
        for keyword, kind in (
            ("INVARSPEC", "INVARSPEC"),
            ("SPEC", "CTL"),
            ("CTLSPEC", "CTL"),
            ("LTLSPEC", "LTL"),
            ("PSLSPEC", "PSL"),
            ("COMPUTE", "COMPUTE"),
        ):
            if self.occurs(keyword):
                body = psl if kind == "PSL" else self.compute() if kind == "COMPUTE" else self.expression
                parts = (self.placed(keyword), name, body, context, self.optional_semicolon)
                elements.append(self.rule(_specification(kind), *parts))
        return elements

    def compute(self) -> pp.ParserElement:
        goal = (self.word("["), self.expression, self.word(","), self.expression, self.word("]"))
        return pp.MatchFirst([self.rule(_compute(word), self.placed(word), *goal) for word in ("MIN", "MAX")])

    def constants(self) -> list[pp.ParserElement]:
        if not self.occurs("CONSTANTS"):
            return []
        names = pp.Group(pp.Opt(pp.DelimitedList(self.path, delim=self.word(","))))
        return [
            self.rule(lambda tokens: syntax.Constants(tuple(tokens[0])), self.word("CONSTANTS"), names, self.semicolon)
        ]

    def isa(self) -> list[pp.ParserElement]:
        if not self.occurs("ISA"):
            return []
        return [
            self.rule(
                lambda tokens: syntax.Isa(tokens[0].text, tokens[0].position),
                *(self.word("ISA"), self.identifier, self.optional_semicolon),
            )
        ]


def _starts_argument(text: str) -> bool:
    return text != ")"


def _module(tokens: pp.ParseResults) -> syntax.Module:
    position, name, parameters, items = tokens
    return syntax.Module(name.text, tuple(parameters), tuple(items), position)


def _instance(tokens: pp.ParseResults, process: bool) -> syntax.InstanceSyntax:
    name, arguments = tokens
    return syntax.InstanceSyntax(name.text, tuple(arguments), process, name.position)


def _assign(time: Any) -> Callable[[pp.ParseResults], syntax.Assign]:
    return lambda tokens: syntax.Assign(time, tokens[1], tokens[2], tokens[0])


def _condition(keyword: str) -> Callable[[pp.ParseResults], syntax.Condition]:
    section: Any = "JUSTICE" if keyword == "FAIRNESS" else keyword
    return lambda tokens: syntax.Condition(section, tuple(tokens[1:]), tokens[0])


def _compute(operator: str) -> Callable[[pp.ParseResults], syntax.Operation]:
    return lambda tokens: syntax.Operation(operator, (tokens[1], tokens[2]), tokens[0])


def _specification(kind: Any) -> Callable[[pp.ParseResults], syntax.Specification]:
    def make(tokens: pp.ParseResults) -> syntax.Specification:
        position, name, expression, context = tokens
        return syntax.Specification(
            kind, name[0] if name else None, expression, context[0] if context else None, position
        )

    return make


def _parse_psl(parser: ExpressionParser, start: int) -> tuple[syntax.Expression, int]:
    from symag.smv.language.psl import parse_psl  # for start-up: few models have PSL properties

    return parse_psl(parser, start)
