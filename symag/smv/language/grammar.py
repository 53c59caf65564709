"""The grammar of NuSMV's input language: pyparsing for the structure of a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyparsing as pp

from symag.smv.language import syntax
from symag.smv.language.expressions import ExpressionParser
from symag.smv.language.lexer import LexedText, is_name
from symag.smv.language.recursion import deep_recursion
from symag.smv.language.terminals import (
    FurthestToken,
    Identifier,
    MethodTerminal,
    PositionTerminal,
    Terminal,
    WordTerminal,
)


def parse(tokens: LexedText) -> tuple[syntax.Module, ...]:
    """The modules of a file, in the order of the text; raises InputError with position. Linear time."""
    furthest = FurthestToken()
    grammar = _Grammar(tokens, furthest).file()
    with deep_recursion():
        try:
            result = grammar.parse_with_tabs().parse_string(tokens.source.text)
        except pp.ParseBaseException:
            raise furthest.error(tokens) from None
    return tuple(result)


class _Grammar:
    """Builds the grammar of one file over its token array."""

    def __init__(self, tokens: LexedText, furthest: FurthestToken) -> None:
        self.tokens = tokens
        self.furthest = furthest
        self.parser = ExpressionParser(tokens)
        self.expression = self.climber("an expression", ExpressionParser.parse)
        self.path = self.climber("a variable's name", ExpressionParser.parse_path, _starts_path)
        self.bound = self.climber("a type", ExpressionParser.parse_bound, _starts_bound)
        self.identifier = Identifier(tokens, furthest, "a name")
        self.position = PositionTerminal(tokens, furthest)
        self.semicolon = self.word(";")
        self.optional_semicolon = pp.Opt(self.word(";"))

    def word(self, text: str) -> Terminal:
        return WordTerminal(self.tokens, self.furthest, text)

    def climber(
        self,
        label: str,
        method: Callable[[ExpressionParser, int], tuple[syntax.Expression, int]],
        guard: Callable[[str], bool] | None = None,
    ) -> Terminal:
        return MethodTerminal(self.tokens, self.furthest, label, method, self.parser, guard)

    def words(self, *texts: str) -> pp.ParserElement:
        return pp.MatchFirst([self.word(text) for text in texts])

    def file(self) -> pp.ParserElement:
        module = self.module()
        return pp.OneOrMore(module) + self.word("")

    def module(self) -> pp.ParserElement:
        names = pp.DelimitedList(self.identifier, delim=self.word(","))
        parameters = pp.Opt(self.word("(") + pp.Opt(names) + self.word(")"))
        head = self.position + self.word("MODULE") + self.identifier + pp.Group(parameters)
        item = pp.MatchFirst(
            [
                self.declarations("VAR", self.type(instances=True)),
                self.declarations("IVAR", self.type(instances=False)),
                self.declarations("FROZENVAR", self.type(instances=False)),
                self.assigns(),
                self.definitions(),
                *self.conditions(),
                *self.specifications(),
                self.constants(),
                self.isa(),
            ]
        )
        return (head + pp.Group(pp.ZeroOrMore(item))).set_parse_action(_module)

    def type(self, instances: bool) -> pp.ParserElement:
        element = pp.Forward()
        width = self.word("[") + self.expression + self.word("]")
        unsigned = (
            self.position + pp.Opt(self.word("unsigned")) + self.words("word", "Word") + width
        ).set_parse_action(lambda tokens: syntax.WordSyntax(tokens[1], False, tokens[0]))
        signed = (self.position + self.word("signed") + self.words("word", "Word") + width).set_parse_action(
            lambda tokens: syntax.WordSyntax(tokens[1], True, tokens[0])
        )
        bounds = (self.bound + self.position + self.word("..") + self.bound).set_parse_action(
            lambda tokens: syntax.RangeSyntax(tokens[0], tokens[2], tokens[1])
        )
        values = pp.DelimitedList(self.expression, delim=self.word(","))
        enumeration = (self.position + self.word("{") + pp.Group(values) + self.word("}")).set_parse_action(
            lambda tokens: syntax.EnumerationSyntax(tuple(tokens[1]), tokens[0])
        )
        array = (self.position + self.word("array") + bounds + self.word("of") + element).set_parse_action(
            lambda tokens: syntax.ArraySyntax(tokens[1], tokens[2], tokens[0])
        )
        unbounded = (self.position + self.word("array") + self.words("of", "word", "Word")).set_parse_action(
            self.refuse_unbounded_array
        )
        boolean = self.word("boolean").copy().set_parse_action(lambda: syntax.BooleanSyntax())
        choices: list[pp.ParserElement] = [boolean, enumeration, signed, unsigned, unbounded, array]
        if instances:
            choices.append(self.instance())
        else:
            name = Identifier(self.tokens, self.furthest, "a type") + pp.FollowedBy(self.word(";"))
            choices.append(name.set_parse_action(self.refuse_name))
        choices.append(bounds)
        element <<= pp.MatchFirst(choices)
        return element

    def refuse_name(self, tokens: pp.ParseResults) -> None:
        (name,) = tokens
        message = f"'{name.text}' is not a type; instances of modules are declared in VAR"
        if name.text in syntax.INFINITE_TYPES:
            message = syntax.not_finite(name.text)
        raise self.tokens.source.error(message, name.position)

    def refuse_unbounded_array(self, tokens: pp.ParseResults) -> None:
        raise self.tokens.source.error(
            "unbounded arrays and arrays over words are not supported: symag supports finite types only", tokens[0]
        )

    def instance(self) -> pp.ParserElement:
        argument = self.climber("an expression", ExpressionParser.parse, _starts_argument)
        arguments = pp.Opt(self.word("(") + pp.Opt(pp.DelimitedList(argument, self.word(","))) + self.word(")"))
        after = pp.FollowedBy(self.words(";", "("))
        plain = self.identifier + after + pp.Group(arguments)
        process = self.word("process") + self.identifier + pp.Group(arguments)
        return pp.MatchFirst(
            [
                process.set_parse_action(lambda tokens: _instance(tokens[0], tokens[1], True)),
                plain.set_parse_action(lambda tokens: _instance(tokens[0], tokens[1], False)),
            ]
        )

    def declarations(self, section: Any, declared: pp.ParserElement) -> pp.ParserElement:
        declaration = self.path + self.word(":") + declared + self.semicolon
        declaration.set_parse_action(lambda tokens: syntax.Declaration(section, tokens[0], tokens[1]))
        return self.word(section) + pp.ZeroOrMore(declaration)

    def definitions(self) -> pp.ParserElement:
        array = pp.Forward()
        entry = array | self.expression
        entries = pp.DelimitedList(entry, delim=self.word(","))
        array <<= (self.position + self.word("[") - pp.Group(entries) - self.word("]")).set_parse_action(
            lambda tokens: syntax.ArrayLiteral(tuple(tokens[1]), tokens[0])
        )
        definition = self.path + self.word(":=") + (array | self.expression) + self.semicolon
        definition.set_parse_action(lambda tokens: (tokens[0], tokens[1]))
        section = self.words("DEFINE", "MDEFINE") + pp.ZeroOrMore(definition)
        return section.set_parse_action(
            lambda pairs: [syntax.Definition(name, value, pairs[0][0].position) for name, value in pairs]
        )

    def assigns(self) -> pp.ParserElement:
        choices = []
        for keyword in ("next", "init"):
            timed = self.position + self.word(keyword) + self.word("(") + self.path + self.word(")") + self.word(":=")
            choices.append((timed + self.expression + self.semicolon).set_parse_action(_assign(keyword)))
        current = self.position + self.path + self.word(":=") + self.expression + self.semicolon
        choices.append(current.set_parse_action(_assign("current")))
        return self.word("ASSIGN") + pp.ZeroOrMore(pp.MatchFirst(choices))

    def conditions(self) -> list[pp.ParserElement]:
        elements = []
        for keyword in ("INIT", "INVAR", "TRANS", "FAIRNESS", "JUSTICE"):
            element = self.position + self.word(keyword) + self.expression + self.optional_semicolon
            elements.append(element.set_parse_action(_condition(keyword)))
        pair = self.word("(") + self.expression + self.word(",") + self.expression + self.word(")")
        compassion = self.position + self.word("COMPASSION") + pair + self.optional_semicolon
        elements.append(compassion.set_parse_action(_condition("COMPASSION")))
        return elements

    def specifications(self) -> list[pp.ParserElement]:
        goal = self.word("[") + self.expression + self.word(",") + self.expression + self.word("]")
        compute = pp.MatchFirst(
            [
                (self.position + self.word("MIN") + goal).set_parse_action(_compute("MIN")),
                (self.position + self.word("MAX") + goal).set_parse_action(_compute("MAX")),
            ]
        )
        psl = self.climber("a PSL property", _parse_psl)
        name = pp.Group(pp.Opt(self.word("NAME") - self.path - self.word(":=")))
        context = pp.Group(pp.Opt(self.word("IN") + self.path))
        elements = []
        for keyword, kind, body in (
            ("INVARSPEC", "INVARSPEC", self.expression),
            ("SPEC", "CTL", self.expression),
            ("CTLSPEC", "CTL", self.expression),
            ("LTLSPEC", "LTL", self.expression),
            ("PSLSPEC", "PSL", psl),
            ("COMPUTE", "COMPUTE", compute),
        ):
            element = self.position + self.word(keyword) + name + body + context + self.optional_semicolon
            elements.append(element.set_parse_action(_specification(kind)))
        return elements

    def constants(self) -> pp.ParserElement:
        names = pp.Opt(pp.DelimitedList(self.path, delim=self.word(",")))
        element = self.word("CONSTANTS") + pp.Group(names) + self.semicolon
        return element.set_parse_action(lambda tokens: syntax.Constants(tuple(tokens[0])))

    def isa(self) -> pp.ParserElement:
        element = self.word("ISA") + self.identifier + self.optional_semicolon
        return element.set_parse_action(lambda tokens: syntax.Isa(tokens[0].text, tokens[0].position))


def _starts_path(text: str) -> bool:
    return text == "self" or is_name(text)


def _starts_argument(text: str) -> bool:
    return text != ")"


def _starts_bound(text: str) -> bool:
    return text[:1].isdigit() or text in ("-", "+", "(") or is_name(text)


def _module(tokens: pp.ParseResults) -> syntax.Module:
    position, name, parameters, items = tokens
    return syntax.Module(name.text, tuple(parameters), tuple(items), position)


def _instance(name: syntax.Name, arguments: pp.ParseResults, process: bool) -> syntax.InstanceSyntax:
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
