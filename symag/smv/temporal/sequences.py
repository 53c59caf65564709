"""PSL with sequences as LTL of the system with automata: a sequence as an NFA, then a monitor or a Büchi automaton.

What ``sequence_product`` adds: the negated property is brought to negation normal form. There every operator on a
sequence has one of four meanings. The n-th of them (operands before operators, from left to right) becomes a free
boolean variable ``PSL.n``; where it is true, the run from there on must have that meaning:

- *all* (``r |-> f``; negated ``r!``, with f = FALSE): f at the last letter of every match;
- *some* (``r!``, with f = TRUE; negated ``r |-> f``): a match with f at its last letter;
- *weak* (``r``): a match, or letters that can be read for ever;
- *fails* (negated ``r``): no match, and letters that cannot be read for ever.

A state s of the automaton with transitions has the variable ``PSL.n.s``: the obligation has reached s. It holds at s
if ``PSL.n.s`` is true, or if s is initial and ``PSL.n`` is true. With b the letter of a transition from s to t:

- *all*, *fails*: if the obligation holds at s and b is true, then ``PSL.n.t`` is true next, and f (FALSE) is true now
  if t is final;
- *some*, *weak*: where ``PSL.n.s`` is true, one of the transitions from s, and where ``PSL.n`` is true, one of those
  from initial states, has a true b and either ``PSL.n.t`` next, or a final t and f true now.

*some* and *fails* must end: ``PSL.n.s.due`` follows the same rules without the initial states. Where none of these
variables is true, the obligations of the next state become due, and JUSTICE requires infinitely many such states
(Miyano and Hayashi, "Alternating finite automata on omega-words", 1984). An f that is not a boolean expression becomes
the variable ``PSL.n.goal``, with G (``PSL.n.goal`` -> f).

For every run of the system that violates the property, the product has a fair run over it that satisfies the formula
under ``not`` in the result; these project to no other runs. Source: Cimatti, Roveri, Semprini, Tonetta, "From PSL to
NBA: a modular symbolic encoding" (FMCAD 2006).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from symag.core.values import replace
from symag.smv.model.flat import Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.sequences import SEQUENCE_OPERATORS, SequenceAutomaton, automaton
from symag.smv.model.typed import (
    LTL_OPERATORS,
    Constant,
    Expression,
    Operation,
    VariableReference,
    conjunction,
    has_operator,
    negation,
)
from symag.smv.model.types import BooleanType

_BOOLEAN = BooleanType()
_DUALS = {"X": "X", "F": "G", "G": "F", "U": "V", "V": "U"}


class SequenceProduct(Struct, frozen=True, eq=False):
    """A system with automata, and the LTL formula that it satisfies iff the system satisfies the property."""

    system: FlatSystem
    formula: Expression


def sequence_product(system: FlatSystem, formula: Expression) -> SequenceProduct:
    """The system with the automata of a formula's sequences.

    Adds at most two variables for each state of an automaton. Raises UnsupportedError for a sequence that is too large.
    """
    builder = _Builder(formula.position)
    violated = builder.normal(formula, True)
    violation = conjunction(violated, *builder.always)
    added = replace(
        system,
        variables=(*system.variables, *builder.variables),
        trans=(*system.trans, *(Constraint(constraint, formula.position) for constraint in builder.trans)),
        justice=(
            *system.justice,
            *(Constraint(justice_condition, formula.position) for justice_condition in builder.justice),
        ),
    )
    return SequenceProduct(added, negation(violation))


def unfolded(formula: Expression) -> Expression | None:
    """The formula as LTL if every automaton has finitely many matches; None if one has a cycle.

    ``r |-> f``: for every transition from an initial state its letter implies f (if its target is final) and, one step
    later, the same for the target. ``r!`` and ``r``, which are then equivalent: some transition has its letter, and a
    final target or, one step later, the same for the target.
    """
    if not isinstance(formula, Operation):
        return formula
    if formula.operator not in SEQUENCE_OPERATORS:
        if not has_sequences(formula):
            return formula
        inner = [unfolded(operand) for operand in formula.operands]
        parts = tuple(part for part in inner if part is not None)
        return replace(formula, operands=parts) if len(parts) == len(inner) else None
    read = automaton(formula.operands[0])
    universal = formula.operator == "seq |->"
    goal = unfolded(formula.operands[1]) if universal else Constant(True, _BOOLEAN, formula.position)
    if goal is None or _has_cycle(read):
        return None
    return _Unfolding(read, universal, goal).of(sorted(read.initial))


def _has_cycle(read: SequenceAutomaton) -> bool:
    """Whether some match can be arbitrarily long."""
    waiting = dict.fromkeys(range(read.states), 0)
    for transition in read.transitions:
        waiting[transition.target] += 1
    ready = [state for state, count in waiting.items() if count == 0]
    for state in ready:
        for transition in read.transitions:
            if transition.source == state:
                waiting[transition.target] -= 1
                if waiting[transition.target] == 0:
                    ready.append(transition.target)
    return len(ready) < read.states


class _Unfolding(Struct):
    read: SequenceAutomaton
    universal: bool
    goal: Expression
    known: dict[tuple[int, ...], Expression] = field(default_factory=dict)

    def of(self, states: Sequence[int]) -> Expression:
        """A condition that is true where the automaton is in one of these states."""
        key = tuple(states)
        if key not in self.known:
            self.known[key] = self._built(key)
        return self.known[key]

    def _built(self, states: tuple[int, ...]) -> Expression:
        position = self.goal.position
        parts: list[Expression] = [Constant(self.universal, _BOOLEAN, position)]
        for transition in self.read.transitions:
            if transition.source not in states:
                continue
            ends: list[Expression] = [self.goal] if transition.target in self.read.final else []
            if any(other.source == transition.target for other in self.read.transitions):
                ends.append(Operation("X", (self.of((transition.target,)),), _BOOLEAN, position))
            joint = "implies" if self.universal else "and"
            parts.extend(Operation(joint, (transition.letter, end), _BOOLEAN, position) for end in ends)
        return Operation("and" if self.universal else "or", tuple(parts), _BOOLEAN, position)


def has_sequences(formula: Expression) -> bool:
    """Whether operators on sequences occur in a formula."""
    return has_operator(formula, SEQUENCE_OPERATORS)


class _Builder(Struct):
    position: int
    variables: list[Variable] = field(default_factory=list)
    trans: list[Expression] = field(default_factory=list)
    justice: list[Expression] = field(default_factory=list)
    always: list[Expression] = field(default_factory=list)
    count: int = 0

    def normal(self, formula: Expression, negated: bool) -> Expression:
        """The formula or its negation in negation normal form, with variables for sequences."""
        if not has_sequences(formula):
            return negation(formula) if negated else formula
        assert isinstance(formula, Operation)
        operator, operands = formula.operator, formula.operands
        if operator in SEQUENCE_OPERATORS:
            return self._sequence(operator, operands, negated)
        match operator:
            case "not":
                return self.normal(operands[0], not negated)
            case "and" | "or":
                joint = {"and": "or", "or": "and"}[operator] if negated else operator
                return self._operation(joint, [self.normal(operand, negated) for operand in operands])
            case "implies":
                left, right = self.normal(operands[0], not negated), self.normal(operands[1], negated)
                return self._operation("and" if negated else "or", [left, right])
            case "iff" | "xor" | "xnor":
                return self._equal(operands, (operator == "xor") != negated)
        if operator not in LTL_OPERATORS or operator not in _DUALS:
            raise AssertionError(operator)
        inner = [self.normal(operand, negated) for operand in operands]
        return self._operation(_DUALS[operator] if negated else operator, inner)

    def _equal(self, operands: Sequence[Expression], differ: bool) -> Expression:
        left, right = operands
        parts = []
        for negated in (False, True):
            first = self.normal(left, negated)
            parts.append(self._operation("and", [first, self.normal(right, negated != differ)]))
        return self._operation("or", parts)

    def _operation(self, operator: str, operands: Sequence[Expression]) -> Expression:
        return Operation(operator, tuple(operands), _BOOLEAN, self.position)

    def _variable(self, name: str, primed: bool = False) -> VariableReference:
        return VariableReference(name, primed, _BOOLEAN, self.position)

    def _declare(self, name: str) -> VariableReference:
        self.variables.append(Variable(name, _BOOLEAN, VariableKind.STATE, self.position))
        return self._variable(name)

    def _sequence(self, operator: str, operands: tuple[Expression, ...], negated: bool) -> Expression:
        read = automaton(operands[0])
        goal: Expression = Constant(not negated, _BOOLEAN, self.position)
        if operator == "seq |->":
            goal = self.normal(operands[1], negated)
        name = f"PSL.{self.count}"
        self.count += 1
        start = self._declare(name)
        if has_operator(goal, LTL_OPERATORS):
            stated = goal
            goal = self._declare(f"{name}.goal")
            self.always.append(self._operation("G", [self._operation("implies", [goal, stated])]))
        existential = (operator == "seq |->") == negated
        obligation = _Obligation(self, name, read, goal)
        obligation.follow(start, existential)
        if negated if operator == "seq {}" else existential:
            obligation.end(existential)
        return start


class _Obligation(Struct):
    """The variables and constraints of one operator on a sequence."""

    builder: _Builder
    name: str
    read: SequenceAutomaton
    goal: Expression

    def follow(self, start: Expression, existential: bool) -> None:
        """Add the constraints of ``PSL.n`` and ``PSL.n.s``."""
        build = self.builder
        for state in self._states():
            held: Expression = build._declare(f"{self.name}.{state}")
            if existential:
                self._choose([state], held, "")
                continue
            if state in self.read.initial:
                held = build._operation("or", [start, held])
            self._oblige(state, held, "")
        if existential:
            self._choose(sorted(self.read.initial), start, "")

    def end(self, existential: bool) -> None:
        """Add the constraints that every obligation ends."""
        build = self.builder
        pairs = []
        for state in self._states():
            name = f"{self.name}.{state}"
            due = build._declare(f"{name}.due")
            if existential:
                self._choose([state], due, ".due")
            else:
                self._oblige(state, due, ".due")
            pairs.append((name, due))
        clear = conjunction(*(negation(due) for _, due in pairs))
        for name, _ in pairs:
            later = [build._variable(name, True), build._variable(f"{name}.due", True)]
            build.trans.append(build._operation("implies", [clear, build._operation("implies", later)]))
        build.justice.append(clear)

    def _states(self) -> list[int]:
        """The states with transitions."""
        return sorted({transition.source for transition in self.read.transitions})

    def _oblige(self, state: int, held: Expression, suffix: str) -> None:
        """Add the constraint that every transition of a state whose letter is true has its consequences."""
        build = self.builder
        for letter, consequence in self._consequences([state], suffix):
            now = build._operation("and", [held, letter])
            build.trans.append(build._operation("implies", [now, consequence]))

    def _choose(self, states: Sequence[int], held: Expression, suffix: str) -> None:
        """Add the constraint that some transition of these states has a true letter and one of its consequences."""
        build = self.builder
        choices = [build._operation("and", consequence) for consequence in self._consequences(states, suffix)]
        build.trans.append(build._operation("or", [negation(held), *choices]))

    def _consequences(self, states: Sequence[int], suffix: str) -> Iterator[tuple[Expression, Expression]]:
        """The letter of each transition with its consequences: its target's variable, and f if the target is final."""
        going = frozenset(self._states())
        for transition in self.read.transitions:
            if transition.source not in states:
                continue
            if transition.target in going:
                yield transition.letter, self.builder._variable(f"{self.name}.{transition.target}{suffix}", True)
            if transition.target in self.read.final:
                yield transition.letter, self.goal
