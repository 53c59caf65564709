"""How PRISM's ``system .. endsystem`` composes modules."""

from __future__ import annotations

from collections.abc import Collection

from symag.lpts.language.prism.expression_parser import ExpressionParser
from symag.lpts.language.prism.syntax import (
    ActionName,
    HiddenActions,
    ModuleName,
    Parallel,
    RenamedActions,
    SystemExpression,
)


class SystemParser(ExpressionParser):
    """A reader of compositions: ``||``, ``|||`` and ``|[..]|``, and of what hides and renames actions."""

    def parallel(self) -> SystemExpression:
        """The composition that begins here. Raises InputError."""
        system = self._interleaved()
        while self.accept("||"):
            system = Parallel(system, self._interleaved(), None)
        return system

    def _interleaved(self) -> SystemExpression:
        system = self._on_actions()
        while self.accept("|||"):
            system = Parallel(system, self._on_actions(), ())
        return system

    def _on_actions(self) -> SystemExpression:
        system = self._relabelled()
        while self.accept("|["):
            actions = self._actions("]|")
            system = Parallel(system, self._relabelled(), actions)
        return system

    def _relabelled(self) -> SystemExpression:
        system = self._atomic_system()
        while True:
            if self.accept("/"):
                self.symbol("{")
                system = HiddenActions(system, self._actions("}"))
            elif self.accept("{"):
                names = [self._new_name(())]
                while self.accept(","):
                    names.append(self._new_name([old.name for old, _ in names]))
                self.symbol("}")
                system = RenamedActions(system, tuple(names))
            else:
                return system

    def _atomic_system(self) -> SystemExpression:
        if self.accept("("):
            system = self.parallel()
            self.symbol(")")
            return system
        position = self.position
        return ModuleName(self.name("the name of a module"), position)

    def _action(self) -> ActionName:
        position = self.position
        return ActionName(self.name("an action"), position)

    def _actions(self, end: str) -> tuple[ActionName, ...]:
        return self.listed(self._action, end)

    def _new_name(self, before: Collection[str]) -> tuple[ActionName, str]:
        old = self._action()
        if old.name in before:
            raise self.error(f"the action {old.name} is renamed twice", old.position)
        self.symbol("<")
        self.symbol("-")
        return old, self.name("an action")
