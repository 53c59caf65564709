"""The if-then-else diagrams of a certificate, checked for their shape, as signals of a circuit or as BDDs, and a
variable order for these.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from symag.core.errors import CertificationError
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import FALSE, TRUE
from symag.smv.certify.circuits.constraints import ConstraintReads
from symag.smv.model.types import bit_count

if TYPE_CHECKING:
    from symag.smv.certify.circuits.decision_diagrams import Bdd, DecisionDiagrams


class Diagrams:
    """The formulas of one table, as signals over an encoder's current or next bits or as BDDs over the current ones.

    Raises CertificationError if the table names an unknown variable or bit, or has a node with a child that is not
    before it.
    """

    def __init__(
        self, encoder: Encoder, table: DiagramTable, observers: Mapping[str, tuple[int, int]] | None = None
    ) -> None:
        """``observers`` are further booleans that the table may mention, each with its signal now and next."""
        self._encoder = encoder
        self._observers = dict(observers or {})
        self._table = table
        self._signals: dict[bool, dict[int, int]] = {False: {0: FALSE, 1: TRUE}, True: {0: FALSE, 1: TRUE}}
        for name, bit in table.bits:
            if name in self._observers:
                if bit != 0:
                    raise CertificationError(f"the certificate mentions bit {bit} of {name}, which does not exist")
                continue
            if name not in encoder.wires and name not in encoder.system.by_name:
                raise CertificationError(f"the certificate mentions an unknown variable: {name}")
            if not 0 <= bit < bit_count(encoder.type_of(name)):
                raise CertificationError(f"the certificate mentions bit {bit} of {name}, which does not exist")
        for number, (bit, high, low) in enumerate(table.nodes, start=2):
            if not (0 <= bit < len(table.bits) and 0 <= high < number and 0 <= low < number):
                raise CertificationError(f"diagram node {number} of the certificate is malformed")

    def signal(self, root: int, primed: bool = False) -> int:
        """The formula of a node; raises CertificationError for a number without a node."""
        signals = self._signals[primed]
        for number in self._below([root], signals):
            bit, high, low = self._table.nodes[number - 2]
            name, index = self._table.bits[bit]
            condition = self.bit(name, index, primed)
            signals[number] = self._encoder.circuit.choice(condition, signals[high], signals[low])
        return signals[root]

    def formulas(self, roots: Sequence[int], context: DecisionDiagrams) -> list[Bdd]:
        """The formulas of nodes over the current bits, as BDDs of the circuit, which gets no gates for them.

        Raises CertificationError for a number without a node.
        """
        known = {0: context.false, 1: context.true}
        conditions: dict[int, Bdd] = {}
        for number in self._below(roots, known):
            bit, high, low = self._table.nodes[number - 2]
            if bit not in conditions:
                name, index = self._table.bits[bit]
                conditions[bit] = context.of(self.bit(name, index, primed=False))
            known[number] = context.choice(conditions[bit], known[high], known[low])
        return [known[root] for root in roots]

    def bit(self, name: str, index: int, primed: bool) -> int:
        """The signal of a bit that the table mentions."""
        if name in self._observers:
            return self._observers[name][primed]
        return self._encoder.bits(name, primed)[index]

    def support(self, roots: list[int]) -> set[str]:
        """The variables that the formulas mention, without observers."""
        return {name for name, _ in self.bits(roots)} - self._observers.keys()

    def bits(self, roots: list[int]) -> set[tuple[str, int]]:
        """The variables' bits that the formulas mention."""
        return set(self._table.support(map(self._checked, roots)))

    def _checked(self, root: int) -> int:
        if not 0 <= root < len(self._table.nodes) + 2:
            raise CertificationError(f"the certificate has no diagram node {root}")
        return root

    def _below(self, roots: Iterable[int], skip: Container[int]) -> list[int]:
        """The nodes of the formulas, each after its children."""
        below: set[int] = set()
        stack = [self._checked(root) for root in roots]
        while stack:
            number = stack.pop()
            if number < 2 or number in below or number in skip:
                continue
            below.add(number)
            stack.extend(self._table.nodes[number - 2][1:])
        return sorted(below)


def bit_order(
    encoder: Encoder, table: DiagramTable, selected: Sequence[ConstraintReads], names: Iterable[str]
) -> list[tuple[str, int]]:
    """The table's bits in the order of its diagrams, in which those are small, with the other bits among them.

    A variable that the table does not mention stands at the mean position of the variables that constraints mention
    with it, which are placed first by constraints with the table's own variables. Variables without such constraints
    come last.
    """
    places: dict[str, float] = {}
    listed = table.order()
    for index, (name, _) in enumerate(listed):
        places.setdefault(name, float(index))
    missing = [name for name in names if name not in places]
    groups = [sorted(item.current | item.following) for item in selected]
    joined: dict[str, list[int]] = {name: [] for name in missing}
    for number, group in enumerate(groups):
        for name in group:
            if name in joined:
                joined[name].append(number)
    counts = [sum(name in places for name in group) for group in groups]
    sums = [sum(places[name] for name in group if name in places) for group in groups]
    waiting = missing
    while waiting:
        position_of = {}
        for name in waiting:
            near = [sums[number] / counts[number] for number in joined[name] if counts[number]]
            if near:
                position_of[name] = sum(near) / len(near)
        for name, position in position_of.items():
            for number in joined[name]:
                counts[number] += 1
                sums[number] += position
        places.update(position_of or dict.fromkeys(waiting, float(len(table.bits))))
        waiting = [name for name in waiting if name not in places]
    keyed = [(float(index), -1, name, bit) for index, (name, bit) in enumerate(listed)]
    # Variables at the same position alternate bit by bit: BDDs of words that are copied or compared stay small then.
    keyed += [(places[name], bit, name, bit) for name in missing for bit in range(len(encoder.bits(name, False)))]
    return [(name, bit) for _, _, name, bit in sorted(keyed)]
