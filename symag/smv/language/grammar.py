"""The grammar of NuSMV's input language: the structure of a file, by recursive descent over the token array.

One token decides what comes next, so that nothing is read twice. By hand like the expressions in it: importing a
parser library alone took a quarter of the time of a check of a small model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from symag.core.errors import InputError
from symag.smv.language import syntax
from symag.smv.language.expressions import ExpressionParser
from symag.smv.language.lexer import LexedText, is_name
from symag.smv.language.recursion import deep_recursion
from symag.smv.language.refusals import SECTIONS, Refusals

_Element = TypeVar("_Element")

_KINDS: dict[str, Any] = {
    "INVARSPEC": "INVARSPEC", "SPEC": "CTL", "CTLSPEC": "CTL", "LTLSPEC": "LTL", "PSLSPEC": "PSL", "COMPUTE": "COMPUTE",
}  # fmt: skip


def parse(tokens: LexedText) -> tuple[syntax.Module, ...]:
    """The modules of a file, in the order of the text; raises InputError with position. Linear time."""
    with deep_recursion():
        return _Grammar(tokens).file()


class _Grammar:
    """Reads one file. Every method starts at the token ``index`` and moves it behind what it reads, or raises
    InputError; those that return a bool read nothing when it is false.
    """

    def __init__(self, tokens: LexedText) -> None:
        self.tokens = tokens
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.index = 0
        self.refusals = Refusals()
        self.parser = ExpressionParser(tokens)

    def file(self) -> tuple[syntax.Module, ...]:
        modules = []
        while self.takes("MODULE"):
            modules.append(self.module(self.starts[self.index - 1]))
        if not modules or not self.takes(""):
            raise self.refusals.error(self.tokens)
        return tuple(modules)

    def takes(self, word: str) -> bool:
        """Whether the next token is this word or symbol, or the end; it is then read."""
        if self.texts[self.index] == word:
            self.index += 1
            return True
        self.refusals.note(self.index, f"'{word}'" if word else "end of file")
        return False

    def take(self, *words: str) -> str:
        """Read one of these words."""
        for word in words:
            if self.takes(word):
                return word
        raise self.refusals.error(self.tokens)

    def starts_with(self, guard: Callable[[str], bool], label: str) -> bool:
        """Whether the next token satisfies the guard."""
        if guard(self.texts[self.index]):
            return True
        self.refusals.note(self.index, label)
        return False

    def need(self, guard: Callable[[str], bool], label: str) -> None:
        """Refuse a next token that does not satisfy the guard."""
        if not self.starts_with(guard, label):
            raise self.refusals.error(self.tokens)

    def name(self, label: str = "a name") -> syntax.Name:
        self.need(is_name, label)
        self.index += 1
        return syntax.Name(self.texts[self.index - 1], self.starts[self.index - 1])

    def expression(self) -> syntax.Expression:
        expression, self.index = self.parser.parse(self.index)
        return expression

    def path(self) -> syntax.Expression:
        self.need(_starts_path, "a variable's name")
        path, self.index = self.parser.parse_path(self.index)
        return path

    def bound(self) -> syntax.Expression:
        self.need(_starts_bound, "a type")
        bound, self.index = self.parser.parse_bound(self.index)
        return bound

    def several(self, element: Callable[[], _Element]) -> tuple[_Element, ...]:
        """One or more, separated by commas."""
        elements = [element()]
        while self.takes(","):
            elements.append(element())
        return tuple(elements)

    def pair(self, opening: str, closing: str) -> tuple[syntax.Expression, syntax.Expression]:
        """Two expressions in brackets, separated by a comma."""
        self.take(opening)
        first = self.expression()
        self.take(",")
        second = self.expression()
        self.take(closing)
        return first, second

    def module(self, position: int) -> syntax.Module:
        name = self.name()
        parameters: tuple[syntax.Name, ...] = ()
        if self.takes("("):
            if self.starts_with(is_name, "a name"):
                parameters = self.several(self.name)
            self.take(")")
        items: list[syntax.Item] = []
        while (section := self.texts[self.index]) in SECTIONS:
            self.index += 1
            items += self.section(section, self.starts[self.index - 1])
        for word in SECTIONS:
            self.refusals.note(self.index, f"'{word}'")
        return syntax.Module(name.text, parameters, tuple(items), position)

    def section(self, keyword: Any, position: int) -> list[syntax.Item]:
        """What follows the keyword of a section."""
        match keyword:
            case "VAR" | "IVAR" | "FROZENVAR":
                return self.declarations(keyword)
            case "ASSIGN":
                return self.assigns()
            case "DEFINE" | "MDEFINE":
                return self.definitions()
            case "INIT" | "INVAR" | "TRANS" | "FAIRNESS" | "JUSTICE":
                item: syntax.Item = syntax.Condition(
                    "JUSTICE" if keyword == "FAIRNESS" else keyword, (self.expression(),), position
                )
            case "COMPASSION":
                item = syntax.Condition(keyword, self.pair("(", ")"), position)
            case "CONSTANTS":
                named = self.starts_with(_starts_path, "a variable's name")
                item = syntax.Constants(self.several(self.path) if named else ())
                self.take(";")
                return [item]
            case "ISA":
                name = self.name()
                item = syntax.Isa(name.text, name.position)
            case _:
                item = self.specification(keyword, position)
        self.takes(";")
        return [item]

    def specification(self, keyword: str, position: int) -> syntax.Specification:
        name = context = None
        if self.takes("NAME"):
            name = self.path()
            self.take(":=")
        if keyword == "COMPUTE":
            start = self.starts[self.index]
            expression: syntax.Expression = syntax.Operation(self.take("MIN", "MAX"), self.pair("[", "]"), start)
        elif keyword == "PSLSPEC":
            from symag.smv.language.psl import parse_psl  # for start-up: few models have PSL properties

            expression, self.index = parse_psl(self.parser, self.index)
        else:
            expression = self.expression()
        if self.takes("IN"):
            context = self.path()
        return syntax.Specification(_KINDS[keyword], name, expression, context, position)

    def declarations(self, section: Any) -> list[syntax.Item]:
        declarations: list[syntax.Item] = []
        while self.starts_with(_starts_path, "a variable's name"):
            name = self.path()
            self.take(":")
            declarations.append(syntax.Declaration(section, name, self.type(instances=section == "VAR")))
            self.take(";")
        return declarations

    def assigns(self) -> list[syntax.Item]:
        assigns: list[syntax.Item] = []
        while True:
            position = self.starts[self.index]
            time: Any = "next" if self.takes("next") else "init" if self.takes("init") else "current"
            if time != "current":
                self.take("(")
                target = self.path()
                self.take(")")
            elif self.starts_with(_starts_path, "a variable's name"):
                target = self.path()
            else:
                return assigns
            self.take(":=")
            assigns.append(syntax.Assign(time, target, self.expression(), position))
            self.take(";")

    def definitions(self) -> list[syntax.Item]:
        pairs = []
        while self.starts_with(_starts_path, "a variable's name"):
            name = self.path()
            self.take(":=")
            pairs.append((name, self.definition()))
            self.take(";")
        return [syntax.Definition(name, value, pairs[0][0].position) for name, value in pairs]

    def definition(self) -> syntax.Expression | syntax.ArrayLiteral:
        position = self.starts[self.index]
        if not self.takes("["):
            return self.expression()
        elements = self.several(self.definition)
        self.take("]")
        return syntax.ArrayLiteral(elements, position)

    def type(self, instances: bool) -> syntax.TypeSyntax:
        """A type; with ``instances`` also an instance of a module."""
        position = self.starts[self.index]
        if self.takes("boolean"):
            return syntax.BooleanSyntax()
        if self.takes("{"):
            values = self.several(self.expression)
            self.take("}")
            return syntax.EnumerationSyntax(values, position)
        if self.takes("signed"):
            self.take("word", "Word")
            return self.word(True, position)
        if self.takes("unsigned"):
            self.take("word", "Word")
            return self.word(False, position)
        if self.takes("word") or self.takes("Word"):
            return self.word(False, position)
        if self.takes("array"):
            if self.takes("of") or self.takes("word") or self.takes("Word"):
                raise self.refused_array(position)
            bounds = self.range()
            self.take("of")
            return syntax.ArraySyntax(bounds, self.type(instances), position)
        if instances:
            return self.instance() or self.range()
        self.refuse_name()
        return self.range()

    def word(self, signed: bool, position: int) -> syntax.WordSyntax:
        self.take("[")
        width = self.expression()
        self.take("]")
        return syntax.WordSyntax(width, signed, position)

    def range(self) -> syntax.RangeSyntax:
        low = self.bound()
        position = self.starts[self.index]
        self.take("..")
        return syntax.RangeSyntax(low, self.bound(), position)

    def refused_array(self, position: int) -> InputError:
        message = "unbounded arrays and arrays over words are not supported: symag supports finite types only"
        return self.tokens.source.error(message, position)

    def refuse_name(self) -> None:
        """Refuse a name alone, which is no type here."""
        if self.starts_with(is_name, "a type") and self.name_ends(";"):
            name = self.name()
            message = f"'{name.text}' is not a type; instances of modules are declared in VAR"
            if name.text in syntax.INFINITE_TYPES:
                message = syntax.not_finite(name.text)
            raise self.tokens.source.error(message, name.position)

    def instance(self) -> syntax.InstanceSyntax | None:
        """An instance of a module, if the next tokens begin one: a name can also begin a range."""
        process = self.takes("process")
        if not process and not (self.starts_with(is_name, "a name") and self.name_ends(";", "(")):
            return None
        module = self.name()
        arguments: tuple[syntax.Expression, ...] = ()
        if self.takes("("):
            if self.starts_with(_starts_argument, "an expression"):
                arguments = self.several(self.expression)
            self.take(")")
        return syntax.InstanceSyntax(module.text, arguments, process, module.position)

    def name_ends(self, *words: str) -> bool:
        """Whether one of these words follows the next token."""
        if self.texts[self.index + 1] in words:
            return True
        for word in words:
            self.refusals.note(self.index + 1, f"'{word}'")
        return False


def _starts_path(text: str) -> bool:
    return text == "self" or is_name(text)


def _starts_argument(text: str) -> bool:
    return text != ")"


def _starts_bound(text: str) -> bool:
    return text[:1].isdigit() or text in ("-", "+", "(") or is_name(text)
