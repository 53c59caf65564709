"""Deterministic Buechi automata for assertions.

The automaton of the negated assertion must be *weak*: each of its strongly connected parts has accepting cycles only,
or none. It is so for all assertions that say that something happens again and again, on condition of what happened
before (recurrence, among them all safety and guarantee properties: Manna and Pnueli's hierarchy); not for <>[]p, nor
for []<>p -> []<>q. A run satisfies the assertion if no run of this automaton stays in accepting parts for ever. The
monitor follows all of its runs at once, and besides those that have stayed in accepting parts since the last time when
there was none left: then it accepts.

Source: S. Miyano and T. Hayashi, "Alternating finite automata on omega-words" (1984): breakpoints.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.core.errors import UnsupportedError
from symag.lts.certificates import RecurrenceMonitor
from symag.lts.components import strongly_connected
from symag.lts.language.fluents import FluentInstance, Temporal, granted_after_end, mentioned, negation
from symag.lts.methods.temporal_automaton import FluentValues, State, TemporalAutomaton

#: Larger monitors are refused.
_MOST_STATES = 2_000

#: The fluents that are true, all states of the automaton, and those that have stayed in accepting parts.
_Subsets = tuple[frozenset[FluentInstance], frozenset[State], frozenset[State]]


def recurrence_monitor(formula: Temporal) -> RecurrenceMonitor:
    """The monitor of an assertion; it accepts exactly the runs that satisfy it.

    Raises UnsupportedError if the negation's automaton is not weak, or the monitor has too many states.
    """
    automaton = TemporalAutomaton(negation(formula))
    return _smallest(_Breakpoints(formula, automaton, _accepting_parts(automaton)).monitor())


def _accepting_parts(automaton: TemporalAutomaton) -> frozenset[State]:
    """The states in strongly connected parts with accepting cycles. Raises UnsupportedError for a part with both."""
    number = {automaton.start: 0}
    waiting = [automaton.start]
    edges: list[tuple[int, int, frozenset[Temporal]]] = []
    for state in waiting:
        for branch in automaton.branches(state):
            if branch.following not in number:
                number[branch.following] = len(number)
                waiting.append(branch.following)
                if len(number) > _MOST_STATES:
                    raise UnsupportedError(f"an assertion whose automaton has more than {_MOST_STATES} states")
            edges.append((number[state], number[branch.following], branch.postponed))
    parts, component = _components(len(number), [(source, target) for source, target, _ in edges])
    accepting = set()
    for part in range(parts):
        inside = [edge for edge in edges if component[edge[0]] == component[edge[1]] == part]
        if not inside or any(all(until in edge[2] for edge in inside) for until in automaton.untils):
            continue
        for until in automaton.untils:
            putting_off = [(source, target) for source, target, postponed in inside if until in postponed]
            if _has_cycle(len(number), putting_off):
                raise UnsupportedError("not a recurrence assertion, which a deterministic Buechi automaton recognises")
        accepting.add(part)
    return frozenset(state for state, place in number.items() if component[place] in accepting)


def _components(states: int, edges: Sequence[tuple[int, int]]) -> tuple[int, list[int]]:
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    count, component = strongly_connected(states, ends[:, 0], ends[:, 1])
    return count, component.tolist()


def _has_cycle(states: int, edges: Sequence[tuple[int, int]]) -> bool:
    _, component = _components(states, edges)
    return any(component[source] == component[target] for source, target in edges)


class _Breakpoints:
    def __init__(self, formula: Temporal, automaton: TemporalAutomaton, lasting: frozenset[State]) -> None:
        self._automaton, self._lasting = automaton, lasting
        self._values = FluentValues(formula)
        self._labels = tuple(sorted(mentioned(formula)))
        states = frozenset((automaton.start,))
        self._start: _Subsets = self._values.initially, states, states & lasting

    def monitor(self) -> RecurrenceMonitor:
        number = {self._start: 0}
        waiting = [self._start]
        moves, accepting = [], []
        for here in waiting:
            targets, accepted = [], []
            for label in (*self._labels, None):
                after, is_accepted = self._after(here, label)
                if after not in number:
                    number[after] = len(number)
                    waiting.append(after)
                    if len(number) > _MOST_STATES:
                        raise UnsupportedError(f"an assertion whose monitor has more than {_MOST_STATES} states")
                targets.append(number[after])
                accepted.append(int(is_accepted))
            moves.append(tuple(targets))
            accepting.append(tuple(accepted))
        return RecurrenceMonitor(self._labels, tuple(moves), tuple(accepting), tuple(map(_may_end, number)))

    def _after(self, here: _Subsets, label: str | None) -> tuple[_Subsets, bool]:
        """What follows an action (None: one that no atom mentions), and whether the monitor accepts."""
        fluents, states, lasting = here
        letter = self._values.after(fluents, label)

        def following(before: frozenset[State]) -> frozenset[State]:
            steps = (self._automaton.steps(state, letter) for state in before)
            return frozenset(after for branches in steps for after, _ in branches)

        states = following(states)
        lasting = following(lasting) & self._lasting
        return (letter[1], states, lasting or states & self._lasting), not lasting


def _may_end(subsets: _Subsets) -> int:
    """Whether no run of the negation's automaton ends without an open eventuality."""
    return int(all(any(granted_after_end(negation(formula)) for formula in state) for state in subsets[1]))


def _smallest(monitor: RecurrenceMonitor) -> RecurrenceMonitor:
    """The monitor with equivalent states merged."""
    block = list(monitor.ends)
    while True:
        rows = [
            (block[state], tuple(block[after] for after in targets), accepted)
            for state, (targets, accepted) in enumerate(zip(monitor.moves, monitor.accepting, strict=True))
        ]
        number = {row: k for k, row in enumerate(dict.fromkeys(rows))}
        fresh = [number[row] for row in rows]
        if len(number) == len(set(block)):
            break
        block = fresh
    first = {number[row]: state for state, row in reversed(list(enumerate(rows)))}
    chosen = [first[k] for k in range(len(number))]
    return RecurrenceMonitor(
        monitor.labels,
        tuple(tuple(fresh[after] for after in monitor.moves[state]) for state in chosen),
        tuple(monitor.accepting[state] for state in chosen),
        tuple(monitor.ends[state] for state in chosen),
    )


def ignoring_others(monitor: RecurrenceMonitor) -> RecurrenceMonitor | None:
    """A monitor that accepts not more, and whose state changes only by actions that the assertion mentions.

    In each state as many other actions are supposed to have happened as make a difference. None if it makes one how
    many there are.
    """
    last = []
    for state in range(len(monitor.moves)):
        seen = []
        while state not in seen:
            seen.append(state)
            state = monitor.moves[state][-1]
        if seen[-1] != state:
            return None
        last.append(state)
    for state, targets in enumerate(monitor.moves):
        settled = last[state]
        for k, target in enumerate(targets[:-1]):
            if last[target] != last[monitor.moves[settled][k]]:
                return None
            if monitor.accepting[settled][k] > monitor.accepting[state][k]:
                return None
    chosen = list(dict.fromkeys((last[0], *last)))
    number = {state: k for k, state in enumerate(chosen)}
    ends = [all(monitor.ends[before] for before, after in enumerate(last) if after == state) for state in chosen]
    moves = tuple(tuple(number[last[target]] for target in monitor.moves[state]) for state in chosen)
    accepting = tuple(monitor.accepting[state] for state in chosen)
    return RecurrenceMonitor(monitor.labels, moves, accepting, tuple(map(int, ends)))
