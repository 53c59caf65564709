"""LTL as a flat system: the product of a system with the symbolic tableau of the negated formula.

Source: Clarke, Grumberg, Hamaguchi, "Another look at LTL model checking" (FMSD 1997), with past operators
after Kesten, Pnueli, Raviv (ICALP 1998).

What ``product`` adds: visit the formula, operands from left to right before their operator, equal sub-formulas once,
and number the following from 0. Each number n adds one boolean state variable v = ``LTL.n`` and, except for atoms, the
define d = ``LTL.n.goal``; s(f) is the expression for f in the current state.

- A largest sub-formula p without temporal operators is an atom. If it reads no input and no next value,
  s(p) = p and nothing is numbered. Otherwise it is numbered: TRANS v <-> p, and s(p) = v.
- Boolean operators: s(f & g) = s(f) & s(g) and so on.
- Future operators: TRANS v <-> next(d), with

  ========  =====================  ==================  =======
  formula   d                      JUSTICE             s
  ========  =====================  ==================  =======
  X f       s(f)                   none                v
  F g       s(g) | v               s(g) | !d           d
  G g       s(g) & v               d | !s(g)           d
  f U g     s(g) | (s(f) & v)      s(g) | !d           d
  f V g     s(g) & (s(f) | v)      d | !s(g)           d
  ========  =====================  ==================  =======

- Past operators: TRANS next(v) <-> d, with

  ========  =====================  ========  =====
  formula   d                      INIT      s
  ========  =====================  ========  =====
  Y f       s(f)                   !v        v
  Z f       s(f)                   v         v
  O g       s(g) | v               !v        d
  H g       s(g) & v               v         d
  f S g     s(g) | (s(f) & v)      !v        d
  f T g     s(g) & (s(f) | v)      v         d
  ========  =====================  ========  =====

- Bounded operators are unfolded as in NuSMV: F [a, b] g is X^a (g | X (g | ... X g)) with b - a inner X's,
  G [a, b] the same with &; O and H likewise with Y (also H: before the first state g counts as false). The X's
  and Y's are numbered from the innermost outwards, after g.
- v of F g is the variable of X F g, which is not numbered again; so for U, G and V, and with Y for O and S, with Z for
  H and T.
- INIT !s(formula).

For every run of the system that violates the formula, the product has exactly one run over it; the runs of the
product that satisfy its justice constraints project to no other runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from symag.core.values import replace
from symag.smv.model.equal_expressions import EqualExpressions
from symag.smv.model.flat import Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.gates import with_others
from symag.smv.model.supports import Supports
from symag.smv.model.typed import (
    LTL_OPERATORS,
    Constant,
    DefineReference,
    Expression,
    Operation,
    VariableReference,
    conjunction,
    disjunction,
    equal,
    has_operator,
    negation,
    subexpressions,
)
from symag.smv.model.types import BooleanType

_BOOLEAN = BooleanType()
_FUTURE = frozenset("XFGUV")
#: The past operators whose operand counts as TRUE before the first state.
_TRUE_BEFORE = frozenset("ZHT")


class LinearProduct(Struct, frozen=True, eq=False):
    """A system with a tableau.

    ``meanings`` pairs each added variable with a formula; on fair runs both are true at the same positions.
    ``eventualities`` are, for each added JUSTICE, the sub-formula that needs it (``F g``, ``f U g``, ``!(G g)`` or
    ``!(f V g)``).
    """

    system: FlatSystem
    meanings: tuple[tuple[str, Expression], ...]
    eventualities: tuple[Expression, ...]


def product(system: FlatSystem, formula: Expression) -> LinearProduct:
    """The system with the tableau of the negated formula, added at the end of every list.

    The system satisfies the formula (on its fair infinite runs) iff the result has no fair run. Its size is linear in
    the formula and in the bounds of bounded operators.
    """
    tableau = _Tableau(system, formula.position)
    truth, _ = tableau.truth(formula)
    return tableau.added(truth)


def is_temporal(expression: Expression) -> bool:
    """Whether an LTL operator occurs in the expression."""
    return has_operator(expression, LTL_OPERATORS)


def has_past(expression: Expression) -> bool:
    """Whether a past operator occurs in the expression."""
    return any(isinstance(part, Operation) and part.operator in "YZOHST" for part in subexpressions(expression))


def bounds_of(formula: Operation) -> tuple[int, int] | None:
    """The bounds of an operator such as ``F [a, b] g``; None without bounds."""
    if formula.operator not in "FGOH" or len(formula.operands) == 1:
        return None
    low, high = (operand.value for operand in formula.operands[1:] if isinstance(operand, Constant))
    return int(low), int(high)


#: How the operators with two operands combine the first operand with their value at the adjacent position.
_GOES_ON = {"U": conjunction, "S": conjunction, "V": disjunction, "T": disjunction}

#: An expression for a sub-formula in the current state, and the sub-formula itself, without bounded operators.
_Truth = tuple[Expression, Expression]


@dataclass(slots=True)
class _Tableau:
    """The additions to the system, collected while the formula is visited."""

    system: FlatSystem
    position: int
    supports: Supports = field(init=False)
    variables: list[Variable] = field(default_factory=list)
    meanings: list[tuple[str, Expression]] = field(default_factory=list)
    defines: dict[str, Expression] = field(default_factory=dict)
    init: list[Constraint] = field(default_factory=list)
    trans: list[Constraint] = field(default_factory=list)
    justice: list[Constraint] = field(default_factory=list)
    eventualities: list[Expression] = field(default_factory=list)
    equal: EqualExpressions = field(default_factory=EqualExpressions)
    #: What ``truth`` gives for each sub-formula, by the identity of the first that equals it.
    visited: dict[int, _Truth] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.supports = Supports(self.system)

    def added(self, truth: Expression) -> LinearProduct:
        """The product, given the expression for the whole formula."""
        self.init.append(Constraint(negation(truth), self.position))
        system = self.system
        extended = replace(
            system,
            variables=(*system.variables, *self.variables),
            defines=with_others(system.defines, self.defines),
            init=(*system.init, *self.init),
            trans=(*system.trans, *self.trans),
            justice=(*system.justice, *self.justice),
            properties=(),
        )
        return LinearProduct(extended, tuple(self.meanings), tuple(self.eventualities))

    def truth(self, formula: Expression) -> _Truth:
        """s(formula), and the formula without bounded operators."""
        first = self.equal.of(formula)
        if id(first) not in self.visited:
            self.visited[id(first)] = self._visit(first)
        return self.visited[id(first)]

    def _visit(self, formula: Expression) -> _Truth:
        if not is_temporal(formula):
            return self._atom(formula), formula
        assert isinstance(formula, Operation)
        bounds = bounds_of(formula)
        if bounds is not None:
            return self._bounded(formula.operator, self.truth(formula.operands[0]), *bounds)
        operands = [self.truth(operand) for operand in formula.operands]
        meaning = replace(formula, operands=tuple(inner for _, inner in operands))
        truths = tuple(truth for truth, _ in operands)
        if formula.operator not in LTL_OPERATORS:
            return replace(formula, operands=truths), meaning
        return self._operator(meaning, truths)

    def _atom(self, atom: Expression) -> Expression:
        read = self.supports.of(atom)
        if not read.next and not read.current & self.system.inputs:
            return atom
        variable = self._variable(atom)
        self.trans.append(Constraint(equal(variable, atom), atom.position))
        return variable

    def _bounded(self, operator: str, inner: _Truth, low: int, high: int) -> _Truth:
        step = "X" if operator in "FG" else "Y"
        joined = disjunction if operator in "FO" else conjunction
        pair = inner
        for count in range(high):
            truth, meaning = pair
            pair = self._operator(Operation(step, (meaning,), _BOOLEAN, self.position), (truth,))
            if count < high - low:
                pair = joined(inner[0], pair[0]), joined(inner[1], pair[1])
        return pair

    def _operator(self, formula: Operation, operands: tuple[Expression, ...]) -> _Truth:
        """A temporal operator without bounds, given s of its operands."""
        first = self.equal.of(formula)
        if id(first) not in self.visited:
            self.visited[id(first)] = self._numbered(formula, operands), first
        return self.visited[id(first)]

    def _numbered(self, formula: Operation, operands: tuple[Expression, ...]) -> Expression:
        operator, last = formula.operator, operands[-1]
        if operator in "XYZ":
            variable, goal = self._variable(formula), last
        else:
            step = "X" if operator in _FUTURE else "Z" if operator in _TRUE_BEFORE else "Y"
            adjacent = self.equal.of(Operation(step, (formula,), _BOOLEAN, self.position))
            variable = self._variable(adjacent)
            self.visited[id(adjacent)] = variable, adjacent
            again = variable if len(operands) == 1 else _GOES_ON[operator](operands[0], variable)
            goal = (disjunction if operator in "FUOS" else conjunction)(last, again)
        name = f"{variable.name}.goal"
        self.defines[name] = goal
        now = DefineReference(name, False, _BOOLEAN, self.position)
        if operator in _FUTURE:
            following = DefineReference(name, True, _BOOLEAN, self.position)
            self.trans.append(Constraint(equal(variable, following), self.position))
            if operator in "FU":
                self._eventually(formula, disjunction(last, negation(now)))
            elif operator in "GV":
                self._eventually(negation(formula), disjunction(now, negation(last)))
        else:
            primed = VariableReference(variable.name, True, _BOOLEAN, self.position)
            self.trans.append(Constraint(equal(primed, now), self.position))
            first = variable if operator in _TRUE_BEFORE else negation(variable)
            self.init.append(Constraint(first, self.position))
        return variable if operator in "XYZ" else now

    def _eventually(self, formula: Expression, condition: Expression) -> None:
        self.justice.append(Constraint(condition, self.position))
        self.eventualities.append(formula)

    def _variable(self, meaning: Expression) -> VariableReference:
        name = f"LTL.{len(self.variables)}"
        self.variables.append(Variable(name, _BOOLEAN, VariableKind.STATE, self.position))
        self.meanings.append((name, meaning))
        return VariableReference(name, False, _BOOLEAN, self.position)
