"""BDDs by OxiDD: complement edges, tables of a fixed capacity, no reordering by itself.

Source: Husung, Dubslaff, Hermanns, Koehl, "OxiDD: A Safe, Concurrent, Modular, and Performant Decision
Diagram Framework in Rust" (TACAS 2024).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symag.bdd.context import LARGE_TABLE, Bdd, BddContext, Renaming, memory_errors
from symag.bdd.oxidd_sifting import node_counts, sifted
from symag.bdd.oxidd_tables import TableSizes

#: Nodes times bits up to which diagrams are sifted without waiting, which takes about a tenth of a second.
_CHEAP = 300_000
#: Diagrams are sifted after this many new nodes for each of their nodes: about half of the work of sifting.
_MADE_PER_NODE = 16
#: Dead nodes are dropped between steps at this many nodes, and again whenever the live nodes have doubled.
_DROPPED_FROM = 1 << 20
#: The most supports, and the most sets of bits, that are cached.
_REMEMBERED = 4096


class OxiddContext(BddContext):
    """An OxiDD manager with one worker thread. Other Python threads run during an operation.

    ``memory`` is in MiB (None: see ``TableSizes``). A full table is a MemoryError.
    """

    def __init__(self, memory: int | None = None) -> None:
        diagrams, helpers = importlib.import_module("oxidd.bcdd"), importlib.import_module("oxidd.util")
        self._and = helpers.BooleanOperator.AND
        self._make, self._file = diagrams.BCDDManager, helpers.DDDMPFile
        self._tables = TableSizes.within(memory)
        self._manager: Any = self._tables.manager(self._make)
        self._substitution = diagrams.BCDDSubstitution
        self.true: Bdd = self._manager.true()
        self.false: Bdd = self._manager.false()
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self._groups: list[tuple[int, ...]] = []
        self._bits: dict[str, Bdd] = {}
        self._sets: dict[frozenset[str], Bdd] = {}
        self._supports: dict[Bdd, frozenset[str]] = {}
        self._peak = 0
        self._drop_at = _DROPPED_FROM
        self._waiting: tuple[Bdd, ...] = ()
        self._worth = 0

    def declare(self, groups: Iterable[Sequence[str]]) -> None:
        for group in groups:
            numbers = []
            for name in group:
                if name not in self._numbers:
                    (number,) = self._manager.add_vars(1)
                    self._numbers[name] = number
                    self._names.append(name)
                    self._bits[name] = self._manager.var(number)
                    numbers.append(number)
            if numbers:
                self._groups.append(tuple(numbers))

    def order(self) -> tuple[str, ...]:
        return tuple(self._names[self._manager.level_to_var(level)] for level in range(len(self._names)))

    def reorder(self, diagrams: Iterable[Bdd]) -> None:
        roots = list({diagram for diagram in diagrams if diagram.node_var() is not None})
        if not roots:
            return
        level = self._manager.var_to_level
        blocks = sorted(self._groups, key=lambda group: min(map(level, group)))

        def scratch(nodes: int, cache: int) -> Any:
            return TableSizes(nodes, cache, self._tables.stack).manager(self._make)

        with memory_errors():
            new_blocks = sifted(self._manager, scratch, self._file, roots, blocks)
            if new_blocks != blocks:
                # Dead nodes would be moved too, and may be many times the live ones.
                self.drop_dead_nodes()
                self._manager.set_var_order([bit for block in new_blocks for bit in block])

    def reorder_automatically(self, enabled: bool) -> None:
        pass

    def reorder_large_tables(self, limit: int = LARGE_TABLE) -> None:
        pass

    def reorder_when_it_pays(self, diagrams: Iterable[Bdd], *, now: bool = False, roughly: bool = False) -> None:
        roots = tuple(diagrams)
        size = sum(root.node_count() for root in roots)
        if now or size * len(self._names) <= _CHEAP:
            self.reorder(roots)
            return
        # The number of nodes measures the work, because dead ones stay until they are dropped.
        self._waiting = roots
        self._worth = self._manager.approx_num_inner_nodes() + _MADE_PER_NODE * size

    def reorder_if_large(self, grown: int, used: Sequence[Bdd] = ()) -> None:
        if self._waiting and self._manager.approx_num_inner_nodes() >= min(self._worth, self._drop_at):
            roots, self._waiting = self._waiting, ()
            self.reorder(roots)
        if self._manager.approx_num_inner_nodes() >= self._drop_at:
            self.drop_dead_nodes()

    def drop_dead_nodes(self) -> None:
        self.nodes()
        self._supports.clear()
        self._sets.clear()
        # While OxiDD's own thread collects, gc() does nothing; add_vars() waits until the manager is free.
        self._manager.add_vars(0)
        self._manager.gc()
        self._drop_at = max(_DROPPED_FROM, 2 * self._manager.num_inner_nodes())

    def bit(self, name: str) -> Bdd:
        return self._bits[name]

    def cube(self, values: Mapping[str, bool]) -> Bdd:
        # From the bottom up, every step makes one node.
        level = self._manager.var_to_level
        numbers = self._numbers
        result = self.true
        for name in sorted(values, key=lambda bit: level(numbers[bit]), reverse=True):
            bit = self._bits[name]
            result = (bit if values[name] else ~bit) & result
        return result

    def xor(self, left: Bdd, right: Bdd) -> Bdd:
        return left ^ right

    def xnor(self, left: Bdd, right: Bdd) -> Bdd:
        return left.equiv(right)

    def ite(self, condition: Bdd, high: Bdd, low: Bdd) -> Bdd:
        return condition.ite(high, low)

    def implies(self, left: Bdd, right: Bdd) -> bool:
        return bool(left.imp(right) == self.true)

    def exists(self, names: Iterable[str], diagram: Bdd) -> Bdd:
        quantified = frozenset(names)
        return self._again_if_full(diagram.exists, self._set(quantified)) if quantified else diagram

    def and_exists(self, left: Bdd, right: Bdd, names: Iterable[str]) -> Bdd:
        quantified = frozenset(names)
        if not quantified:
            return left & right
        return self._again_if_full(left.apply_exists, self._and, right, self._set(quantified))

    def _again_if_full(self, operation: Any, *operands: Any) -> Bdd:
        """The result of the operation; if the table is full, dead nodes are dropped and the operation is repeated."""
        try:
            return operation(*operands)
        except MemoryError:
            self.drop_dead_nodes()
            return operation(*operands)

    def _set(self, names: frozenset[str]) -> Bdd:
        """The conjunction of bits that represents their set in OxiDD."""
        cube = self._sets.get(names)
        if cube is None:
            if len(self._sets) >= _REMEMBERED:
                self._sets.clear()
            cube = self._sets[names] = self.cube(dict.fromkeys(names, True))
        return cube

    def restrict(self, diagram: Bdd, care: Bdd) -> Bdd:
        # Bits that only the care set depends on may be quantified already where the result is used.
        inside = diagram & self.exists(self.support(care) - self.support(diagram), care)
        return inside if inside.node_count() < diagram.node_count() else diagram

    def renaming(self, by_bit: Mapping[str, Bdd]) -> Renaming:
        # One substitution for all uses: OxiDD caches its results.
        pairs = [(self._numbers[name], diagram) for name, diagram in by_bit.items()]
        return Renaming(by_bit, self._substitution(pairs))

    def rename(self, diagram: Bdd, renaming: Renaming) -> Bdd:
        return self._again_if_full(diagram.substitute, renaming.prepared) if renaming.by_bit else diagram

    def cofactor(self, diagram: Bdd, assignment: Mapping[str, bool]) -> Bdd:
        if not assignment:
            return diagram
        return diagram.apply_exists(self._and, self.cube(assignment), self._set(frozenset(assignment)))

    def decision(self, diagram: Bdd) -> tuple[str, Bdd, Bdd] | None:
        number = diagram.node_var()
        if number is None:
            return None
        high, low = diagram.cofactors()
        return self._names[number], low, high

    def support(self, diagram: Bdd) -> frozenset[str]:
        support = self._supports.get(diagram)
        if support is None:
            if len(self._supports) >= _REMEMBERED:
                self._supports.clear()
            support = self._supports[diagram] = frozenset(self._names[number] for number in node_counts(diagram))
        return support

    def size(self, diagram: Bdd) -> int:
        return int(diagram.node_count())

    def nodes(self) -> int:
        count = int(self._manager.num_inner_nodes())
        self._peak = max(self._peak, count)
        return count

    def peak_nodes(self) -> int:
        """The largest number whenever nodes were counted or dropped, dead nodes included."""
        self.nodes()
        return self._peak
