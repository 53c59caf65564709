"""Assume-guarantee certificates made by brute force: weakest assumptions by explicit subset construction.

A letter is the valuation of ALL variables in a state, so the construction is complete: rule-g and rule-s
prove exactly what holds of the composition of the parts.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from symag.core.trace import Value
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption, PartProof
from symag.smv.certify.circuits.constraints import VariableReads, requirements
from symag.smv.certify.runs.interpreter import Program, value_set
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import Expression
from symag.smv.model.types import values
from tests.brute_force import Explicit
from tests.certify.diagram_builder import DiagramBuilder

Letter = Mapping[str, Value]
Own = tuple[Value, ...]
WIRE = "the property"


class Component:
    """A part with what the certificate's reader will grant it: its own constraints, and INVAR on letters."""

    def __init__(self, system: FlatSystem, expression: Expression, own: Sequence[str]) -> None:
        self.own = tuple(own)
        frozen = {item.name for item in system.variables if item.kind is VariableKind.FROZEN}
        explicit = Explicit(system)
        found = [item for item in requirements(system, VariableReads(system)) if item.moment == "transition"]
        self._steps = [item for item in found if item.following <= frozen.union(own)]
        self.lost = [item for item in found if not item.following & set(own) and item.following - frozen]
        self._program = Program(system, [item.expression for item in self._steps])
        self._domains = [tuple(values(system.by_name[name].type)) for name in own]
        self._kinds = [system.by_name[name].kind for name in own]
        safe = Program(system, [expression])
        self.letters = []
        for state in explicit.all_states():
            if explicit.is_allowed(state):
                for inputs in explicit.all_inputs():
                    letter = explicit.valuation(state, inputs)
                    letter[WIRE] = value_set(safe.run(letter)[0]) == {True}
                    self.letters.append(letter)
        initial = set(explicit.initial_states())
        self.initial = [item for item in self.letters if tuple(item[name] for name in explicit.names) in initial]
        self._after: dict[Own, frozenset[Own]] = {}

    def view(self, letter: Letter) -> Own:
        """The values of the part's own variables."""
        return tuple(letter[name] for name in self.own)

    def after(self, letter: Letter) -> frozenset[Own]:
        """The part's own values after a letter."""
        key = tuple(letter.values())
        if key not in self._after:
            domains = [
                (letter[name],) if kind is VariableKind.FROZEN else domain
                for name, kind, domain in zip(self.own, self._kinds, self._domains, strict=True)
            ]
            self._after[key] = frozenset(
                target for target in itertools.product(*domains) if self._allows(letter, target)
            )
        return self._after[key]

    def _allows(self, letter: Letter, target: Own) -> bool:
        following = {**letter, **dict(zip(self.own, target, strict=True))}
        for item, outcome in zip(self._steps, self._program.run(letter, following), strict=True):
            wanted = True if item.target is None else following[item.target]
            if wanted not in value_set(outcome):
                return False
        return True


class Weakest:
    """The weakest assumption of a component: a state is the set of own values that the next letter may show."""

    def __init__(self, component: Component) -> None:
        self.component = component
        self.sets: list[frozenset[Own]] = [frozenset()]  # state 0 is met at the first letter only
        self.edges: list[dict[int, list[Letter]]] = []
        self.rejects: list[list[Letter]] = []
        numbers: dict[frozenset[Own], int] = {}
        for state in itertools.count():
            if state == len(self.sets):
                break
            possible = (
                component.initial
                if state == 0
                else [letter for letter in component.letters if component.view(letter) in self.sets[state]]
            )
            self.rejects.append([letter for letter in possible if not letter[WIRE]])
            self.edges.append({})
            for letter in possible:
                if letter[WIRE]:
                    after = component.after(letter)
                    if after not in numbers:
                        numbers[after] = len(self.sets)
                        self.sets.append(after)
                    self.edges[state].setdefault(numbers[after], []).append(letter)


def certificate(
    system: FlatSystem, expression: Expression, parts: Sequence[Sequence[str]], rule: str, wired: bool
) -> AssumeGuarantee:
    """The rule's certificate for a cut of the variables; a proof exactly if the composition is safe."""
    components = [Component(system, expression, part) for part in parts]
    weakest = [Weakest(component) for component in (components[:1] if rule == "rule-s" else components)]
    names = [item.name for item in system.variables] + ([WIRE] if wired else [])
    builder = DiagramBuilder(system, names)
    assumptions = [
        Assumption(
            tuple(tuple((target, builder.root(letters)) for target, letters in found.items()) for found in item.edges),
            tuple(builder.root(letters) for letters in item.rejects),
        )
        for item in weakest
    ]
    sets = [[_cylinder(builder, item.component, values_) for values_ in item.sets] for item in weakest]
    if rule == "rule-s":
        sets.append([_cylinder(builder, components[1], found) for found in _paired(weakest[0], components[1])])
    owned = [tuple(part) + ((WIRE,) if wired and place == 0 else ()) for place, part in enumerate(parts)]
    return AssumeGuarantee(
        rule,
        builder.table(),
        tuple(PartProof(names, tuple(roots)) for names, roots in zip(owned, sets, strict=True)),
        tuple(assumptions),
        ((WIRE, expression_text(expression)),) if wired else (),
        WIRE if wired else None,
    )


def _cylinder(builder: DiagramBuilder, component: Component, own: frozenset[Own]) -> int:
    return builder.root(letter for letter in component.letters if component.view(letter) in own)


def _paired(weakest: Weakest, other: Component) -> list[frozenset[Own]]:
    """The other part's own values that are met in each state of the assumption."""
    met: list[set[Own]] = [set() for _ in weakest.sets]
    pending: list[tuple[int, Letter]] = [(0, letter) for letter in other.initial]
    seen: set[tuple[int, Own]] = set()
    while pending:
        state, letter = pending.pop()
        for target, letters in weakest.edges[state].items():
            if letter in letters:
                for own in other.after(letter):
                    if (target, own) not in seen:
                        seen.add((target, own))
                        met[target].add(own)
                        pending += [(target, item) for item in other.letters if other.view(item) == own]
    return [frozenset(found) for found in met]
