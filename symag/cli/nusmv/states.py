"""Sets of states, computed in this process: reachable, deadlocked and fair ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from symag.bdd.context import Bdd
from symag.cli.nusmv.streams import memory_worded
from symag.core.trace import Value
from symag.smv.model.flat import FlatSystem
from symag.smv.symbolic.counting import count
from symag.smv.symbolic.orderfile import chosen_order
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.system import SymbolicSystem, encode
from symag.smv.traversal.fairness import FairConstraints
from symag.smv.traversal.reachability import ReachedStates, reachable, reachable_states

RULE = "#" * 70
SHORT_RULE = "#" * 58


@dataclass(slots=True)
class States:
    """The encoded model, with the sets that have been computed."""

    symbolic: SymbolicSystem
    reached: ReachedStates | None = None
    fair: Bdd | None = None
    rings: list[Bdd] = field(default_factory=list)

    @classmethod
    def of(cls, system: FlatSystem, order_file: str | None) -> States:
        """The model, encoded in the order of a file if there is one. Raises InputError and MemoryExhausted."""
        return cls(encode(system, chosen_order(system, order_file)))

    def initial_is_empty(self) -> bool:
        """Whether no state is initial."""
        return bool(self.symbolic.initial_states() == self.symbolic.context.false)

    def invariant_is_empty(self) -> bool:
        """Whether no state satisfies INVAR."""
        return bool(self.symbolic.invariant() == self.symbolic.context.false)

    def reach(self) -> ReachedStates:
        """All reachable states, searched once. Raises CommandError if memory is exhausted."""
        if self.reached is None:
            with memory_worded():
                self.reached = reachable_states(self.symbolic)
        return self.reached

    def advance(self, steps: int) -> int | None:
        """Searches this many steps further, breadth first; the depth so far, None if all states are reached.

        The initial states count as a step. Raises CommandError if memory is exhausted.
        """
        if self.reached is not None:
            return None
        symbolic = self.symbolic
        relation = transition_relation(symbolic)
        with memory_worded():
            self.rings = self.rings or [symbolic.initial_states()]
            seen = symbolic.context.disjunction(self.rings)
            for _ in range(steps):
                new = relation.image(self.rings[-1]) & ~seen
                if new == symbolic.context.false:
                    return None
                seen = seen | new
                self.rings.append(new)
        return len(self.rings)

    def fair_states(self, forward_search: bool) -> Bdd:
        """The states from which a fair run starts; with ``forward_search`` only reachable ones, as in NuSMV.

        Raises CommandError if memory is exhausted.
        """
        if self.fair is None:
            with memory_worded():
                within = self.reach().states if forward_search or self.reached else self.symbolic.invariant()
                self.fair = FairConstraints.of(self.symbolic).runs(within).states & within
        return self.fair

    def has_fair_states(self, forward_search: bool) -> bool:
        """Whether there is a fair run; ``forward_search`` as in :meth:`fair_states`."""
        return bool(self.fair_states(forward_search) != self.symbolic.context.false)

    def count_text(self, states: Bdd) -> str:
        """The number of states out of all valuations of state and frozen variables: ``8 (2^3) out of 16 (2^4)``."""
        encoding = self.symbolic.encoding
        names = encoding.state_names()
        bits = encoding.current_bits(names)
        number = count(self.symbolic.context, states, bits)
        every = count(self.symbolic.context, encoding.all_valid(names), bits)
        return f"{number_text(number)} out of {number_text(every)}"

    def reachable_lines(self) -> Iterator[str]:
        """The two lines of ``-r``."""
        reached = self.reach()
        yield f"system diameter: {self.diameter()}"
        yield f"reachable states: {self.count_text(reached.states)}"

    def diameter(self) -> int:
        """The diameter as NuSMV counts it: the initial states are the first step. May need a breadth-first search."""
        if self.initial_is_empty():
            return 0
        rings = self.reach().rings
        if not rings:
            relation = transition_relation(self.symbolic)
            with memory_worded():
                rings = reachable(relation, self.symbolic.initial_states()).rings
        return len(rings)

    def valuations(self, states: Bdd) -> Iterator[Mapping[str, Value]]:
        """Every state of a set, as values of the state and frozen variables."""
        encoding = self.symbolic.encoding
        names = encoding.state_names()
        bits = set(encoding.current_bits(names))
        for assignment in self.symbolic.context.valuations(states, bits):
            yield encoding.decode(assignment, names)

    def totality(self, forward_search: bool) -> Iterator[str | Mapping[str, Value]]:
        """The report of ``check_fsm``: lines, and states that NuSMV prints. Costs a preimage."""
        symbolic = self.symbolic
        context = symbolic.context
        deadlocks = symbolic.invariant() & ~transition_relation(symbolic).preimage(context.true)
        yield ""
        yield SHORT_RULE
        if deadlocks == context.false:
            yield "The transition relation is total: No deadlock state exists"
            yield SHORT_RULE
            return
        yield "The transition relation is not total. A state without"
        yield "successors is:"
        yield next(self.valuations(deadlocks))
        if not forward_search and self.reached is None:
            yield "NOTE: No-successor states could be non-reachable, so"
            yield "      the machine could still be deadlock-free."
            yield "      Reachable states have to be computed to check this."
        elif deadlocks & self.reach().states == context.false:
            yield "However, all the states without successors are"
            yield "non-reachable, so the machine is deadlock-free."
        else:
            yield "The transition relation is not deadlock-free."
            yield "A deadlock state is:"
            yield next(self.valuations(deadlocks & self.reach().states))
        yield SHORT_RULE


def number_text(number: int) -> str:
    """A number in NuSMV's form, with its logarithm: ``8 (2^3)``."""
    logarithm = math.log2(number) if number else -math.inf
    value = f"{float(number):g}" if number < 1 << 1000 else "inf"
    return f"{value} (2^{logarithm:g})"
