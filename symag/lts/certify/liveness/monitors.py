"""Re-check of a monitor: every run that it accepts, or that may end where it is, satisfies the assertion.

All words are tried at once. At each position of a word every temporal subformula is true or false. A graph has a node
for each state of the monitor, the atoms after the last action, and the truths of these subformulas there. Its edges
follow the expansions: X p is p at the next position; p U q is q, or p and p U q at the next position; p R q is q, and p
or p R q at the next position. On infinite words these have one more solution than the right one, where p U q stays true
for ever without q, or p R q false for ever with q. So a word violates the assertion and is accepted exactly if a
strongly connected part of the graph, reached from a node where the assertion is false at the first position, has an
accepting edge, and nodes that refute each of these solutions.

On a word that has ended the position after the last one grants what ``granted_after_end`` grants; then the truths at
the last position follow from the atoms, and the same graph tells whether the assertion can be false.

Source: O. Lichtenstein and A. Pnueli, "Checking that finite state concurrent programs satisfy their linear
specification" (POPL 1985): atoms and self-fulfilling strongly connected subgraphs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct

from symag.core.limits import Deadline
from symag.lts.certificates import RecurrenceMonitor
from symag.lts.certify.machines import refused
from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal, atoms, granted_after_end, mentioned

_Atom = FluentInstance | ActionOccurs
#: The monitor's state, the truth of each atom, and that of each temporal subformula.
_Node = tuple[int, tuple[bool, ...], tuple[bool, ...]]
#: Subformulas with the truth that they must have. One can be there twice.
_Owed = list[tuple[Temporal, bool]]


def check_monitor(monitor: RecurrenceMonitor, formula: Temporal, labels: Collection[str], deadline: Deadline) -> None:
    """Accept that runs over these labels, tau besides, satisfy the formula if the monitor accepts them or their end.

    Costs exponential time in the number of temporal operators. Raises CertificationError, OutOfTimeError.
    """
    if not set(labels).issuperset(monitor.labels):
        raise refused("the monitor reads actions that the system does not have")
    _check_form(monitor)
    if not mentioned(formula) <= set(labels):
        raise refused("the assertion speaks of an action that no process has")
    if monitor.ends[0] and not granted_after_end(formula):
        raise refused("the monitor lets a run end at once, which violates the assertion")
    graph = _Graph(monitor, formula, _letters(monitor, formula, labels))
    graph.explore(deadline)
    if graph.has_wrong_end():
        raise refused("the monitor lets a run end that violates the assertion")
    if graph.has_wrong_run():
        raise refused("the monitor accepts a run that violates the assertion")


def _check_form(monitor: RecurrenceMonitor) -> None:
    count, width = len(monitor.moves), len(monitor.labels) + 1
    shapes = {len(row) for rows in (monitor.moves, monitor.accepting) for row in rows}
    if not count or shapes != {width} or len(monitor.accepting) != count or len(monitor.ends) != count:
        raise refused("the monitor is no complete automaton")
    if len(set(monitor.labels)) != width - 1 or not all(0 <= after < count for row in monitor.moves for after in row):
        raise refused("the monitor is not deterministic, or goes to a state that it does not have")


class _Letter(Struct, frozen=True):
    """Actions that the monitor and the atoms do not distinguish; an atom that is None keeps its truth."""

    column: int
    atoms: tuple[bool | None, ...]


def _letters(monitor: RecurrenceMonitor, formula: Temporal, labels: Collection[str]) -> tuple[_Letter, ...]:
    column = {label: k for k, label in enumerate(monitor.labels)}
    ordered = _ordered_atoms(formula)
    letters = (
        _Letter(column.get(label, len(column)), tuple(_effect(atom, label) for atom in ordered))
        for label in ["tau", *sorted(labels)]
    )
    return tuple(dict.fromkeys(letters))


def _ordered_atoms(formula: Temporal) -> tuple[_Atom, ...]:
    return tuple(sorted(atoms(formula), key=repr))


def _effect(atom: _Atom, label: str) -> bool | None:
    if isinstance(atom, ActionOccurs):
        return label in atom.actions
    if label in atom.initiating:
        return True
    return False if label in atom.terminating else None


class _Graph:
    def __init__(self, monitor: RecurrenceMonitor, formula: Temporal, letters: Sequence[_Letter]) -> None:
        self._monitor, self._formula, self._letters = monitor, formula, letters
        self._atoms = _ordered_atoms(formula)
        self._temporal = tuple(dict.fromkeys(_temporal(formula)))
        self._edges: list[tuple[int, int, bool]] = []
        self._number: dict[_Node, int] = {}

    def explore(self, deadline: Deadline) -> None:
        """All nodes that words lead to on which the formula is false at the first position."""
        initially = tuple(isinstance(atom, FluentInstance) and atom.initially for atom in self._atoms)
        waiting: list[_Node] = []
        for letter in self._letters:
            for node in self._after(0, initially, letter, [(self._formula, False)]):
                if node not in self._number:
                    self._number[node] = len(self._number)
                    waiting.append(node)
        for node in waiting:
            deadline.check()
            state, truths, _ = node
            owed = self._owed(node)
            for letter in self._letters:
                accepting = bool(self._monitor.accepting[state][letter.column])
                for after in self._after(state, truths, letter, owed):
                    if after not in self._number:
                        self._number[after] = len(self._number)
                        waiting.append(after)
                    self._edges.append((self._number[node], self._number[after], accepting))

    def has_wrong_end(self) -> bool:
        """Whether a word may end at a node."""
        return any(self._monitor.ends[node[0]] and self._is_last(node) for node in self._number)

    def has_wrong_run(self) -> bool:
        """Whether a strongly connected part has an accepting edge and refutes every wrong solution."""
        count = len(self._number)
        if not self._edges:
            return False
        # Slow to import: safety by parts imports this module and has no monitors.
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        source, target, accepting = (np.array(column) for column in zip(*self._edges, strict=True))
        ones = np.ones(len(source), dtype=np.int8)
        graph = coo_array((ones, (source, target)), shape=(count, count))
        parts, part = connected_components(graph, connection="strong")
        good = np.zeros(parts, dtype=bool)
        good[part[source[accepting & (part[source] == part[target])]]] = True
        for index, formula in enumerate(self._temporal):
            if formula.operator == "X":
                continue
            refuting = np.zeros(parts, dtype=bool)
            for node, number in self._number.items():
                last = self._values(node)[formula.operands[1]]
                refuting[part[number]] |= (
                    (last or not node[2][index]) if formula.operator == "U" else (node[2][index] or not last)
                )
            good &= refuting
        return bool(good.any())

    def _after(self, state: int, truths: tuple[bool, ...], letter: _Letter, owed: _Owed) -> Iterator[_Node]:
        """The nodes after a letter in which these subformulas have these truths."""
        now = tuple(old if new is None else new for old, new in zip(truths, letter.atoms, strict=True))
        following = self._monitor.moves[state][letter.column]
        for chosen in self._choices(now, {}, 0):
            values = self._with_plain(now, dict(zip(self._temporal, chosen, strict=True)))
            if all(values[formula] == truth for formula, truth in owed):
                yield following, now, chosen

    def _choices(self, now: tuple[bool, ...], known: dict[Temporal, bool], index: int) -> Iterator[tuple[bool, ...]]:
        """The truths of the temporal subformulas from ``index`` on that the expansions allow at one position."""
        if index == len(self._temporal):
            yield ()
            return
        formula = self._temporal[index]
        possible = [True, False]
        if formula.operator != "X":
            first, last = (self._value(operand, now, known) for operand in formula.operands)
            if formula.operator == "U":
                possible = [True] if last else [True, False] if first else [False]
            else:
                possible = [False] if not last else [True] if first else [True, False]
        for truth in possible:
            for others in self._choices(now, {**known, formula: truth}, index + 1):
                yield (truth, *others)

    def _owed(self, node: _Node) -> _Owed:
        """What must be true or false at the next position."""
        owed: _Owed = []
        values = self._values(node)
        for formula in self._temporal:
            if formula.operator == "X":
                owed.append((formula.operands[0], values[formula]))
                continue
            first, last = (values[operand] for operand in formula.operands)
            if (first and not last) if formula.operator == "U" else (last and not first):
                owed.append((formula, values[formula]))
        return owed

    def _is_last(self, node: _Node) -> bool:
        """Whether the truths are those at the last position of a word that has ended."""
        return all(truth == granted_after_end(formula) for formula, truth in self._owed(node))

    def _values(self, node: _Node) -> dict[Temporal, bool]:
        return self._with_plain(node[1], dict(zip(self._temporal, node[2], strict=True)))

    def _with_plain(self, now: tuple[bool, ...], known: dict[Temporal, bool]) -> dict[Temporal, bool]:
        """The truths of all subformulas."""
        values = dict(known)

        def add(formula: Temporal) -> None:
            for operand in formula.operands:
                add(operand)
            if formula not in values:
                values[formula] = self._value(formula, now, values)

        add(self._formula)
        return values

    def _value(self, formula: Temporal, now: tuple[bool, ...], known: Mapping[Temporal, bool]) -> bool:
        if formula in known:
            return known[formula]
        match formula.operator:
            case "true" | "false":
                return formula.operator == "true"
            case "atom" | "not atom":
                assert formula.atom is not None
                return now[self._atoms.index(formula.atom)] == (formula.operator == "atom")
            case "and":
                return all(self._value(operand, now, known) for operand in formula.operands)
            case "or":
                return any(self._value(operand, now, known) for operand in formula.operands)
            case _:
                raise ValueError(f"not in negation normal form: {formula.operator}")


def _temporal(formula: Temporal) -> Iterator[Temporal]:
    """The subformulas with a temporal operator, operands first."""
    for operand in formula.operands:
        yield from _temporal(operand)
    if formula.operator in ("X", "U", "R"):
        yield formula
