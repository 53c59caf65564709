"""The BDD context: one dd manager, its limits, its reordering policy, and the few operations on diagrams.

dd has no type stubs, so a diagram is ``Bdd`` (Any) here and everywhere above; ``&``, ``|``, ``~`` and
``==`` work on it. There is no ``^``: use :meth:`BddContext.xor`.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, TypeAlias

from symag.core.limits import MemoryExhausted

#: A diagram of the context that made it (dd's Function).
Bdd: TypeAlias = Any

_MEBIBYTE = 1 << 20
#: Live nodes beyond which :meth:`BddContext.reorder_if_large` sifts.
LARGE_TABLE = 500_000


@contextlib.contextmanager
def memory_errors() -> Iterator[None]:
    """Turn every way in which dd reports a lack of memory into :class:`MemoryExhausted`.

    Over its limit CUDD returns NULL; ``apply`` then raises RuntimeError and the operators ValueError.
    """
    try:
        yield
    except MemoryError as error:
        raise MemoryExhausted("out of memory") from error
    except RuntimeError as error:
        if "memory" in str(error) or "failed" in str(error):
            raise MemoryExhausted("the BDD memory limit is reached") from error
        raise
    except ValueError as error:
        if "NULL" in str(error):
            raise MemoryExhausted("the BDD memory limit is reached") from error
        raise


class BddContext:
    """A dd manager with named bits: ``dd.cudd`` where it is installed, else the slow ``dd.autoref``.

    ``memory`` is in MiB (None: no limit). Reordering is off until :meth:`reorder_automatically`.
    Diagrams must not be stored in reference cycles: dd would leak the manager.
    """

    def __init__(self, memory: int | None = None, backend: str | None = None) -> None:
        """``backend`` is ``dd.cudd`` or ``dd.autoref``; None takes the first that can be imported."""
        self.backend = backend or _available_backend()
        self._module = _import_without_graphs(self.backend)
        self._cudd = self.backend == "dd.cudd"
        self.manager: Any = self._module.BDD()
        self._peak = 0
        self._large: int | None = None
        self._grown = 0
        self.reorder_automatically(False)
        if self._cudd and memory is not None:
            self.manager.configure(max_memory=memory * _MEBIBYTE)
        self.true: Bdd = self.manager.true
        self.false: Bdd = self.manager.false

    def reorder_automatically(self, enabled: bool) -> None:
        """Let the manager sift by itself whenever its table has grown (CUDD's group sifting)."""
        if self._cudd:
            self.manager.configure(reordering=enabled)
        elif not enabled:
            self.manager.configure(reordering=False)

    def reorder(self) -> None:
        """Sift now."""
        with memory_errors():
            self._module.reorder(self.manager)

    def reorder_large_tables(self, limit: int = LARGE_TABLE) -> None:
        """From now on let :meth:`reorder_if_large` sift a table of more than ``limit`` live nodes."""
        self._large = limit

    def reorder_if_large(self, grown: int) -> None:
        """Sift if the table has outgrown its limit, if it has one; the limit grows with what is left.

        Called between the steps of a search with the nodes of what the step found: asking the manager
        for its size walks through all its tables, so that is done only after enough growth.
        """
        self._grown += grown
        if self._large is None or not self._cudd or self._grown < self._large // 10:
            return
        self._grown = 0
        if self.nodes() > self._large:
            self.reorder()
            self._large = max(self._large, 2 * self.nodes())

    def declare(self, groups: Iterable[Sequence[str]]) -> None:
        """Declare bits in this order; the bits of one group stay neighbours under reordering."""
        for group in groups:
            self.manager.declare(*group)
            if self._cudd and len(group) > 1:
                self.manager.group({group[0]: len(group)})

    def order(self) -> tuple[str, ...]:
        """All bits from the top level to the bottom level."""
        levels: Mapping[str, int] = self.manager.var_levels
        return tuple(sorted(levels, key=levels.__getitem__))

    def bit(self, name: str) -> Bdd:
        """The diagram of one bit."""
        return self.manager.var(name)

    def constant(self, value: bool) -> Bdd:
        """True or false."""
        return self.true if value else self.false

    def xor(self, left: Bdd, right: Bdd) -> Bdd:
        """Exactly one of two."""
        return self.manager.apply("xor", left, right)

    def xnor(self, left: Bdd, right: Bdd) -> Bdd:
        """Both or neither."""
        return ~self.manager.apply("xor", left, right)

    def ite(self, condition: Bdd, high: Bdd, low: Bdd) -> Bdd:
        """``high`` where ``condition`` holds, else ``low``."""
        return self.manager.ite(condition, high, low)

    def conjunction(self, diagrams: Iterable[Bdd]) -> Bdd:
        """All of them; true of none."""
        result = self.true
        for diagram in diagrams:
            result = result & diagram
        return result

    def disjunction(self, diagrams: Iterable[Bdd]) -> Bdd:
        """One of them at least; false of none."""
        result = self.false
        for diagram in diagrams:
            result = result | diagram
        return result

    def exists(self, names: Iterable[str], diagram: Bdd) -> Bdd:
        """Some values of ``names`` satisfy the diagram."""
        names = set(names)
        return self.manager.exist(names, diagram) if names else diagram

    def forall(self, names: Iterable[str], diagram: Bdd) -> Bdd:
        """All values of ``names`` satisfy the diagram."""
        return ~self.exists(names, ~diagram)

    def and_exists(self, left: Bdd, right: Bdd, names: Iterable[str]) -> Bdd:
        """Some values of ``names`` satisfy both diagrams."""
        names = set(names)
        if not names:
            return left & right
        if self._cudd:
            return self._module.and_exists(left, right, names)
        return self.manager.exist(names, left & right)

    def restrict(self, diagram: Bdd, care: Bdd) -> Bdd:
        """A diagram, likely smaller, that agrees with ``diagram`` wherever ``care`` (not empty) is true."""
        return self._module.restrict(diagram, care) if self._cudd else diagram

    def rename(self, diagram: Bdd, renaming: Mapping[str, Bdd]) -> Bdd:
        """Replace bits (by name) by diagrams, all at once."""
        return self.manager.let(renaming, diagram) if renaming else diagram

    def cofactor(self, diagram: Bdd, assignment: Mapping[str, bool]) -> Bdd:
        """The diagram with these bits fixed."""
        return self.manager.let(assignment, diagram) if assignment else diagram

    def support(self, diagram: Bdd) -> frozenset[str]:
        """The names of the bits that the diagram depends on."""
        return frozenset(self.manager.support(diagram))

    def implies(self, left: Bdd, right: Bdd) -> bool:
        """Whether every valuation in ``left`` is in ``right``."""
        return bool(left <= right)

    def size(self, *diagrams: Bdd) -> int:
        """How many nodes the diagrams have together, with sharing."""
        if len(diagrams) == 1:
            return len(diagrams[0])
        if self._cudd:
            return int(self._module.count_nodes(list(diagrams)))
        return sum(len(diagram) for diagram in diagrams)

    def pick(self, diagram: Bdd) -> dict[str, bool]:
        """One valuation of the diagram: the bits on one path, FALSE where there is a choice.

        Raises ValueError for the empty diagram. Bits that are left out may have any value.
        """
        if diagram == self.false:
            raise ValueError("the empty diagram has no valuation")
        result: dict[str, bool] = {}
        node = diagram
        while node != self.true:
            negated = node.negated
            low, high = (~node.low, ~node.high) if negated else (node.low, node.high)
            choice = low == self.false
            result[node.var] = choice
            node = high if choice else low
        return result

    def nodes(self) -> int:
        """Nodes alive now."""
        count = self._statistic("n_nodes") if self._cudd else len(self.manager)
        self._peak = max(self._peak, count)
        return count

    def peak_nodes(self) -> int:
        """The most nodes alive at any time so far (with dd.autoref: whenever :meth:`nodes` was asked)."""
        return self._statistic("peak_live_nodes") if self._cudd else max(self._peak, self.nodes())

    def _statistic(self, name: str) -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return int(self.manager.statistics()[name])


def _available_backend() -> str:
    try:
        _import_without_graphs("dd.cudd")
    except ImportError:
        warnings.warn("dd.cudd is not installed: BDDs use the slow pure-Python dd.autoref", stacklevel=3)
        return "dd.autoref"
    return "dd.cudd"


def _import_without_graphs(name: str) -> ModuleType:
    """Import a module of dd without networkx.

    dd imports networkx where it is installed, only to draw graphs; that is most of the time that a check
    of a small model takes. dd does without it where its import fails, as it does for an entry of None.
    """
    if "networkx" in sys.modules:
        return importlib.import_module(name)
    sys.modules["networkx"] = None  # type: ignore[assignment]  # what the import system takes for "not there"
    try:
        return importlib.import_module(name)
    finally:
        del sys.modules["networkx"]
