"""Sifting for OxiDD: an order of bits under which given diagrams are small, by moving one group of bits at a time.

Source: Rudell, "Dynamic variable ordering for ordered binary decision diagrams" (ICCAD 1993). Groups that no diagram
reads together pass each other for free, as with CUDD's interaction matrix.

OxiDD has no sifting, only ``set_var_order``. That is fast in a manager with a small operation cache, so the
diagrams are copied to one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

#: Neighbouring variables that move together, by OxiDD's numbers.
Block = tuple[int, ...]

#: Entries of the scratch manager's cache; all of them are cleared at each change of the order.
_CACHE = 256
#: A group stops moving in one direction when the diagrams are this many times larger than at its best position. With
#: CUDD's factor, 1.2, sifting takes twice as long on the public models and finds larger diagrams.
_GROWTH = 1.02
#: The most changes of the order; the groups with most nodes are moved first.
_MOST_CHANGES = 8_000


def sifted(
    manager: Any, make: Callable[[int, int], Any], dddmp_file: Any, roots: Sequence[Any], blocks: Sequence[Block]
) -> list[Block]:
    """The blocks, from the top, in an order that makes ``roots`` smaller, or in the given order.

    ``make`` makes a manager for a number of nodes and of cache entries, ``dddmp_file`` opens a file. Cost: at most one
    swap of neighbours for each pair of blocks, each about 20 microseconds, more on large levels; in all about the time
    of CUDD. Raises MemoryError and OSError.
    """
    scratch, copies = _copied(manager, make, dddmp_file, roots)
    reads = [node_counts(copy) for copy in copies]
    search = _Sifting(scratch, list(blocks), reads)
    search.run()
    del copies
    return search.blocks


def _copied(
    manager: Any, make: Callable[[int, int], Any], dddmp_file: Any, roots: Sequence[Any]
) -> tuple[Any, list[Any]]:
    """A temporary manager with the same order and copies of the diagrams."""
    nodes = sum(root.node_count() for root in roots)
    count = manager.num_vars()
    scratch = make(16 * nodes + 64 * count + (1 << 16), _CACHE)
    scratch.add_vars(count)
    scratch.set_var_order([manager.level_to_var(level) for level in range(count)])
    descriptor, path = tempfile.mkstemp(suffix=".dddmp")
    os.close(descriptor)
    try:
        manager.export_dddmp(path, roots)
        file = dddmp_file(path)
        return scratch, scratch.import_dddmp(file, file.support_var_order)
    finally:
        os.unlink(path)


def node_counts(root: Any) -> dict[int, int]:
    """The number of nodes in a diagram for each variable that it depends on. Linear in its nodes."""
    counts: dict[int, int] = {}
    seen: set[Any] = set()
    stack = [root]
    while stack:
        here = stack.pop()
        variable = here.node_var()
        if variable is None or here in seen:
            continue
        seen.add(here)
        counts[variable] = counts.get(variable, 0) + 1
        stack.extend(here.cofactors())
    return counts


@dataclass(slots=True)
class _Sifting:
    """The present order; ``reads`` are the nodes of each variable in each diagram."""

    manager: Any
    blocks: list[Block]
    reads: Sequence[dict[int, int]]
    changes: int = 0

    def run(self) -> None:
        """Move every block once to its best position, those with most nodes first."""
        weight = {block: sum(counts.get(bit, 0) for counts in self.reads for bit in block) for block in self.blocks}
        moved = sorted((block for block in self.blocks if weight[block]), key=weight.__getitem__, reverse=True)
        meets = self._interactions()
        for block in moved:
            if self.changes > _MOST_CHANGES:
                return
            self._sift(block, meets[block])

    def _interactions(self) -> dict[Block, set[Block]]:
        """For each block the blocks that some diagram reads together with it."""
        of_bit = {bit: block for block in self.blocks for bit in block}
        meets: dict[Block, set[Block]] = {block: set() for block in self.blocks}
        for counts in self.reads:
            together = {of_bit[bit] for bit in counts}
            for block in together:
                meets[block] |= together
        return meets

    def _sift(self, block: Block, meets: set[Block]) -> None:
        start = here = self.blocks.index(block)
        best, best_at = self.manager.num_inner_nodes(), start
        # To the nearer end first.
        near = -1 if start < len(self.blocks) - start else 1
        for direction in (near, -near):
            at = here
            while 0 <= at + direction < len(self.blocks):
                at += direction
                if self.blocks[at] not in meets:
                    continue
                self._move(block, here, at)
                here = at
                size = self.manager.num_inner_nodes()
                if size < best or (size == best and here == start):
                    best, best_at = size, here
                elif size > _GROWTH * best:
                    break
            self._move(block, here, best_at)
            here = best_at

    def _move(self, block: Block, source: int, target: int) -> None:
        """Move the block from one position to another."""
        if source == target:
            return
        del self.blocks[source]
        self.blocks.insert(target, block)
        self.changes += 1
        first, last = min(source, target), max(source, target)
        self.manager.set_var_order([bit for moved in self.blocks[first : last + 1] for bit in moved])
