"""When CUDD's table is sifted: while a search goes on, once the work done pays for it.

The work is the look-ups in CUDD's operation cache, the cost of sifting about the nodes times the bits. A table that was
sifted is sifted again when it, or what is used of it, has grown, for it was sifted before these sets of states were
known: early if that is cheap, so that all such times together cost about as much as the last, and late if the last time
gained little. Without :meth:`CuddSifting.when_it_pays` only a table of many nodes is sifted.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from symag.bdd.context import Bdd, memory_errors

#: Cache look-ups for each node and bit before the table is sifted, and the nodes of rings between two readings of
#: their number, each of which costs about a millisecond.
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


class CuddSifting:
    """The moments at which one manager is sifted; the calls are those of ``BddContext``."""

    def __init__(self, module: ModuleType, manager: Any) -> None:
        """``module`` is ``dd.cudd``, ``manager`` its ``BDD``."""
        self._module = module
        self._manager = manager
        #: The nodes of a large table, if such a table is sifted, and those of rings since the nodes were last read.
        self._large: int | None = None
        self._grown = 0
        #: The look-ups when the work began to be counted, if it is, and the share of the cost that is waited for.
        self._since: int | None = None
        self._share = _SHARE
        self._for_fixed_points = False
        self._roughly = False
        #: After sifting: the nodes of the table and of the diagrams in use, and how patient the next time is.
        self._sifted: int | None = None
        self._used = 0
        self._patience = 1

    def when_large(self, limit: int) -> None:
        """As ``reorder_large_tables``."""
        self._large = limit

    def when_it_pays(self, now: bool, roughly: bool) -> None:
        """As ``reorder_when_it_pays``."""
        self._roughly = roughly
        if not now and self._nodes() * self._bits() > _CHEAP:
            self._wait(_SHARE)
        else:
            self._sift_and_watch()

    def once_for_fixed_points(self) -> None:
        """As ``reorder_once_for_fixed_points``."""
        if self._large is not None and not self._for_fixed_points:
            self._for_fixed_points = True
            self._wait(1)

    def after_growth(self, grown: int, used: Sequence[Bdd]) -> None:
        """As ``reorder_if_large``."""
        # Counting nodes walks through all tables of the manager, so it is done only after enough growth.
        self._grown += grown
        if self._since is not None:
            if self._grown >= (_LOOK if self._sifted is None else self._sifted // 2):
                self._grown = 0
                self._sift_if_it_pays(used)
        elif self._large is not None and self._grown >= self._large // 10:
            self._grown = 0
            if self._nodes() > self._large:
                self._sift()
                # The limit grows with the remaining nodes.
                self._large = max(self._large, 2 * self._nodes())

    def _wait(self, share: float, sifted: int | None = None) -> None:
        """Let the table, perhaps just sifted, be sifted when the work from now on reaches a share of its cost."""
        self._since, self._share = statistic(self._manager, "cache_lookups"), share
        self._sifted, self._grown = sifted, 0

    def _sift_if_it_pays(self, used: Sequence[Bdd]) -> None:
        """Sift if the work pays for it and the table, or what is used of it, has grown enough; or if it is large."""
        assert self._since is not None
        figures = _statistics(self._manager)
        nodes = figures["n_nodes"]
        cost = nodes * self._bits()
        share = self._share if self._sifted is None or cost > _AGAIN else _SOON
        pays = figures["cache_lookups"] - self._since > share * cost
        if pays and self._sifted:
            grown = self._shared(used) - self._used if used else nodes - self._sifted
            pays = grown >= ((_GROWTH_IN_USE if used else _GROWTH) - 1) * self._patience * self._sifted
        large = self._large is not None and nodes > self._large
        if pays or large:
            self._sift_and_watch(used)
        if large:
            self._large = max(nodes, 2 * self._nodes())

    def _sift_and_watch(self, used: Sequence[Bdd] = ()) -> None:
        """Sift, roughly if that is allowed and the table is small, and count the work from now on."""
        before, bits = self._nodes(), self._bits()
        few = self._roughly and before * bits <= _CHEAP
        self._manager.configure(max_vars=int(_HEAVIEST * bits) if few else _ALL)
        self._sift()
        self._manager.configure(max_vars=_ALL)  # of other calls of ``reorder``
        after = self._nodes()
        self._patience = _PATIENCE if after > _LITTLE_GAIN * before else 1
        self._wait(_SHARE_AGAIN, after)
        self._used = self._shared(used)

    def _sift(self) -> None:
        with memory_errors():
            self._module.reorder(self._manager)

    def _shared(self, diagrams: Sequence[Bdd]) -> int:
        """The nodes of the diagrams, those of several once."""
        return int(self._module.count_nodes(list(diagrams))) if diagrams else 0

    def _nodes(self) -> int:
        return statistic(self._manager, "n_nodes")

    def _bits(self) -> int:
        return len(self._manager.vars)


def statistic(manager: Any, name: str) -> int:
    """One of the figures of a manager of ``dd.cudd``; costs about a millisecond."""
    return int(_statistics(manager)[name])


def _statistics(manager: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return manager.statistics()
