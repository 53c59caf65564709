"""The contract of a BDD context: the operations that the symbolic methods need from a package of decision diagrams.

Implementations are ``dd_context`` (dd with CUDD, or in pure Python) and ``oxidd_context`` (OxiDD); ``engines``
chooses one. Their callers do not depend on the choice.

Every operation that makes a diagram raises MemoryExhausted inside :func:`memory_errors` when a limit is
reached; the context is usable again after :meth:`BddContext.drop_dead_nodes`. Costs are in nodes: |f| is the
number of nodes of the diagram f.
"""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from symag.core.limits import MemoryExhausted

#: A diagram of the context that made it. Only ``&``, ``|``, ``~``, ``==`` and ``hash`` work on it.
Bdd: TypeAlias = Any

#: Live nodes beyond which :meth:`BddContext.reorder_if_large` sifts.
LARGE_TABLE = 500_000


@contextlib.contextmanager
def memory_errors() -> Iterator[None]:
    """Turn the errors by which the packages report a lack of memory into :class:`MemoryExhausted`.

    OxiDD raises a MemoryError. Over its limit CUDD returns NULL; dd's ``apply`` then raises RuntimeError and
    its operators ValueError.
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


class Renaming(Struct, frozen=True, eq=False):
    """Diagrams that replace bits, prepared by the context for repeated use."""

    by_bit: Mapping[str, Bdd]
    prepared: Any


class BddContext(Protocol):
    """A manager of diagrams over named bits, all in one order of the bits.

    Diagrams must not be stored in reference cycles: dd would leak its manager. Diagrams of different contexts must
    not be combined. Automatic reordering is off until :meth:`reorder_automatically`.
    """

    #: The diagram that every valuation satisfies, and the one that none does.
    true: Bdd
    false: Bdd

    # Bits and their order

    @abstractmethod
    def declare(self, groups: Iterable[Sequence[str]]) -> None:
        """Declare bits below all others, in this order; the bits of one group stay neighbours when sifted."""

    @abstractmethod
    def order(self) -> tuple[str, ...]:
        """All bits from the top level to the bottom level."""

    @abstractmethod
    def reorder(self, diagrams: Iterable[Bdd]) -> None:
        """Look for an order under which these diagrams, or all live ones, have fewer nodes.

        All diagrams stay valid. Cost: many times their nodes.
        """

    @abstractmethod
    def reorder_automatically(self, enabled: bool) -> None:
        """Let the manager reorder by itself whenever its table has grown, if it can."""

    @abstractmethod
    def reorder_large_tables(self, limit: int = LARGE_TABLE) -> None:
        """From now on let :meth:`reorder_if_large` reorder a table of more than ``limit`` live nodes."""

    def reorder_when_it_pays(self, diagrams: Iterable[Bdd], *, now: bool = False, roughly: bool = False) -> None:
        """Let :meth:`reorder_if_large` reorder when about as much work has been done as reordering costs.

        And again when the table has outgrown its order and the work since then pays for it. With ``now``, and in an
        engine that does not count its work, the first time is now. ``roughly``: an engine that can moves only the bits
        with the most nodes while the table is small, for searches that may end before the best order has paid.
        """
        self.reorder(diagrams)

    def reorder_once_for_fixed_points(self) -> None:
        """As :meth:`reorder_when_it_pays`, once in the life of a context, and only if large tables are reordered.

        For nested fixed points of small diagrams: the work is compared with the whole cost of reordering, so that it
        is doubled at most. Does nothing for an engine that does not count its work.
        """
        return

    @abstractmethod
    def reorder_if_large(self, grown: int, used: Sequence[Bdd] = ()) -> None:
        """Reorder a table that has outgrown its limit, and drop dead nodes if the package does not drop them itself.

        Called between the steps of a search with the number of nodes of the step's result. Cheap if little has grown.
        ``used`` are the diagrams that the next steps work with, if others only wait to be used at the end: rings of
        which a trace may be made.
        """

    # Diagrams of bits

    @abstractmethod
    def bit(self, name: str) -> Bdd:
        """The diagram of one bit. Raises KeyError or ValueError if there is none."""

    @abstractmethod
    def cube(self, values: Mapping[str, bool]) -> Bdd:
        """The condition that each of these bits has its value; true for no bits. Linear in their number."""

    def constant(self, value: bool) -> Bdd:
        """True or false."""
        return self.true if value else self.false

    # Operations; those of two diagrams cost at most |f| |g|, those of three |f| |g| |h|

    @abstractmethod
    def xor(self, left: Bdd, right: Bdd) -> Bdd:
        """Exactly one of the two diagrams holds."""

    @abstractmethod
    def xnor(self, left: Bdd, right: Bdd) -> Bdd:
        """Both diagrams hold or neither."""

    @abstractmethod
    def ite(self, condition: Bdd, high: Bdd, low: Bdd) -> Bdd:
        """``high`` where ``condition`` holds, else ``low``."""

    @abstractmethod
    def implies(self, left: Bdd, right: Bdd) -> bool:
        """Whether every valuation in ``left`` is in ``right``."""

    def conjunction(self, diagrams: Iterable[Bdd]) -> Bdd:
        """The conjunction of all diagrams; true for none."""
        result = self.true
        for diagram in diagrams:
            result = result & diagram
        return result

    def disjunction(self, diagrams: Iterable[Bdd]) -> Bdd:
        """The disjunction of all diagrams; false for none."""
        result = self.false
        for diagram in diagrams:
            result = result | diagram
        return result

    @abstractmethod
    def exists(self, names: Iterable[str], diagram: Bdd) -> Bdd:
        """Some values of ``names`` satisfy the diagram. Cheapest for a frozenset of names that was used before."""

    @abstractmethod
    def and_exists(self, left: Bdd, right: Bdd, names: Iterable[str]) -> Bdd:
        """Some values of ``names`` satisfy both diagrams; the whole conjunction is never built."""

    @abstractmethod
    def restrict(self, diagram: Bdd, care: Bdd) -> Bdd:
        """A diagram that agrees with ``diagram`` wherever ``care`` (not empty) is true, likely smaller.

        It depends on no other bits than ``diagram``.
        """

    @abstractmethod
    def renaming(self, by_bit: Mapping[str, Bdd]) -> Renaming:
        """A renaming for :meth:`rename`: bits by name, and the diagrams that replace them simultaneously."""

    @abstractmethod
    def rename(self, diagram: Bdd, renaming: Renaming) -> Bdd:
        """The diagram with bits replaced. Linear in |f| if the new bits have the same order as the old ones."""

    @abstractmethod
    def cofactor(self, diagram: Bdd, assignment: Mapping[str, bool]) -> Bdd:
        """The diagram with these bits fixed. Linear in |f|."""

    # The structure of diagrams

    @abstractmethod
    def decision(self, diagram: Bdd) -> tuple[str, Bdd, Bdd] | None:
        """The topmost bit that the diagram depends on, with its cofactors (low, high); None for a constant."""

    def decisions_below(self, diagram: Bdd, known: Container[Bdd]) -> Iterator[tuple[Bdd, str, Bdd, Bdd]]:
        """Every diagram below that is not in ``known``, itself last, with its decision: bit, low and high.

        A diagram comes after its cofactors. The caller adds each one to ``known``, which has the constants from the
        start, before it takes the next.
        """
        stack = [diagram]
        while stack:
            node = None if stack[-1] in known else self.decision(stack[-1])
            if node is None:
                stack.pop()
                continue
            name, low, high = node
            waiting = [child for child in (high, low) if child not in known]
            if waiting:
                stack.extend(waiting)
            else:
                yield stack.pop(), name, low, high

    @abstractmethod
    def support(self, diagram: Bdd) -> frozenset[str]:
        """The names of the bits that the diagram depends on. Linear in |f|."""

    @abstractmethod
    def size(self, diagram: Bdd) -> int:
        """The number of nodes of the diagram. Linear in |f|."""

    def pick(self, diagram: Bdd) -> dict[str, bool]:
        """A valuation that satisfies the diagram: the bits on one path, False if either value is possible.

        Bits that are left out may have any value. Raises ValueError for the diagram that is false.
        """
        if diagram == self.false:
            raise ValueError("the empty diagram has no valuation")
        result: dict[str, bool] = {}
        while (node := self.decision(diagram)) is not None:
            name, low, high = node
            result[name] = low == self.false
            diagram = high if result[name] else low
        return result

    def valuations(self, diagram: Bdd, names: Collection[str]) -> Iterator[dict[str, bool]]:
        """Every valuation of ``names`` that satisfies the diagram, in ascending order from the topmost bit.

        Raises ValueError if the diagram depends on other bits.
        """
        if not self.support(diagram) <= set(names):
            raise ValueError("the diagram depends on other bits")
        order = tuple(name for name in self.order() if name in set(names))
        stack: list[tuple[Bdd, tuple[bool, ...]]] = [(diagram, ())]
        while stack:
            here, values = stack.pop()
            if here == self.false:
                continue
            if len(values) == len(order):
                yield dict(zip(order, values, strict=True))
                continue
            node = self.decision(here)
            low, high = (here, here) if node is None or node[0] != order[len(values)] else node[1:]
            stack.append((high, (*values, True)))
            stack.append((low, (*values, False)))

    # The manager's nodes

    @abstractmethod
    def drop_dead_nodes(self) -> None:
        """Free the nodes that no diagram needs any more. Linear in the number of live nodes."""

    @abstractmethod
    def nodes(self) -> int:
        """The number of live nodes; it may include dead ones that have not been dropped."""

    @abstractmethod
    def peak_nodes(self) -> int:
        """The largest number of live nodes so far, as far as the package knows it."""
