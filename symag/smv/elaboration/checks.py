"""Where NuSMV allows next states and inputs, and which definitions are circular."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from symag.core.source import SourceText
from symag.smv.model.typed import DefineReference, Expression, VariableReference, references


class VariableMentions(Struct, frozen=True):
    """Whether an expression mentions, also through defines, a next state, and the name of an input variable in it."""

    next: bool
    input: str | None


class References:
    """Whether expressions mention next states and inputs; every define is looked at once."""

    def __init__(self, source: SourceText, defines: Mapping[str, Expression], is_input: Callable[[str], bool]) -> None:
        self.source = source
        self.defines = defines
        self.is_input = is_input
        self._of_defines: dict[str, VariableMentions] = {}

    def mentions(self, expression: Expression) -> VariableMentions:
        """What an expression mentions."""
        mentions_next, input_name = False, None
        for reference in references(expression):
            mentions_next = mentions_next or reference.primed
            if isinstance(reference, VariableReference):
                if self.is_input(reference.name):
                    input_name = reference.name
            elif reference.name in self.defines:
                inner = self._of_define(reference.name)
                mentions_next = mentions_next or inner.next
                input_name = input_name or inner.input
        return VariableMentions(mentions_next, input_name)

    def _of_define(self, name: str) -> VariableMentions:
        if name not in self._of_defines:
            self._of_defines[name] = self.mentions(self.defines[name])
        return self._of_defines[name]

    def refuse_next(self, expression: Expression, what: str) -> None:
        """Raises InputError if an expression mentions a next state."""
        if self.mentions(expression).next:
            raise self.source.error(f"'next' is not allowed in {what}", expression.position)

    def refuse_inputs(self, expression: Expression, what: str) -> None:
        """Raises InputError if an expression mentions an input variable."""
        name = self.mentions(expression).input
        if name is not None:
            raise self.source.error(f"input variable '{name}' is not allowed in {what}", expression.position)

    def check_primed_define(self, name: str, position: int) -> None:
        """Raises InputError if ``next`` of a define would be ``next`` of a next state or of an input."""
        inside = self._of_define(name)
        if inside.next:
            raise self.source.error(f"'next' of '{name}', which has a 'next' inside", position)
        if inside.input is not None:
            raise self.source.error(f"'next' of '{name}', which has input variable '{inside.input}' inside", position)


class CircularAssignments:
    """Finds circular assignments: a variable whose value depends on itself in the same state.

    ``now`` maps variables to their current (else initial) assignments, ``after`` to their next assignments.
    """

    def __init__(
        self,
        source: SourceText,
        defines: Mapping[str, Expression],
        now: Mapping[str, tuple[Expression, int]],
        after: Mapping[str, tuple[Expression, int]],
    ) -> None:
        self.source = source
        self.defines = defines
        self.now = now
        self.after = after
        self._done: set[tuple[str, bool]] = set()

    def check(self) -> None:
        """Raises InputError at the first circle. Linear in the size of the expressions."""
        for name in self.now:
            self._visit((name, False))
        for name in self.after:
            self._visit((name, True))

    def _successors(self, node: tuple[str, bool]) -> list[tuple[str, bool]]:
        name, primed = node
        assigned = self.after if primed else self.now
        if name in assigned:
            # In a next assignment only references to the next state can be part of a circle.
            return [
                (reference.name, reference.primed)
                for reference in references(assigned[name][0])
                if reference.primed or not primed or isinstance(reference, DefineReference)
            ]
        body = self.defines.get(name)
        if body is None:
            return []
        return [(reference.name, primed or reference.primed) for reference in references(body)]

    def _visit(self, start: tuple[str, bool]) -> None:
        if start in self._done:
            return
        path: dict[tuple[str, bool], None] = {start: None}
        pending = [iter(self._successors(start))]
        while pending:
            node = next(pending[-1], None)
            if node is None:
                pending.pop()
                done, _ = path.popitem()
                self._done.add(done)
            elif node in path:
                raise self._error([*list(path)[list(path).index(node) :], node])
            elif node not in self._done:
                path[node] = None
                pending.append(iter(self._successors(node)))

    def _error(self, circle: list[tuple[str, bool]]) -> Exception:
        shown = " -> ".join(f"next({name})" if primed else name for name, primed in circle)
        assigned = [assignment for node in circle if (assignment := self._assigned(node)) is not None]
        position = assigned[0][1] if assigned else 0
        return self.source.error(f"circular assignment: {shown}", position)

    def _assigned(self, node: tuple[str, bool]) -> tuple[Expression, int] | None:
        name, primed = node
        return (self.after if primed else self.now).get(name)
