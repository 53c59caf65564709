"""A system's circuit with its decision diagrams, and what was proved of it: for several re-checks of one system."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    VariableReads,
    relevant,
    requirements,
    with_read_variables,
)
from symag.smv.certify.circuits.defined_bits import DefinedBits
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.properties import conditions, refused
from symag.smv.model.flat import FlatSystem
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import Expression

if TYPE_CHECKING:
    from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams

#: What was proved, by signals of the circuit: they are made here from the model's text, and one signal is one formula.
Premise = Hashable


class EncodedSystem:
    """What re-checks of one system share: signals are built, and become diagrams, once; a premise is proved once.

    All of it grows with each re-check. A premise that names no property ("this set is never left") serves the
    certificates of all properties. It is known by the signals of its formulas, never by a name or number that a
    certificate gives, and only in the process that proved it.
    """

    def __init__(self, system: FlatSystem, package: Package = "auto") -> None:
        self.system = system
        self.package: Package = package
        self.encoder = Encoder(system, Circuit(package))
        #: The same system with facts as INVAR that were proved of it, by these facts.
        self.with_facts: dict[Hashable, EncodedSystem] = {}
        self._proved: dict[Premise, list[frozenset[int]]] = {}
        self._inductive: list[Mapping[int, int]] = []
        self._conditions: dict[str, Expression] = {}
        self._context: DecisionDiagrams | None = None
        self._order: tuple[int, ...] = ()

    @cached_property
    def reading(self) -> VariableReads:
        """What expressions of the system read."""
        return VariableReads(self.system)

    @cached_property
    def constraints(self) -> list[ConstraintReads]:
        """All constraints of the system."""
        return requirements(self.system, self.reading)

    @cached_property
    def defined_bits(self) -> DefinedBits:
        """What signals of the encoder say of its inputs."""
        return DefinedBits(self.encoder)

    def diagrams(self, order: Sequence[int]) -> DecisionDiagrams:
        """The diagrams of the circuit's signals, under a variable order that has these inputs in this order.

        They are the ones of the last re-check, with all that they have built, if their order has them so.
        """
        # Imported here, for small sets need no BDDs.
        from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams

        if self._context is None or not _is_within(order, self._order):
            self._context = DecisionDiagrams(self.encoder.circuit)
            self._context.declare(order)
            self._order = tuple(order)
        return self._context

    def drop_diagrams(self) -> None:
        """Forget the diagrams of the last re-check, and what they have built."""
        self._context = None

    def prove(
        self,
        names: set[str],
        failure: Callable[[list[ConstraintReads], set[str]], str | None],
        *,
        assigned_first: bool = False,
    ) -> None:
        """Ask ``failure`` for a premise that fails under the constraints in the cone of influence of some variables.

        If there is one, ask with INIT, INVAR and TRANS and all that influences them as well, then with all constraints
        and variables. Success with fewer constraints is success with all. More can fail where fewer succeed: with all
        variables, two states of a path may differ in one that nothing reads.
        With ``assigned_first`` the first question has, of all assignments, only those of these variables: other ones do
        not matter to a single step of a netlist. Raises CertificationError with the premise that fails.
        """
        if assigned_first and gates_of(self.system.defines) is not None:
            few = [item for item in self.constraints if item.target is None or item.target in names]
            if len(few) < len(self.constraints) and failure(few, names) is None:
                return
        in_cone = relevant(self.constraints, names)
        reason = failure(in_cone, names)
        if reason is not None and len(in_cone) < len(self.constraints):
            free = [item for item in self.constraints if item.target is None]
            influencing = relevant(self.constraints, with_read_variables(names, free))
            if len(in_cone) < len(influencing) < len(self.constraints):
                reason = failure(influencing, names)
        if reason is not None and len(in_cone) < len(self.constraints):
            reason = failure(self.constraints, set(self.system.by_name))
        if reason is not None:
            raise refused(reason)

    def reads_of_states(self, expressions: Iterable[Expression], what: str) -> set[str]:
        """The variables that expressions read. Raises CertificationError if one of them is not about states."""
        names: set[str] = set()
        for expression in expressions:
            current, following = self.reading.of(expression)
            if following or current & self.system.inputs:
                raise refused(f"{what} is not about states")
            names |= current
        return names

    def conditions(self, texts: Sequence[str], what: str) -> list[Expression]:
        """``conditions`` of a certificate's texts; each text is read once. Raises CertificationError."""
        unread = [text for text in dict.fromkeys(texts) if text not in self._conditions]
        self._conditions.update(zip(unread, conditions(self.system, unread, what), strict=True))
        return [self._conditions[text] for text in texts]

    def is_proved(self, premise: Premise) -> bool:
        """Whether a premise was proved of the system, under all or some of its constraints."""
        return premise in self._proved

    def is_proved_under(self, premise: Premise, selected: Iterable[ConstraintReads]) -> bool:
        """Whether a premise was proved under the selected constraints, of ``constraints``, or under some of them."""
        present = frozenset(map(id, selected))
        return any(proved <= present for proved in self._proved.get(premise, ()))

    def record(self, premise: Premise, selected: Iterable[ConstraintReads] | None = None) -> None:
        """Note that a premise is proved under the selected constraints, of ``constraints`` (None: all)."""
        used = self.constraints if selected is None else selected
        self._proved.setdefault(premise, []).append(frozenset(map(id, used)))

    def inductive_among(self, steps_of: Mapping[int, int]) -> frozenset[int]:
        """Those of some formulas of states that are in a set, of these formulas only, that is proved inductive.

        Each formula is to be inductive over the steps that the mapping has for it; what is so over fewer is so over
        these.
        """
        sets = (
            proved.keys()
            for proved in self._inductive
            if all(formula in steps_of and over <= steps_of[formula] for formula, over in proved.items())
        )
        return frozenset().union(*sets)

    def record_inductive(self, steps_of: Mapping[int, int]) -> None:
        """Note that formulas of states are proved to be inductive together, on all paths, each over its steps."""
        self._inductive.append(steps_of)


def _is_within(order: Sequence[int], longer: Sequence[int]) -> bool:
    """Whether all members of an order are in the longer one, in the same order."""
    place = {signal: number for number, signal in enumerate(longer)}
    places = [place.get(signal, -1) for signal in order]
    return all(place >= 0 for place in places) and places == sorted(places)
