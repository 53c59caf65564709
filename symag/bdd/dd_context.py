"""BDDs by dd: with CUDD if the installed dd has it, else in pure Python."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Literal

from symag.bdd.context import LARGE_TABLE, Bdd, BddContext, Renaming, memory_errors

#: The modules of dd with a manager, the fast one first.
DdModule = Literal["dd.cudd", "dd.autoref"]

_MEBIBYTE = 1 << 20

#: Cache look-ups for each node and bit before the table is sifted (see ``reorder_when_it_pays``), and the nodes
#: of rings between two readings of their number, each of which costs about a millisecond.
_SHARE, _LOOK = 0.1, 300
#: Nodes times bits up to which a table is sifted without waiting, which takes about a tenth of a second.
_CHEAP = 1_000_000
#: A sifted table is sifted again when it has GROWTH times as many nodes and the look-ups since then reach SOON of the
#: cost (nodes times bits), or, where it costs more than AGAIN, SHARE_AGAIN of it: they have then taken about three
#: times the time that sifting takes (0.25 against 0.05 to 0.08 microseconds for one). Sets of states that grow ring by
#: ring are so sifted while they are small, and a table that is large at once is not.
#: With a SOON of 0.1 guidance of NuSMV's suite forward takes 0.7 instead of 1.0 s, but hs12 forward 0.9 instead of 0.3,
#: and pipe_fj_3 backward 2.3 instead of 1.8. With a SHARE of 0.06 barrel4x4_sp1 forward takes 1.8 instead of 0.7 s.
_AGAIN, _SOON, _SHARE_AGAIN = 3_000_000, 0.06, 1.0
#: How much larger a sifted table is when it is sifted again. With 2 the live nodes, which differ by some percent
#: between runs, decide on tcas of NuSMV's suite forward: 3.3 or 4.8 s of search. With 1.3 to 1.8 it takes 2.0 to
#: 3.1 s, but guidance 0.9 instead of 0.7 s.
_GROWTH = 1.7
#: The same where the diagrams in use are known: by how much of the table these may grow. Rings that wait for a trace
#: then do not count. With 1.7 guidance of NuSMV's suite backward takes a tenth longer, and tcas forward a third.
_GROWTH_IN_USE = 1.2
#: If sifting leaves more than this share of the table, its order is near a local optimum, and the next time waits until
#: the table has grown by PATIENCE times as much. Without, guidance of NuSMV's suite forward takes 0.82 instead of
#: 0.67 s, the paper's robot backward a tenth longer; with a share of 0.8 guidance backward takes 1.9 instead of 1.5 s.
_LITTLE_GAIN, _PATIENCE = 0.85, 4
#: The groups of bits that rough sifting moves, as a share of the bits; most are a bit and its next value. It takes half
#: the time for most of the gain: forward searches take an eighth less (guidance_sp2 0.15, 0.11 s), but hsb12 0.3,
#: 0.5 s, and perm6 in both directions 1.4, 1.8. Backward it loses: guidance 1.3, 2.3 s. CUDD's own number is ALL.
_HEAVIEST, _ALL = 0.2, 1_000
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
        self._large: int | None = None
        self._grown = 0
        self._since: int | None = None
        self._share = _SHARE
        self._for_fixed_points = False
        self._sifted: int | None = None
        self._used = 0
        self._patience = 1
        self._roughly = False
        self._groups: list[tuple[str, ...]] = []
        self.reorder_automatically(False)
        if self._cudd:
            self._manager.configure(loose_up_to=_FAST_GROWTH, max_growth=_MAX_GROWTH)
            if memory is not None:
                self._manager.configure(max_memory=memory * _MEBIBYTE)
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
        self._large = limit

    def reorder_when_it_pays(self, diagrams: Iterable[Bdd], *, now: bool = False, roughly: bool = False) -> None:
        self._roughly = roughly
        if self._cudd and not now and self.nodes() * len(self._manager.vars) > _CHEAP:
            self._wait(_SHARE)
        else:
            self._sift_and_watch()

    def reorder_once_for_fixed_points(self) -> None:
        if self._cudd and self._large is not None and not self._for_fixed_points:
            self._for_fixed_points = True
            self._wait(1)

    def _wait(self, share: float, sifted: int | None = None) -> None:
        """Let the table, perhaps just sifted, be sifted when the work from now on reaches a share of its cost."""
        self._since, self._share = self._statistic("cache_lookups"), share
        self._sifted, self._grown = sifted, 0

    def _sift_and_watch(self, used: Sequence[Bdd] = ()) -> None:
        if not self._cudd:
            self.reorder(())
        else:
            before, bits = self.nodes(), len(self._manager.vars)
            few = self._roughly and before * bits <= _CHEAP
            self._manager.configure(max_vars=int(_HEAVIEST * bits) if few else _ALL)
            self.reorder(())
            self._manager.configure(max_vars=_ALL)  # of other calls of ``reorder``
            after = self.nodes()
            self._patience = _PATIENCE if after > _LITTLE_GAIN * before else 1
            self._wait(_SHARE_AGAIN, after)
            self._used = self._shared(used)

    def _shared(self, diagrams: Sequence[Bdd]) -> int:
        """The nodes of the diagrams, those of several once."""
        return int(self._module.count_nodes(list(diagrams))) if diagrams else 0

    def _reorder_if_it_pays(self, used: Sequence[Bdd]) -> None:
        """Sift once the look-ups reach a share of its cost, which is about the nodes times the bits.

        A table that was sifted is sifted again when it, or what is used of it, has grown, for it was sifted before
        these sets of states were known: early if that is cheap, so that all such times together cost about as much as
        the last, and late if the last time gained little.
        """
        assert self._since is not None
        figures = self._statistics()
        nodes = figures["n_nodes"]
        cost = nodes * len(self._manager.vars)
        share = self._share if self._sifted is None or cost > _AGAIN else _SOON
        pays = figures["cache_lookups"] - self._since > share * cost
        if pays and self._sifted:
            grown = self._shared(used) - self._used if used else nodes - self._sifted
            pays = grown >= ((_GROWTH_IN_USE if used else _GROWTH) - 1) * self._patience * self._sifted
        large = self._large is not None and nodes > self._large
        if pays or large:
            self._sift_and_watch(used)
        if large:
            self._large = max(nodes, 2 * self.nodes())

    def reorder_if_large(self, grown: int, used: Sequence[Bdd] = ()) -> None:
        # The limit grows with the remaining nodes. Counting nodes walks through all tables of the manager, so
        # it is done only after enough growth.
        self._grown += grown
        if self._since is not None:
            if self._grown >= (_LOOK if self._sifted is None else self._sifted // 2):
                self._grown = 0
                self._reorder_if_it_pays(used)
        elif self._cudd and self._large is not None and self._grown >= self._large // 10:
            self._grown = 0
            if self.nodes() > self._large:
                self.reorder(())
                self._large = max(self._large, 2 * self.nodes())

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
        count = self._statistic("n_nodes") if self._cudd else len(self._manager)
        self._peak = max(self._peak, count)
        return count

    def peak_nodes(self) -> int:
        """With dd.autoref, the largest number that :meth:`nodes` has counted."""
        return self._statistic("peak_live_nodes") if self._cudd else max(self._peak, self.nodes())

    def _statistic(self, name: str) -> int:
        return int(self._statistics()[name])

    def _statistics(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._manager.statistics()


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
