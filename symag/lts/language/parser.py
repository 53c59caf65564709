"""FSP from tokens to the syntax tree, by recursive descent.

The grammar is LTSA's. It is not context-free: ``S -> X`` begins with a label only if S is the name of a set, so
the names of sets are collected first.
"""

from __future__ import annotations

from collections.abc import Callable

from symag.core.source import SourceText
from symag.lts.language.assertion_parser import AssertionParser
from symag.lts.language.reading import tokens
from symag.lts.language.syntax import (
    Assertion,
    Body,
    Choice,
    Component,
    Composite,
    Conditional,
    Expression,
    Fluent,
    Label,
    LabelSet,
    LocalProcess,
    Parameter,
    Prefix,
    Process,
    Progress,
    Reference,
    Relabelling,
    Sequence,
    Specification,
    Visibility,
)

_KINDS = ("deterministic", "minimal", "compose", "property")


def parse(source: SourceText) -> Specification:
    """The syntax tree of a specification. Raises InputError at the first token that does not fit."""
    return _Parser(source).specification()


class _Parser(AssertionParser):
    def __init__(self, source: SourceText) -> None:
        super().__init__(tokens(source))

    # ------------------------------------------------------------------------------- declarations

    def specification(self) -> Specification:
        constants: list[Parameter] = []
        ranges: list[tuple[str, Expression, Expression]] = []
        sets: list[tuple[str, LabelSet]] = []
        processes: list[Process] = []
        composites: list[Composite] = []
        progress: list[Progress] = []
        fluents: list[Fluent] = []
        assertions: list[Assertion] = []
        constraints: list[Assertion] = []
        declarations: dict[str, Callable[[], None]] = {
            "const": lambda: constants.append(self.parameter(self.sum)),
            "range": lambda: ranges.append(self._range_declaration()),
            "set": lambda: sets.append(self._set_declaration()),
            "progress": lambda: progress.append(self._progress()),
            "fluent": lambda: fluents.append(self._fluent()),
            "predicate": lambda: fluents.append(self._fluent()),
            "assert": lambda: assertions.append(self.assertion()),
            "constraint": lambda: constraints.append(self.assertion("constraint")),
            "menu": self._menu,
            "animation": self._animation,
        }
        while self.kind != "end":
            declare = declarations.get(self.text) if self.kind == "symbol" else None
            if declare is not None:
                self.advance()
                declare()
                continue
            kinds = set()
            while self.kind == "symbol" and self.text in _KINDS:
                kinds.add(self.text)
                self.advance()
            if self.accept("||"):
                composites.append(self._composite(frozenset(kinds)))
            elif self.kind == "upper":
                processes.append(self._process(frozenset(kinds)))
            else:
                raise self.expected("a definition")
        return Specification(
            tuple(constants),
            tuple(ranges),
            tuple(sets),
            tuple(processes),
            tuple(composites),
            tuple(progress),
            tuple(fluents),
            tuple(assertions),
            tuple(constraints),
        )

    def _range_declaration(self) -> tuple[str, Expression, Expression]:
        name = self.new_name("range")
        self.symbol("=")
        low = self.sum()
        self.symbol("..")
        return name, low, self.sum()

    def _set_declaration(self) -> tuple[str, LabelSet]:
        name = self.new_name("set")
        self.symbol("=")
        return name, self.label_set()

    def _menu(self) -> None:
        """A menu of LTSA's animator, which nothing here reads."""
        self.new_name("menu")
        self.symbol("=")
        self.label()

    def _progress(self) -> Progress:
        position = self.position
        name = self.new_name("progress property")
        ranges = self.index_ranges() if self.text == "[" else ()
        self.symbol("=")
        condition = None
        if self.accept("if"):
            condition = self.label()
            self.symbol("then")
        return Progress(name, ranges, condition, self.label(), position)

    def _fluent(self) -> Fluent:
        position = self.position
        name = self.new_name("fluent")
        ranges = self.index_ranges() if self.text == "[" else ()
        self.symbol("=")
        self.symbol("<")
        initiating = self.label()
        self.symbol(",")
        terminating = self.label()
        self.symbol(">")
        initially = self.sum() if self.accept("initially") else None
        return Fluent(name, ranges, initiating, terminating, initially, position)

    def _animation(self) -> None:
        """Read an animation, which describes a moving picture, and drop it."""
        self.upper("the name of an animation")
        self.symbol("=")
        if self.kind != "string":
            raise self.expected("the name of a file in quotes")
        self.advance()
        if self.accept("target"):
            self.upper("the name of a composite")
        if self.accept("compose"):
            self.symbol("{")
            self.upper("the name of an animation")
            self._relabellings()
            while self.accept("||"):
                self.upper("the name of an animation")
                self._relabellings()
            self.symbol("}")
        for keyword in ("actions", "controls"):
            if self.accept(keyword):
                self._relabelling_set()

    # ---------------------------------------------------------------------------------- processes

    def _process(self, kinds: frozenset[str]) -> Process:
        position = self.position
        name = self.upper("the name of a process")
        parameters = self.parameters()
        processes = [self._local(name, position)]
        while self.accept(","):
            start = self.position
            processes.append(self._local(self.upper("the name of a local process"), start))
        extension = self.label_set() if self.accept("+") else None
        relabellings = self._relabellings()
        visibility = self._visibility()
        self.symbol(".")
        if processes[0].indices:
            raise self.error("the name of a process has no index", position)
        return Process(name, parameters, tuple(processes), extension, relabellings, visibility, kinds, position)

    def _local(self, name: str, position: int) -> LocalProcess:
        indices: Label = ()
        if self.text in ("[", "."):
            self.accept(".")
            indices = self.label()
        self.symbol("=")
        return LocalProcess(name, indices, self._body(), position)

    def _body(self) -> Body:
        position = self.position
        if self.accept("if"):
            condition = self.expression()
            self.symbol("then")
            then = self._body()
            otherwise = self._body() if self.accept("else") else Reference("STOP", (), (), position)
            return Conditional(condition, then, otherwise, position)
        if self.accept("("):
            return Choice(self.listed(self._prefix, ")", "|"), position)
        if self.kind == "upper":
            return self._reference()
        raise self.expected("'(', 'if' or the name of a process")

    def _reference(self) -> Reference:
        before: list[Sequence] = []
        position = self.position
        name = self.upper("the name of a process")
        while self.text in (";", "("):
            arguments = self.arguments()
            before.append(Sequence(name, arguments, position))
            self.symbol(";")
            position = self.position
            name = self.upper("the name of a process")
        indices = []
        while self.accept("["):
            indices.append(self.expression())
            self.symbol("]")
        return Reference(name, tuple(indices), tuple(before), position)

    def _prefix(self) -> Prefix:
        position = self.position
        guard = self.expression() if self.accept("when") else None
        action = self.label()
        self.symbol("->")
        if self.begins_label():
            start = self.position
            return Prefix(guard, action, Choice((self._prefix(),), start), position)
        return Prefix(guard, action, self._body(), position)

    def _relabellings(self) -> tuple[Relabelling, ...]:
        return self._relabelling_set() if self.accept("/") else ()

    def _relabelling_set(self) -> tuple[Relabelling, ...]:
        self.symbol("{")
        return self.listed(self._relabelling, "}")

    def _relabelling(self) -> Relabelling:
        position = self.position
        if self.accept("forall"):
            return Relabelling(self.index_ranges(), (), (), self._relabelling_set(), position)
        new = self.label()
        self.symbol("/")
        return Relabelling((), new, self.label(), (), position)

    def _visibility(self) -> Visibility | None:
        expose = self.text == "@"
        return Visibility(expose, self.label_set()) if self.accept("\\") or self.accept("@") else None

    # --------------------------------------------------------------------------------- composites

    def _composite(self, kinds: frozenset[str]) -> Composite:
        position = self.position
        name = self.upper("the name of a composite process")
        parameters = self.parameters()
        self.symbol("=")
        body = self._component()
        low = self.text == ">>"
        priority = self.label_set() if self.accept(">>") or self.accept("<<") else None
        visibility = self._visibility()
        self.symbol(".")
        return Composite(name, parameters, body, priority, low, visibility, kinds, position)

    def _component(self) -> Component:
        position = self.position
        if self.accept("if"):
            condition = self.expression()
            self.symbol("then")
            then = self._component()
            otherwise = self._component() if self.accept("else") else None
            return Component((), (), None, None, (), condition, (), then, otherwise, (), position)
        if self.accept("forall"):
            ranges = self.index_ranges()
            return Component((), (), None, None, (), None, ranges, self._component(), None, (), position)
        share: Label = ()
        prefix: Label = ()
        if self.begins_label():
            prefix = self.label()
            if self.accept("::"):
                share, prefix = prefix, ()
                if self.begins_label():
                    prefix = self.label()
                    self.symbol(":")
            else:
                self.symbol(":")
        process, arguments = None, None
        components: tuple[Component, ...] = ()
        if self.accept("("):
            if not self.accept(")"):
                components = self.listed(self._component, ")", "||")
        else:
            process = self.upper("the name of a process or '('")
            arguments = self.arguments()
        relabellings = self._relabellings()
        return Component(share, prefix, process, arguments, components, None, (), None, None, relabellings, position)
