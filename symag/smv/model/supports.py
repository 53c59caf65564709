"""The variables that expressions read, through defines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import NamedTuple

from symag.smv.model import typed
from symag.smv.model.flat import FlatSystem
from symag.smv.model.gates import Gates, gates_of
from symag.smv.model.typed import Expression, VariableReference

#: Turns the digits of a binary number into bytes that are 0 or 1.
_DIGITS = bytes.maketrans(b"01", b"\0\1")


class Support(NamedTuple):
    """The variables that are read in the current state, with inputs, and in the next state."""

    current: frozenset[str]
    next: frozenset[str]

    @property
    def variables(self) -> frozenset[str]:
        """Both together."""
        return self.current | self.next


class Supports:
    """The supports of expressions over one system; the support of each define is computed once.

    Those of a netlist's gates are bit sets, of which only the ones that expressions refer to become sets of names.
    """

    def __init__(self, system: FlatSystem) -> None:
        self._defines = system.defines
        self._of_define: dict[str, Support] = {}
        self._gates = gates_of(system.defines)
        self._marks = bytearray() if self._gates is None else self._gates.fresh_marks()
        self._masks: dict[int, int] = {0: 0}

    def of(self, expression: Expression) -> Support:
        """The variables that the expression reads, through defines. Linear in the expression's distinct nodes."""
        current, following, defines = leaves_of(expression)
        for name, _ in defines:
            self._compute(name)
        return self._closed(current, following, defines)

    def _compute(self, define: str) -> None:
        """Compute the support of a define and of all below it, without recursion: chains of defines may be long."""
        stack: list[tuple[str, Leaves | None]] = [(define, None)]
        while stack:
            name, leaves = stack.pop()
            if name in self._of_define:
                continue
            node = None if self._gates is None else self._gates.node(name)
            if self._gates is not None and node is not None:
                self._of_define[name] = Support(self._below(self._gates, node), frozenset())
            elif leaves is None:
                leaves = leaves_of(self._defines[name])
                stack.append((name, leaves))
                stack.extend((below, None) for below, _ in leaves.defines if below not in self._of_define)
            else:
                self._of_define[name] = self._closed(*leaves)

    def _below(self, gates: Gates, root: int) -> frozenset[str]:
        """The variables below a gate. Linear in the gates below it that are new, with a bit for each variable."""
        masks, border = self._masks, 1 + len(gates.variables)
        for node in gates.new_nodes([root], self._marks):
            if node < border:
                masks[node] = 1 << node - 1
            else:
                masks[node] = masks[gates.first[node - border] >> 1] | masks[gates.second[node - border] >> 1]
        return frozenset(compress(gates.variables, bin(masks[root])[:1:-1].encode().translate(_DIGITS)))

    def _closed(self, current: set[str], following: set[str], defines: set[tuple[str, bool]]) -> Support:
        for name, primed in defines:
            below = self._of_define[name]
            (following if primed else current).update(below.current)
            following.update(below.next)
        return Support(frozenset(current), frozenset(following))


class Leaves(NamedTuple):
    """Variables that are read now and under ``next``; defines, each with whether it is under ``next``."""

    current: set[str]
    following: set[str]
    defines: set[tuple[str, bool]]


def leaves_of(expression: Expression) -> Leaves:
    """What the expression itself refers to, not what is below its defines. Linear."""
    leaves = Leaves(set(), set(), set())
    for reference in typed.references(expression):
        if isinstance(reference, VariableReference):
            (leaves.following if reference.primed else leaves.current).add(reference.name)
        else:
            leaves.defines.add((reference.name, reference.primed))
    return leaves


def references(system: FlatSystem, expression: Expression) -> Support:
    """The variables that the expression reads now and under ``next``, through defines. Linear.

    For many expressions of one system keep a ``Supports``.
    """
    return references_of_all(system, [expression])


def references_of_all(system: FlatSystem, expressions: Iterable[Expression]) -> Support:
    """The variables that any of the expressions reads now and under ``next``, through defines. Linear together."""
    current: set[str] = set()
    following: set[str] = set()
    seen: set[tuple[str, bool]] = set()
    gates = gates_of(system.defines)
    marks = {primed: gates.fresh_marks() for primed in (False, True)} if gates is not None else {}
    stack = [(expression, False) for expression in expressions]
    while stack:
        top, primed = stack.pop()
        leaves = leaves_of(top)
        (following if primed else current).update(leaves.current)
        following |= leaves.following
        for name, later in leaves.defines:
            key = name, primed or later
            node = None if gates is None else gates.node(name)
            if gates is not None and node is not None:
                read = gates.new_nodes([node], marks[key[1]])
                (following if key[1] else current).update(gates.variable_names(read))
            elif key not in seen:
                seen.add(key)
                stack.append((system.defines[name], key[1]))
    return Support(frozenset(current), frozenset(following))
