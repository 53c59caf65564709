"""An automaton for a temporal formula, made as far as it is needed.

A state is the set of formulas that the rest of the run must satisfy. A step reads one position and postpones some
of the untils among them; a run is accepting if it postpones no until for ever.

Reference: R. Gerth, D. Peled, M. Vardi and P. Wolper, "Simple on-the-fly automatic verification of linear
temporal logic" (PSTV 1995), with the acceptance on transitions.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal, atoms

State = frozenset[Temporal]
#: The action (None: one that no atom reads) and the fluents that are true after it.
Letter = tuple[str | None, frozenset[FluentInstance]]
Step = tuple[State, frozenset[Temporal]]


class FluentValues:
    """The truth of a formula's atoms along a run; ``initially`` are the fluents that are true before any action."""

    def __init__(self, formula: Temporal) -> None:
        self._fluents = [atom for atom in atoms(formula) if isinstance(atom, FluentInstance)]
        self._actions = {label for atom in atoms(formula) if isinstance(atom, ActionOccurs) for label in atom.actions}
        self.initially = frozenset(fluent for fluent in self._fluents if fluent.initially)

    def after(self, true: frozenset[FluentInstance], label: str | None) -> Letter:
        """The letter of an action where these fluents were true; actions that no atom reads are one."""
        for fluent in self._fluents:
            if label in fluent.initiating:
                true = true | {fluent}
            elif label in fluent.terminating:
                true = true - {fluent}
        return label if label in self._actions else None, true


def _satisfies(letter: Letter, literal: Temporal) -> bool:
    label, true = letter
    atom = literal.atom
    holds = label in atom.actions if isinstance(atom, ActionOccurs) else atom in true
    return holds == (literal.operator == "atom")


class Branch(Struct, frozen=True):
    """One way to satisfy a state: literals for this position, formulas for the rest, and the postponed untils."""

    literals: frozenset[Temporal]
    following: State
    postponed: frozenset[Temporal]


class TemporalAutomaton:
    """The automaton of one formula; ``untils`` are all of its untils."""

    def __init__(self, formula: Temporal) -> None:
        self.start: State = frozenset((formula,))
        self.untils = tuple(sorted(_untils(formula), key=repr))
        self._branches: dict[State, tuple[Branch, ...]] = {}
        self._steps: dict[tuple[State, Letter], tuple[Step, ...]] = {}

    def steps(self, state: State, letter: Letter) -> tuple[Step, ...]:
        """The sets of formulas that may remain after a position with this letter, each with the postponed untils.

        A step that leaves more formulas than another, and postpones what that does, is left out: every run after it has
        one after the other with fewer formulas at each position.
        """
        key = state, letter
        if key not in self._steps:
            self._steps[key] = _least(
                (branch.following, branch.postponed)
                for branch in self.branches(state)
                if all(_satisfies(letter, literal) for literal in branch.literals)
            )
        return self._steps[key]

    def branches(self, state: State) -> tuple[Branch, ...]:
        """The ways to satisfy a state."""
        if state not in self._branches:
            start = Branch(frozenset(), frozenset(), frozenset())
            self._branches[state] = tuple(dict.fromkeys(_branches(sorted(state, key=repr), frozenset(), start)))
        return self._branches[state]


def _least(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps of which no other one has only some formulas, each once."""
    distinct = dict.fromkeys(steps)
    return tuple(
        step
        for step in distinct
        if not any(step != less and less[0] <= step[0] and less[1] <= step[1] for less in distinct)
    )


def _branches(todo: list[Temporal], done: frozenset[Temporal], branch: Branch) -> list[Branch]:
    if not todo:
        return [branch]
    formula, rest = todo[0], todo[1:]
    if formula in done:
        return _branches(rest, done, branch)
    done = done | {formula}

    def on(more: tuple[Temporal, ...], left: tuple[Temporal, ...] = (), put_off: bool = False) -> list[Branch]:
        postponed = branch.postponed | {formula} if put_off else branch.postponed
        return _branches([*more, *rest], done, Branch(branch.literals, branch.following.union(left), postponed))

    match formula.operator:
        case "true":
            return on(())
        case "false":
            return []
        case "atom" | "not atom":
            opposite = Temporal("atom" if formula.operator == "not atom" else "not atom", (), formula.atom)
            if opposite in branch.literals:
                return []
            return _branches(rest, done, Branch(branch.literals | {formula}, branch.following, branch.postponed))
        case "and":
            return on(formula.operands)
        case "or":
            return [of_operand for operand in formula.operands for of_operand in on((operand,))]
        case "X":
            return on((), formula.operands)
        case "U":
            first, last = formula.operands
            return [*on((last,)), *on((first,), (formula,), put_off=True)]
        case _:
            first, last = formula.operands
            return [*on((first, last)), *on((last,), (formula,))]


def _untils(formula: Temporal) -> set[Temporal]:
    untils = {formula} if formula.operator == "U" else set()
    return untils.union(*map(_untils, formula.operands))
