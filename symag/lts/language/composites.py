"""Composite processes of FSP: from the syntax tree to systems composed in parallel.

As in LTSA a composite without hiding, priorities and minimisation is not composed when another composite refers to
it: its components become components of that one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from symag.core.errors import InputError, UsageError
from symag.core.limits import unlimited_recursion
from symag.core.source import SourceText
from symag.core.values import replace
from symag.lts.composition import Priority
from symag.lts.language.evaluation import Definitions, Scope, Value, existing
from symag.lts.language.processes import compiled, relabelling_of
from symag.lts.language.syntax import Assertion, Component, Composite, Process, Specification
from symag.lts.language.systems import System, each, idle, plain, relabelled_item
from symag.lts.lts import Lts, prefixed, shared

#: LTSA's name for the composition of all processes.
DEFAULT = "DEFAULT"
#: The largest number of processes each of which is made of the next one, as of a ring that is made of a smaller ring.
MOST_NESTED = 2_000


@dataclass(slots=True, eq=False, repr=False)
class Model:
    """A specification with all processes that were compiled from it so far.

    ``given`` are processes from files of their own; every composite gets them as further components. ``constants`` are
    values that replace those in the text. ``warnings`` collects oddities that are allowed. The methods raise
    InputError.
    """

    source: SourceText
    specification: Specification
    given: tuple[Lts, ...] = ()
    constants: Mapping[str, int] = field(default_factory=dict)
    definitions: Definitions = field(init=False)
    warnings: list[str] = field(default_factory=list)
    _compiled: dict[str, Lts] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)
    _processes: dict[str, Process] = field(init=False)
    _constraints: dict[str, Assertion] = field(init=False)
    _composites: dict[str, Composite] = field(init=False)

    def __post_init__(self) -> None:
        self.definitions = Definitions.of(self.source, self.specification, self.constants, self._warn)
        self._processes = _by_name(self.source, self.specification.processes)
        primitive: list[Process | Assertion] = [*self.specification.processes, *self.specification.constraints]
        _by_name(self.source, primitive)
        self._constraints = _by_name(self.source, self.specification.constraints)
        self._composites = _by_name(self.source, self.specification.composites)

    def __repr__(self) -> str:
        composites = ", ".join(f"||{name}" for name in self.targets)
        return f"{self.source.path}: processes {', '.join(self.processes) or 'none'}; composites {composites or 'none'}"

    @property
    def processes(self) -> tuple[str, ...]:
        """The names of the primitive processes and constraints."""
        return (*self._processes, *self._constraints, *(lts.name for lts in self.given))

    @property
    def targets(self) -> tuple[str, ...]:
        """The names of the composite processes; DEFAULT if there are only primitive ones."""
        return tuple(self._composites) or ((DEFAULT,) if self.processes else ())

    def chosen_targets(self, names: Sequence[str]) -> Sequence[str]:
        """The composites with these names; all without names. Raises UsageError for one that is not there."""
        missing = [name for name in names if name not in self.targets]
        if missing:
            raise UsageError(f"no composite '{missing[0]}'; {existing(self.targets)}")
        return names or self.targets

    def process(self, name: str) -> Lts:
        """A primitive process with the defaults of its parameters; KeyError if there is none."""
        if name in self._processes:
            return self._process(self._processes[name], None)
        if name in self._constraints:
            return self._constraint(self._constraints[name], None)
        return {lts.name: lts for lts in self.given}[name]

    def composite(self, name: str) -> System:
        """A composite process with the defaults of its parameters; KeyError if there is none.

        If the text has no composite, DEFAULT is the composition of all primitive processes, as in LTSA.
        """
        if not self._composites and name == DEFAULT:
            return self._with_given(plain(DEFAULT, tuple(map(self.process, (*self._processes, *self._constraints)))))
        return self._with_given(self._composite(self._composites[name], None))

    def _with_given(self, system: System) -> System:
        """The system with the components that come from files.

        There is a warning for each of those, and for each property, that shares no action.
        """
        if not system.components and not self.given:
            system = replace(system, components=(idle(system.name),))
        if not self.given:
            self._warn_ofidle(system.components, [lts for lts in system.components if lts.is_property])
            return system
        if not system.is_plain:
            system = plain(system.name, (system.finished(system.product().lts),))
        components = (*system.components, *self.given)
        self._warn_ofidle(components, self.given)
        return replace(system, components=components)

    def _warn_ofidle(self, components: Sequence[Lts], doubtful: Sequence[Lts]) -> None:
        """A warning for each of the doubtful components that shares no action."""
        if len(components) < 2:
            return
        owners = Counter(label for lts in components for label in lts.alphabet[1:])
        for lts in doubtful:
            if all(owners[label] == 1 for label in lts.alphabet[1:]):
                self._warn(f"{lts.name} shares no action with another component: it moves independently of them")

    def _constraint(self, declared: Assertion, values: Sequence[Value] | None, position: int | None = None) -> Lts:
        # For start-up: few files have constraints.
        from symag.lts.language.constraints import constraint_process
        from symag.lts.language.fluents import constraint

        name = _name(declared.name, values)
        if name not in self._compiled:
            scope = self._scope(declared, values, declared.position if position is None else position)
            formula = constraint(self.definitions, self.specification, declared, scope)
            further = () if declared.further is None else self.definitions.set(declared.further, scope)
            try:
                self._compiled[name] = constraint_process(name, formula, further)
            except InputError as error:
                raise self.source.error(error.message, declared.position) from None
        return self._compiled[name]

    def _scope(self, declared: Process | Composite | Assertion, values: Sequence[Value] | None, position: int) -> Scope:
        if values is not None and len(values) != len(declared.parameters):
            raise self.source.error(
                f"{declared.name} has {len(declared.parameters)} parameters, not {len(values)}", position
            )
        scope: dict[str, Value] = {}
        for index, parameter in enumerate(declared.parameters):
            default = self.definitions.value(parameter.value, {})
            scope[parameter.name] = default if values is None else values[index]
        return scope

    def _process(self, process: Process, values: Sequence[Value] | None, position: int | None = None) -> Lts:
        name = _name(process.name, values)
        position = process.position if position is None else position
        if name not in self._compiled:
            scope = self._scope(process, values, position)
            with self._opened(name, name, process.position, position):
                self._compiled[name] = compiled(self.definitions, process, scope, name, self._sequential, self._warn)
        return self._compiled[name]

    @contextmanager
    def _opened(self, key: str, name: str, declared: int, position: int) -> Iterator[None]:
        """Raises InputError if the process or composite that is compiled in the block is needed for itself.

        ``key`` tells a composite from a process of the same name.
        """
        if key in self._open:
            raise self.source.error(f"{name} is made of itself", position)
        if len(self._open) == MOST_NESTED:
            message = f"{name} is nested too deeply, expected at most {MOST_NESTED} processes inside one another"
            raise self.source.error(message, declared)
        self._open.append(key)
        try:
            with unlimited_recursion():
                yield
        finally:
            self._open.pop()

    def _warn(self, line: str) -> None:
        if line not in self.warnings:
            self.warnings.append(line)

    def _sequential(self, name: str, values: Sequence[Value] | None, position: int) -> Lts:
        instance = self._instance(name, values, position)
        return instance if isinstance(instance, Lts) else instance.finished(instance.product().lts)

    def _instance(self, name: str, values: Sequence[Value] | None, position: int) -> Lts | System:
        full = _name(name, values)
        if full in self._compiled:
            return self._compiled[full]
        if name in self._processes:
            return self._process(self._processes[name], values, position)
        if name in self._constraints:
            return self._constraint(self._constraints[name], values, position)
        if name not in self._composites:
            raise self.source.error(f"the process {name} is not defined", position)
        system = self._composite(self._composites[name], values, position)
        if system.is_plain:
            return replace(
                system,
                components=tuple(
                    replace(component, name=f"{full}.{component.name}") for component in system.components
                ),
            )
        self._compiled[full] = system.compiled()
        return self._compiled[full]

    def _composite(self, composite: Composite, values: Sequence[Value] | None, position: int | None = None) -> System:
        position = composite.position if position is None else position
        scope = self._scope(composite, values, position)
        name = _name(composite.name, values)
        # As in LTSA a composite may have the name of a process, which others mean by it.
        with self._opened(f"||{name}", name, composite.position, position):
            parts = self._components(composite.body, scope)
        components = [
            component for item in parts for component in ([item] if isinstance(item, Lts) else item.components)
        ]
        priority = None
        if composite.priority is not None:
            priority = Priority(frozenset(self.definitions.set(composite.priority, scope)), composite.low)
        visibility = composite.visibility
        return System(
            name,
            tuple(components),
            priority,
            None if visibility is None else frozenset(self.definitions.set(visibility.labels, scope)),
            visibility is not None and visibility.expose,
            composite.kinds,
        )

    def _components(self, body: Component, scope: Scope) -> list[Lts | System]:
        if body.condition is not None:
            chosen = body.then if self.definitions.integer(body.condition, scope) else body.otherwise
            return [] if chosen is None else self._components(chosen, scope)
        if body.ranges and body.then is not None:
            return [
                part
                for _, inner in self.definitions.expansions(body.ranges, scope)
                for part in self._components(body.then, inner)
            ]
        parts: list[Lts | System] = []
        for prefix, inner in self.definitions.expansions(body.prefix, scope):
            for operand in self._operands(body, inner):
                parts.append(each(operand, partial(prefixed, prefix=prefix)) if prefix else operand)
        if body.share:
            prefixes = self.definitions.labels(body.share, scope)
            parts = [each(component, partial(shared, prefixes=prefixes)) for component in parts]
        if body.relabellings:
            relabelling = relabelling_of(self.definitions, body.relabellings, scope)
            parts = [relabelled_item(component, relabelling) for component in parts]
        return parts

    def _operands(self, body: Component, scope: Scope) -> list[Lts | System]:
        if body.process is None:
            return [part for component in body.components for part in self._components(component, scope)]
        values = None
        if body.arguments is not None:
            values = tuple(self.definitions.value(argument, scope) for argument in body.arguments)
        return [self._instance(body.process, values, body.position)]


def _name(name: str, values: Sequence[Value] | None) -> str:
    return name if values is None else f"{name}({','.join(map(str, values))})"


_Named = TypeVar("_Named", bound=Process | Assertion | Composite)


def _by_name(source: SourceText, items: Sequence[_Named]) -> dict[str, _Named]:
    result: dict[str, _Named] = {}
    for item in items:
        if item.name in result:
            raise source.error(f"the process {item.name} is defined twice", item.position)
        result[item.name] = item
    return result
