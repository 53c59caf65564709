"""Which modules move together: ``system ... endsystem``, or all modules in parallel."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.source import SourceText
from symag.lpts.language.prism.flat import FlatModule, JointMove
from symag.lpts.language.prism.syntax import HiddenActions, ModuleName, Parallel, RenamedActions, SystemExpression

#: For each action (not "") the sets of modules, each with its own action, that can make it happen.
_Ways = dict[str, list[tuple[tuple[int, str], ...]]]


def moves_of(
    source: SourceText, modules: Sequence[FlatModule], system: SystemExpression | None
) -> tuple[tuple[str, ...], tuple[JointMove, ...]]:
    """The alphabet (with "" first) and all moves. Raises InputError for modules that are missing or occur twice.

    An action that no longer has a way to happen stays in the alphabet: it is blocked.
    """
    silent: list[tuple[tuple[int, str], ...]] = [((index, ""),) for index in range(len(modules))]
    if system is None:
        ways: _Ways = {}
        for index, module in enumerate(modules):
            ways = _parallel(ways, _of_module(index, module), None)
    else:
        used: list[int] = []
        ways = _Finding(source, modules, silent, used).ways(system)
        missing = [module.name for index, module in enumerate(modules) if index not in used]
        if missing:
            raise source.error(f"the module {missing[0]} is not in the system", source.text.find("endsystem"))
    moves = [JointMove("", way) for way in silent]
    moves += [JointMove(action, way) for action, choices in ways.items() for way in choices]
    return ("", *ways), tuple(moves)


def _of_module(index: int, module: FlatModule) -> _Ways:
    return {action: [((index, action),)] for action in module.alphabet}


def _parallel(left: _Ways, right: _Ways, actions: Sequence[str] | None) -> _Ways:
    shared = [action for action in left if action in right] if actions is None else actions
    alone = {
        action: [*left.get(action, ()), *right.get(action, ())]
        for action in dict.fromkeys((*left, *right))
        if action not in shared
    }
    together = {action: [a + b for a in left.get(action, ()) for b in right.get(action, ())] for action in shared}
    return {
        action: together[action] if action in together else alone[action] for action in dict.fromkeys((*left, *right))
    }


class _Finding:
    def __init__(
        self,
        source: SourceText,
        modules: Sequence[FlatModule],
        silent: list[tuple[tuple[int, str], ...]],
        used: list[int],
    ) -> None:
        self.source = source
        self.modules = modules
        self.silent = silent
        self.used = used

    def ways(self, system: SystemExpression) -> _Ways:
        match system:
            case ModuleName(name, position):
                return self._module(name, position)
            case Parallel(left, right, actions):
                return _parallel(self.ways(left), self.ways(right), actions)
            case HiddenActions(inner, actions):
                ways = self.ways(inner)
                for action in dict.fromkeys(actions):
                    self.silent += ways.pop(action, [])
                return ways
            case RenamedActions(inner, names):
                new = dict(names)
                ways = {}
                for action, choices in self.ways(inner).items():
                    ways.setdefault(new.get(action, action), []).extend(choices)
                return ways

    def _module(self, name: str, position: int) -> _Ways:
        index = next((k for k, module in enumerate(self.modules) if module.name == name), None)
        if index is None:
            raise self.source.error(f"there is no module '{name}'", position)
        if index in self.used:
            raise self.source.error(f"the module {name} is in the system twice", position)
        self.used.append(index)
        return _of_module(index, self.modules[index])
