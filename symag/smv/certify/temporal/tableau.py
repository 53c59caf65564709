"""LTL with past as circuits: a tableau with one boolean for every ``X`` and ``Y`` that a formula needs.

Laws of this file:

- A formula denotes a pair of signals: its truth at a position, and at the next one. For every infinite run exactly one
  valuation of the tableau's bits satisfies the constraints with fairness (Lichtenstein, Pnueli, Zuck, "The glory of the
  past", 1985). So the constraints exclude no run, whatever the formulas are.
- ``f U g`` is ``g | f & X (f U g)``, and infinitely often it is false or g is true; ``f S g`` is
  ``g | f & Y (f S g)``; ``Y f`` is false at the beginning; the other operators are defined from these.
- An expression that reads inputs or the next state gets a bit of its own, equal to it on the transition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import FALSE, TRUE
from symag.smv.certify.circuits.constraints import VariableReads
from symag.smv.certify.properties import LINEAR, LOGICAL, has_operator, refused
from symag.smv.certify.temporal.normal_forms import NormalForms
from symag.smv.model.typed import Expression, Operation
from symag.smv.model.types import BooleanType

#: A formula's signal now and at the next position.
Pair = tuple[int, int]


@dataclass(slots=True)
class Tableau:
    """A growing tableau over an encoder's circuit.

    ``bits`` are the added bits, each with its next value; ``initial`` are constraints of the first position,
    ``transitions`` of every transition. ``reads`` are the variables that the formulas mention.
    """

    encoder: Encoder
    reading: VariableReads
    bits: list[Pair] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    transitions: list[int] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    _known: dict[tuple[str, int, int], Pair] = field(default_factory=dict)
    _forms: NormalForms = field(default_factory=NormalForms)
    _truths: dict[int, Pair] = field(default_factory=dict)

    def truth(self, formula: Expression) -> Pair:
        """The formula's signals, the same ones for equal formulas. Costs Python stack in proportion to the depth."""
        return self._truth(self._forms.of(formula))

    def _truth(self, form: Expression) -> Pair:
        """The signals of a normal form. Equal normal forms are one object, so they are known by ``id``."""
        if id(form) not in self._truths:
            self._truths[id(form)] = self._built(form)
        return self._truths[id(form)]

    def _built(self, formula: Expression) -> Pair:
        if not isinstance(formula, Operation) or not (formula.operator in LINEAR or self._is_logical(formula)):
            return self._atom(formula)
        operator = formula.operator
        values = [self._truth(operand) for operand in formula.operands]
        if operator in LOGICAL:
            return self._logical(operator, values)
        return self._temporal(operator, values)

    def eventuality(self, formula: Expression) -> int:
        """The condition, met infinitely often by every run, that ``f U g`` is false or g is true (see FairEmptiness).

        Raises CertificationError for a formula that is no until.
        """
        positive = True
        while isinstance(formula, Operation) and formula.operator == "not":
            positive = not positive
            (formula,) = formula.operands
        operators = ("U", "F") if positive else ("V", "G")
        if not isinstance(formula, Operation) or formula.operator not in operators or len(formula.operands) == 3:
            raise refused("an eventuality is not an until")
        until, goal = self.truth(formula)[0], self.truth(formula.operands[-1])[0]
        if not positive:
            until, goal = -until, -goal
        return self.encoder.circuit.disjunction(-until, goal)

    def _atom(self, expression: Expression) -> Pair:
        current, following = self.reading.of(expression)
        self.reads |= current | following
        if not self._reads_transition(expression):
            return self.encoder.truth(expression), self.encoder.truth(expression, primed=True)
        now = self.encoder.truth(expression)
        return self._once("atom", now, FALSE, lambda bit: self.transitions.append(self._equal(bit[0], now)))

    def _is_logical(self, formula: Operation) -> bool:
        """Whether the operator combines truth values, and reads inputs, the next state, or temporal operators."""
        if formula.operator not in LOGICAL or not isinstance(formula.type, BooleanType):
            return False
        return has_operator(formula, LINEAR) or self._reads_transition(formula)

    def _reads_transition(self, expression: Expression) -> bool:
        current, following = self.reading.of(expression)
        return bool(following or current & self.encoder.system.inputs)

    def _logical(self, operator: str, values: list[Pair]) -> Pair:
        circuit = self.encoder.circuit
        now, following = ([value[side] for value in values] for side in (0, 1))
        match operator:
            case "not":
                return -now[0], -following[0]
            case "and":
                return circuit.all(now), circuit.all(following)
            case "or":
                return circuit.any(now), circuit.any(following)
            case "implies":
                return circuit.disjunction(-now[0], now[1]), circuit.disjunction(-following[0], following[1])
            case "xor":
                return circuit.exclusive(*now), circuit.exclusive(*following)
        return circuit.equal(*now), circuit.equal(*following)

    def _temporal(self, operator: str, values: list[Pair]) -> Pair:
        first, last = values[0], values[-1]
        valid = (TRUE, TRUE)
        match operator:
            case "X":
                return self._next(first)
            case "Y":
                return self._previous(first)
            case "Z":
                return _negated(self._previous(_negated(first)))
            case "F":
                return self._until(valid, last)
            case "G":
                return _negated(self._until(valid, _negated(last)))
            case "U":
                return self._until(first, last)
            case "V":
                return _negated(self._until(_negated(first), _negated(last)))
            case "O":
                return self._since(valid, last)
            case "H":
                return _negated(self._since(valid, _negated(last)))
            case "S":
                return self._since(first, last)
        return _negated(self._since(_negated(first), _negated(last)))

    def _next(self, value: Pair) -> Pair:
        if value[0] < 0:
            return _negated(self._next(_negated(value)))
        if value == (TRUE, TRUE):
            return value
        return self._once("X", *value, lambda bit: self.transitions.append(self._equal(bit[0], value[1])))

    def _previous(self, value: Pair) -> Pair:
        def constrain(bit: Pair) -> None:
            self.initial.append(-bit[0])
            self.transitions.append(self._equal(bit[1], value[0]))

        return self._once("Y", *value, constrain)

    def _until(self, hold: Pair, goal: Pair) -> Pair:
        key = ("U", hold[0], goal[0])
        if key not in self._known:
            later = self._fresh()
            pair = self._kept_until(hold, goal, later)
            self.transitions.append(self._equal(later[0], pair[1]))
            self._known[key] = pair
            # The until may be an older signal (FALSE U x is x), of which the X is known already.
            if pair[0] > 0:
                self._known.setdefault(("X", pair[0], pair[1]), later)
            else:
                self._known.setdefault(("X", -pair[0], -pair[1]), _negated(later))
        return self._known[key]

    def _since(self, hold: Pair, goal: Pair) -> Pair:
        key = ("S", hold[0], goal[0])
        if key not in self._known:
            before = self._fresh()
            pair = self._kept_until(hold, goal, before)
            self.initial.append(-before[0])
            self.transitions.append(self._equal(before[1], pair[0]))
            self._known[key] = pair
            self._known.setdefault(("Y", pair[0], pair[1]), before)
        return self._known[key]

    def _kept_until(self, hold: Pair, goal: Pair, other: Pair) -> Pair:
        circuit = self.encoder.circuit
        now, following = (circuit.disjunction(goal[k], circuit.conjunction(hold[k], other[k])) for k in (0, 1))
        return now, following

    def _once(self, operator: str, now: int, following: int, constrain: Callable[[Pair], None]) -> Pair:
        key = operator, now, following
        if key not in self._known:
            bit = self._known[key] = self._fresh()
            constrain(bit)
        return self._known[key]

    def _fresh(self) -> Pair:
        bit = self.encoder.circuit.input(), self.encoder.circuit.input()
        self.bits.append(bit)
        return bit

    def _equal(self, a: int, b: int) -> int:
        return self.encoder.circuit.equal(a, b)


def _negated(value: Pair) -> Pair:
    return -value[0], -value[1]
