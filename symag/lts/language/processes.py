"""Primitive processes of FSP as labelled transition systems.

States are numbered as in LTSA before the unreachable ones are dropped: the local processes first, each for every
value of its indices, then the states between the actions of a prefix. A local process that is only another name
(``P = Q``) has no state of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from symag.core.values import replace
from symag.lts.determinisation import determinised, minimised
from symag.lts.language.evaluation import Definitions, Scope, Value
from symag.lts.language.syntax import Body, Choice, Conditional, Process, Reference, Relabelling
from symag.lts.language.syntax import Sequence as Before
from symag.lts.lts import ERROR, Lts, completed_with_error, hidden, reachable, relabelled

#: Finds a process by name and values of its parameters (None: the defaults), for ``P(3);Q``.
Find = Callable[[str, tuple[Value, ...] | None, int], Lts]


def relabelling_of(
    definitions: Definitions, relabellings: Sequence[Relabelling], scope: Scope
) -> Mapping[str, list[str]]:
    """From each old label to its new ones."""
    result: dict[str, list[str]] = {}

    def add(relabelling: Relabelling, inner: Scope) -> None:
        if relabelling.inner:
            for _, innermost in definitions.expansions(relabelling.ranges, inner):
                for below in relabelling.inner:
                    add(below, innermost)
            return
        for new, innermost in definitions.expansions(relabelling.new, inner):
            for old in definitions.labels(relabelling.old, innermost):
                if new not in result.setdefault(old, []):
                    result[old].append(new)

    for relabelling in relabellings:
        add(relabelling, scope)
    return result


def compiled(
    definitions: Definitions, process: Process, scope: Scope, name: str, find: Find, warn: Callable[[str], None]
) -> Lts:
    """The labelled transition system of a process whose parameters have the values in ``scope``.

    Raises InputError for constructs that FSP does not allow. ``warn`` gets a line for each local process that is used
    but not defined; it counts as ERROR.
    """
    system = _Compilation(definitions, process, scope, find, warn).result(name)
    if process.relabellings:
        system = relabelled(system, relabelling_of(definitions, process.relabellings, scope))
    if process.visibility is not None:
        labels = frozenset(definitions.set(process.visibility.labels, scope))
        system = hidden(system, labels, expose=process.visibility.expose)
    if "property" in process.kinds:
        if not system.is_deterministic():
            raise definitions.source.error(f"the property {process.name} is not deterministic", process.position)
        system = completed_with_error(system)
    system = reachable(system)
    if "minimal" in process.kinds:
        system = minimised(system)
    return determinised(system) if "deterministic" in process.kinds else system


class _Compilation:
    def __init__(
        self, definitions: Definitions, process: Process, scope: Scope, find: Find, warn: Callable[[str], None]
    ) -> None:
        self._definitions = definitions
        self._process = process
        self._scope = scope
        self._find = find
        self._warn = warn
        self._alphabet: dict[str, int] = {"tau": 0}
        self._transitions: list[tuple[int, int, int]] = []
        self._states = 0
        # Local processes with their indices, such as P.1.a, and STOP, END and ERROR.
        self._numbers: dict[str, int] = {}
        self._alias: dict[int, int] = {}
        self._missing: set[int] = set()

    def result(self, name: str) -> Lts:
        locals_ = [
            (".".join(filter(None, (process.name, text))), process.body, scope)
            for process in self._process.locals
            for text, scope in self._definitions.expansions(process.indices, self._scope)
        ]
        for local, body, _ in locals_:
            if local in self._numbers or local in ("STOP", "END", "ERROR"):
                raise self._definitions.source.error(f"the local process {local} is defined twice", body.position)
            self._numbers[local] = self._new_state()
        choices: list[tuple[int, Choice, Scope]] = []
        for local, body, scope in locals_:
            chosen = self._chosen(body, scope)
            if isinstance(chosen, Choice):
                choices.append((self._numbers[local], chosen, scope))
            else:
                self._name(self._numbers[local], chosen, scope)
        for state, choice, scope in choices:
            self._add_choice(state, choice, scope)
        if self._process.extension is not None:
            for label in self._definitions.set(self._process.extension, self._scope):
                self._action(label)
        start = self._resolved(self._numbers[self._process.name])
        triples = [(s, a, self._resolved(t)) for s, a, t in self._transitions]
        if start == ERROR:
            return Lts.of(name, tuple(self._alphabet), 1, [(0, 0, ERROR)])
        end = self._numbers.get("END")
        return _started_at(Lts.of(name, tuple(self._alphabet), self._states, triples, end), start)

    def _new_state(self) -> int:
        self._states += 1
        return self._states - 1

    def _action(self, label: str) -> int:
        return self._alphabet.setdefault(label, len(self._alphabet))

    def _resolved(self, state: int) -> int:
        """The state that a local process is another name of, which may be itself."""
        seen = set()
        while state in self._alias:
            if state in seen:
                local = next(name for name, number in self._numbers.items() if number == state)
                raise self._definitions.source.error(f"{local} is made of itself", self._process.position)
            seen.add(state)
            state = self._alias[state]
        return state

    def _chosen(self, body: Body, scope: Scope) -> Reference | Choice:
        while isinstance(body, Conditional):
            body = body.then if self._definitions.integer(body.condition, scope) else body.otherwise
        return body

    def _name(self, state: int, reference: Reference, scope: Scope) -> None:
        """``P = Q;R``: state P is the first state of Q, or R itself if nothing comes before R."""
        target = self._target(reference, scope)
        if self._inserted(reference.before, scope, target, state) is None:
            self._alias[state] = target

    def _target(self, reference: Reference, scope: Scope) -> int:
        indices = [str(self._definitions.value(index, scope)) for index in reference.indices]
        local = ".".join((reference.name, *indices))
        if local not in self._numbers:
            if local in ("STOP", "END"):
                self._numbers[local] = self._new_state()
            else:
                self._numbers[local] = ERROR
                if local != "ERROR" and reference.position not in self._missing:
                    # One warning is enough for all indices.
                    self._missing.add(reference.position)
                    line, _ = self._definitions.source.location(reference.position)
                    self._warn(f"line {line}: the local process {local} is not defined: it is ERROR")
        return self._numbers[local]

    def _inserted(self, before: Sequence[Before], scope: Scope, target: int, first: int | None) -> int | None:
        """Add copies of the processes before a target, the last of which ends in it; return the first state.

        ``first`` is the state to use as the first one (None: a new one). None if there are no such processes.
        """
        systems = []
        for part in before:
            values = None
            if part.arguments is not None:
                values = tuple(self._definitions.value(argument, scope) for argument in part.arguments)
            system = self._find(part.process, values, part.position)
            if system.end is None:
                raise self._definitions.source.error(f"{part.process} has no END to go on from", part.position)
            if (system.states, system.end) != (1, 0):
                systems.append(system)
        if not systems:
            return None
        goal = target
        for index, system in reversed(list(enumerate(systems))):
            start = first if index == 0 and first is not None else self._new_state()
            goal = self._copy(system, start, goal)
        return goal

    def _copy(self, system: Lts, start: int, goal: int) -> int:
        number = {0: start, ERROR: ERROR}
        for state in range(1, system.states):
            number[state] = goal if state == system.end else self._new_state()
        actions = [self._action(label) for label in system.alphabet]
        for source, action, target in system.triples():
            self._transitions.append((number[source], actions[action], number[target]))
        return start

    def _add_choice(self, state: int, choice: Choice, scope: Scope) -> None:
        """Add the transitions of a choice, depth first, so that actions are numbered in the order of the text."""
        stack = [self._moves(state, choice, scope)]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                continue
            source, label, body, inner = step
            action = self._action(label)
            chosen = self._chosen(body, inner)
            if isinstance(chosen, Choice):
                target = self._new_state()
                stack.append(self._moves(target, chosen, inner))
            else:
                target = self._target(chosen, inner)
                start = self._inserted(chosen.before, inner, target, None)
                target = target if start is None else start
            self._transitions.append((source, action, target))

    def _moves(self, source: int, choice: Choice, scope: Scope) -> Iterator[tuple[int, str, Body, Scope]]:
        for prefix in choice.alternatives:
            if prefix.guard is None or self._definitions.integer(prefix.guard, scope):
                for label, inner in self._definitions.expansions(prefix.action, scope):
                    yield source, label, prefix.body, inner


def _started_at(system: Lts, start: int) -> Lts:
    """The system with the states 0 and ``start`` exchanged."""
    if start == 0:
        return system

    def swap(state: int) -> int:
        return {0: start, start: 0}.get(state, state)

    triples = [(swap(s), a, swap(t)) for s, a, t in system.triples()]
    return replace(
        Lts.of(system.name, system.alphabet, system.states, triples),
        end=None if system.end is None else swap(system.end),
    )
