"""BDDs by dd: with CUDD if the installed dd has it, else in pure Python."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Literal

from symag.bdd.context import LARGE_TABLE, Bdd, BddContext, Renaming, memory_errors
from symag.bdd.cudd_sifting import CuddSifting, statistic

#: The modules of dd with a manager, the fast one first.
DdModule = Literal["dd.cudd", "dd.autoref"]

_MEBIBYTE = 1 << 20

#: While a group of bits is sifted, it stops moving in one direction when the table is this many times larger than at
#: its best position. With CUDD's 1.2 sifting takes a third longer and finds the same orders on the public models; with
#: 1.02 it finds worse ones (brp of NuSMV's suite backward: 460,126 nodes at most, else 294,989).
_MAX_GROWTH = 1.05
#: Entries of CUDD's operation cache at first; it grows with its use. dd's 262,144 cost 11 ms for each context, and a
#: check makes some; searches of seconds take as long with either (``guidance_sp3``, ``msi5`` of the paper's suite).
_CACHE = 1 << 15
#: The memory that CUDD expects, in bytes: it reserves and clears a 64th of it for the moment when memory is short, 3 ms
#: for dd's 1 GiB. The nodes up to which a table grows fast, by default computed from the expected memory, are dd's.
_EXPECTED, _FAST_GROWTH = 1 << 26, 6_710_886


class DdContext(BddContext):
    """A dd manager. CUDD sifts groups of bits, by itself or on request; dd.autoref only on request.

    ``memory`` is in MiB (None: no limit), and bounds only CUDD. A long operation holds the interpreter: signals wait.
    """

    def __init__(self, memory: int | None = None, module: DdModule | None = None) -> None:
        """``module`` None uses the first that can be imported, with a warning if it is the slow one."""
        name = module or _available_module()
        self._module = _import_without_graphs(name)
        self._cudd = name == "dd.cudd"
        sizes = {"memory_estimate": _EXPECTED, "initial_cache_size": _CACHE} if self._cudd else {}
        self._manager: Any = self._module.BDD(**sizes)
        self._peak = 0
        self._sifting = CuddSifting(self._module, self._manager) if self._cudd else None
        self._groups: list[tuple[str, ...]] = []
        self.reorder_automatically(False)
        if self._cudd:
            self._manager.configure(loose_up_to=_FAST_GROWTH, max_growth=_MAX_GROWTH)
            if memory is not None:
                self._manager.configure(max_memory=min(memory * _MEBIBYTE, sys.maxsize))
        self.true: Bdd = self._manager.true
        self.false: Bdd = self._manager.false

    def declare(self, groups: Iterable[Sequence[str]]) -> None:
        for group in groups:
            new = tuple(bit for bit in group if bit not in self._manager.vars)
            self._manager.declare(*new)
            if new and not self._cudd:
                self._groups.append(new)
            elif len(new) > 1:
                self._manager.group({new[0]: len(new)})

    def order(self) -> tuple[str, ...]:
        levels: Mapping[str, int] = self._manager.var_levels
        return tuple(sorted(levels, key=levels.__getitem__))

    def reorder(self, diagrams: Iterable[Bdd]) -> None:
        # dd considers all live nodes.
        with memory_errors():
            self._module.reorder(self._manager)
            if not self._cudd:
                self._join_groups()

    def _join_groups(self) -> None:
        """Move the bits of each group behind its first bit, because dd.autoref sifts single bits."""
        level: Mapping[str, int] = self._manager.var_levels
        groups = sorted(self._groups, key=lambda group: level[group[0]])
        bits = [bit for group in groups for bit in group]
        self._module.reorder(self._manager, {bit: number for number, bit in enumerate(bits)})

    def reorder_automatically(self, enabled: bool) -> None:
        if self._cudd:
            self._manager.configure(reordering=enabled)
        elif not enabled:
            self._manager.configure(reordering=False)

    def reorder_large_tables(self, limit: int = LARGE_TABLE) -> None:
        if self._sifting is not None:
            self._sifting.when_large(limit)

    def reorder_when_it_pays(self, diagrams: Iterable[Bdd], *, now: bool = False, roughly: bool = False) -> None:
        if self._sifting is None:
            self.reorder(diagrams)
        else:
            self._sifting.when_it_pays(now, roughly)

    def reorder_once_for_fixed_points(self) -> None:
        if self._sifting is not None:
            self._sifting.once_for_fixed_points()

    def reorder_if_large(self, grown: int, used: Sequence[Bdd] = ()) -> None:
        if self._sifting is not None:
            self._sifting.after_growth(grown, used)

    def bit(self, name: str) -> Bdd:
        return self._manager.var(name)

    def cube(self, values: Mapping[str, bool]) -> Bdd:
        return self._manager.cube(values)

    def xor(self, left: Bdd, right: Bdd) -> Bdd:
        return self._manager.apply("xor", left, right)

    def xnor(self, left: Bdd, right: Bdd) -> Bdd:
        return ~self._manager.apply("xor", left, right)

    def ite(self, condition: Bdd, high: Bdd, low: Bdd) -> Bdd:
        return self._manager.ite(condition, high, low)

    def implies(self, left: Bdd, right: Bdd) -> bool:
        return bool(left <= right)

    def exists(self, names: Iterable[str], diagram: Bdd) -> Bdd:
        names = set(names)
        return self._manager.exist(names, diagram) if names else diagram

    def and_exists(self, left: Bdd, right: Bdd, names: Iterable[str]) -> Bdd:
        names = set(names)
        if not names:
            return left & right
        if self._cudd:
            return self._module.and_exists(left, right, names)
        return self._manager.exist(names, left & right)

    def restrict(self, diagram: Bdd, care: Bdd) -> Bdd:
        return self._module.restrict(diagram, care) if self._cudd else diagram

    def renaming(self, by_bit: Mapping[str, Bdd]) -> Renaming:
        return Renaming(by_bit, None)

    def rename(self, diagram: Bdd, renaming: Renaming) -> Bdd:
        return self._manager.let(renaming.by_bit, diagram) if renaming.by_bit else diagram

    def cofactor(self, diagram: Bdd, assignment: Mapping[str, bool]) -> Bdd:
        return self._manager.let(assignment, diagram) if assignment else diagram

    def decision(self, diagram: Bdd) -> tuple[str, Bdd, Bdd] | None:
        name = diagram.var
        if name is None:
            return None
        low, high = diagram.low, diagram.high
        return (name, ~low, ~high) if diagram.negated else (name, low, high)

    def support(self, diagram: Bdd) -> frozenset[str]:
        return frozenset(self._manager.support(diagram))

    def size(self, diagram: Bdd) -> int:
        return len(diagram)

    def drop_dead_nodes(self) -> None:
        # CUDD does so whenever its table is full.
        if not self._cudd:
            self._manager.collect_garbage()

    def nodes(self) -> int:
        count = statistic(self._manager, "n_nodes") if self._cudd else len(self._manager)
        self._peak = max(self._peak, count)
        return count

    def peak_nodes(self) -> int:
        """With dd.autoref, the largest number that :meth:`nodes` has counted."""
        return statistic(self._manager, "peak_live_nodes") if self._cudd else max(self._peak, self.nodes())


def cudd_is_there() -> bool:
    """Whether the installed dd has CUDD. Costs its import."""
    try:
        _import_without_graphs("dd.cudd")
    except ImportError:
        return False
    return True


def _available_module() -> DdModule:
    if cudd_is_there():
        return "dd.cudd"
    warnings.warn("dd.cudd is not installed: BDDs use the slow pure-Python dd.autoref", stacklevel=3)
    return "dd.autoref"


def _import_without_graphs(name: str) -> ModuleType:
    """Import a module of dd without networkx.

    dd imports networkx, only to draw graphs, if it is installed; that is most of the time of a check of a
    small model. dd does without networkx if its import fails, as it does for an entry of None.
    """
    if "networkx" in sys.modules:
        return importlib.import_module(name)
    sys.modules["networkx"] = None  # type: ignore[assignment]  # the import system reads None as "missing"
    try:
        return importlib.import_module(name)
    finally:
        del sys.modules["networkx"]
