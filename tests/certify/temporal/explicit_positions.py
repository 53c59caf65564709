"""Certificates of fair emptiness made by brute force: positions with a guess of every part of an LTL formula."""

from __future__ import annotations

import itertools

from symag.smv.certificates.temporal import AvoidedCondition, FairEmptiness, RemovalStep
from symag.smv.certify.runs.interpreter import Program, value_set
from symag.smv.model.flat import FlatSystem
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import Expression
from tests.brute_force import Explicit
from tests.certify.diagram_builder import DiagramBuilder
from tests.explicit_ltl import _fits, _Formula, _truth, unbounded

#: A state, its inputs, the atoms' values, and the guesses.
Position = tuple[tuple, tuple, tuple, tuple]


class ExplicitPositions:
    """The positions of the runs that violate a formula, and the steps between them."""

    def __init__(self, system: FlatSystem, formula: Expression) -> None:
        self.system = system
        self.explicit = Explicit(system)
        self.parsed = _Formula(unbounded(formula))
        self.nodes = self.parsed.nodes()
        self.program = Program(system, self.parsed.atoms)
        self.guesses = list(itertools.product((False, True), repeat=len(self.nodes)))
        self.observers = [
            (f"LTL_{number}_", expression_text(part))
            for number, part in enumerate([*self.parsed.atoms, *self.parsed.temporal])
        ]
        self.genuine: set[Position] = set()
        self._leaving: dict[tuple, list[tuple[tuple, tuple, tuple]]] = {}
        self.seen: set[Position] = set()
        self.steps: dict[Position, set[Position]] = {}
        self._explore()

    def _edges(self, state: tuple) -> list[tuple[tuple, tuple, tuple]]:
        """Inputs, atoms and target of every transition from a state."""
        if state not in self._leaving:
            found = []
            for edge in self.explicit.edges(state):
                outcomes = self.program.run(self.explicit.valuation(edge[0], edge[1]), self.explicit.valuation(edge[2]))
                found.append((edge[1], tuple(value_set(outcome) == {True} for outcome in outcomes), edge[2]))
            self._leaving[state] = found
        return self._leaving[state]

    def _explore(self) -> None:
        for state in self.explicit.all_states():
            if self.explicit.is_allowed(state):
                for inputs, atoms, _ in self._edges(state):
                    self.genuine.update((state, inputs, atoms, guess) for guess in self.guesses)
        queue = [
            (state, inputs, atoms, guess)
            for state in self.explicit.initial_states()
            for inputs, atoms, _ in self._edges(state)
            for guess in self.guesses
            if _fits(self.nodes, (atoms, guess), None, True) and not _truth(self.parsed.root, atoms, guess)
        ]
        while queue:
            position = queue.pop()
            if position in self.seen:
                continue
            self.seen.add(position)
            state, inputs, atoms, guess = position
            following = self.steps[position] = set()
            for taken, values, target in self._edges(state):
                if taken == inputs and values == atoms:
                    following.update(
                        (target, others, more, other)
                        for others, more, _ in self._edges(target)
                        for other in self.guesses
                        if _fits(self.nodes, (atoms, guess), (more, other), False)
                    )
            queue.extend(following)

    def where(self, expression: Expression) -> set[Position]:
        """The positions at which an expression over states and inputs is true."""
        program = Program(self.system, [expression])
        return {
            position
            for position in self.seen
            if value_set(program.run(self.explicit.valuation(position[0], position[1]))[0]) == {True}
        }

    def conditions(self) -> list[tuple[AvoidedCondition, set[Position], set[Position]]]:
        """What fair runs meet: where it counts, and where it is met."""
        found: list[tuple[AvoidedCondition, set[Position], set[Position]]] = []
        for number, item in enumerate(self.system.justice):
            found.append((AvoidedCondition("justice", number), self.seen, self.where(item.expression)))
        for number, node in enumerate(self.eventual()):
            positive = node[0] in "FU"
            met = {
                position
                for position in self.seen
                if position[3][node[1]] is not positive or _truth(node[-1], *position[2:]) is positive
            }
            found.append((AvoidedCondition("eventuality", number), self.seen, met))
        for number, (often, answer) in enumerate(self.system.compassion):
            item = AvoidedCondition("compassion", number), self.where(often.expression), self.where(answer.expression)
            found.append(item)
        return found

    def eventual(self) -> list[tuple]:
        """The nodes of untils and their negations."""
        return [node for node in self.nodes if node[0] in "FGUV"]

    def removals(self) -> list[tuple[AvoidedCondition, set[Position]]]:
        """Sets that empty the positions if no fair run violates the formula."""
        left = set(self.seen)
        found = []
        conditions = self.conditions()
        while True:
            before = set(left)
            stuck = left - self.infinite(left)
            if stuck:
                found.append((AvoidedCondition("progress"), stuck))
                left -= stuck
            for avoided, counts, met in conditions:
                closed = left - self._reaching(met & left, left)
                if closed & counts:
                    found.append((avoided, closed))
                    left -= closed & counts
            if left == before:
                return found

    def infinite(self, positions: set[Position]) -> set[Position]:
        """Those from which an infinite run stays among them."""
        while True:
            rest = {position for position in positions if self.steps[position] & positions}
            if rest == positions:
                return rest
            positions = rest

    def _reaching(self, target: set[Position], within: set[Position]) -> set[Position]:
        found = set(target)
        while True:
            grown = found | {position for position in within if self.steps[position] & found}
            if grown == found:
                return found
            found = grown

    def certificate(
        self, removals: list[tuple[AvoidedCondition, set[Position]]], lost: frozenset[Position] = frozenset()
    ) -> FairEmptiness:
        """The certificate with these removals; ``lost`` positions are left out of the reached ones.

        What no infinite run of the system visits (no transition fits) counts as reached and is removed first.
        """
        names = (*self.explicit.names, *self.explicit.input_names, *(name for name, _ in self.observers))
        builder = DiagramBuilder(self.system, names)

        def root(positions: set[Position]) -> int:
            return builder.root([dict(zip(names, itertools.chain(*position), strict=True)) for position in positions])

        everything = self._everything()
        strange = everything - self.genuine
        inside = strange | self.seen
        first = RemovalStep(root(strange), AvoidedCondition("progress"))
        rest = [RemovalStep(root(positions), avoided) for avoided, positions in removals]
        reached = root(inside - lost)
        texts = [expression_text(self.parsed.temporal[node[1]]) for node in self.eventual()]
        eventualities = [
            text if node[0] in "FU" else f"!({text})" for node, text in zip(self.eventual(), texts, strict=True)
        ]
        return FairEmptiness(builder.table(), tuple(self.observers), tuple(eventualities), (reached,), (first, *rest))

    def _everything(self) -> set[Position]:
        atoms = list(itertools.product((False, True), repeat=len(self.parsed.atoms)))
        return set(itertools.product(self.explicit.all_states(), self.explicit.all_inputs(), atoms, self.guesses))
