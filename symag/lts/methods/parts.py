"""The parts of a safety problem, composed; their interfaces; and the certificate of their assumptions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from msgspec import Struct

from symag.core.grouping import parts
from symag.lts.certificates import LabelledAssumption, LabelledAssumptions
from symag.lts.composition import composed
from symag.lts.lts import Lts
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import SafetyProblem


class Parts(Struct, frozen=True, eq=False):
    """``systems[k]`` is the composition of the components ``members[k]``; ``property`` the problem's."""

    members: tuple[tuple[int, ...], ...]
    systems: tuple[Lts, ...]
    property: Lts

    @classmethod
    def of(cls, problem: SafetyProblem, options: LtsOptions) -> Parts:
        """The parts of a problem; parts of several components are composed. Raises MemoryError."""
        members = parts(len(problem.components), options.groups, options.order)
        systems = []
        for group in members:
            # An end state would merge states of the product; it does not matter for safety.
            chosen = [replace(problem.components[number], end=None) for number in group]
            systems.append(chosen[0] if len(chosen) == 1 else composed(chosen, chosen[0].name).lts)
        return cls(members, tuple(systems), replace(problem.property, end=None))

    def alphabet(self, part: int) -> frozenset[str]:
        """The actions of a part; those of the first one are also the property's."""
        own = frozenset(self.systems[part].alphabet[1:])
        return own | frozenset(self.property.alphabet[1:]) if part == 0 else own

    def interface(self, part: int) -> tuple[str, ...]:
        """The actions that the later parts share with this one, those before it and the property; sorted."""
        before = frozenset[str]().union(*(self.alphabet(k) for k in range(part + 1)))
        after = frozenset[str]().union(*(self.alphabet(k) for k in range(part + 1, len(self.systems))))
        return tuple(sorted(before & after))

    def certificate(self, automata: Sequence[Lts]) -> LabelledAssumptions:
        """Rule 1 for two parts, Rule 3 for any other number; automaton k abstracts the parts after part k."""
        assumptions = tuple(map(LabelledAssumption.of, automata))
        return LabelledAssumptions("rule-1" if len(self.systems) == 2 else "rule-3", self.members, assumptions)


def chosen_letters(interface: Sequence[str], chosen: Collection[str]) -> tuple[str, ...]:
    """The letters of an interface that are compared so far, in its order."""
    return tuple(letter for letter in interface if letter in chosen)
