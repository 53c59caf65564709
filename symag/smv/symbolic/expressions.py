"""Typed expressions as diagrams, with the conditions under which their evaluation fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from symag.bdd.context import Bdd, BddContext
from symag.core.grouping import pairwise
from symag.core.source import SourceText
from symag.smv.circuits import values
from symag.smv.circuits.expressions import CHOICES, Evaluated, ExpressionBlaster, Failure
from symag.smv.circuits.values import Denotation, GuardedSet, Interval, Number, Single, Symbol, is_truth
from symag.smv.model.typed import Constant, Expression, Operation, VariableReference
from symag.smv.model.types import WordType, bit_count
from symag.smv.symbolic.choices import Operand
from symag.smv.symbolic.encoding import Encoding

#: The equations of a word's bits are joined up to this many nodes, and beyond if that saves nodes.
_LARGE_EQUATION = 1_000
#: The number of bits that are joined before the nodes are counted.
_BITS_JOINED = 8
#: Of the values that an assignment can give outside a type at most this many are compared, to name the first of them.
_MOST_VALUES = 100
#: Of a connective with more operands all are evaluated; of one with fewer, until one of them decides.
_FEW_OPERANDS = 8


class DiagramAlgebra:
    """The diagrams of a context as a ``SignalAlgebra``."""

    def __init__(self, context: BddContext) -> None:
        self.true, self.false = context.true, context.false
        self.exclusive, self.equal, self.choice = context.xor, context.xnor, context.ite

    def negation(self, a: Bdd) -> Bdd:
        """Not a."""
        return ~a

    def conjunction(self, a: Bdd, b: Bdd) -> Bdd:
        """a and b."""
        return a & b

    def disjunction(self, a: Bdd, b: Bdd) -> Bdd:
        """a or b."""
        return a | b

    def all(self, signals: Iterable[Bdd]) -> Bdd:
        """The conjunction of any number of diagrams."""
        return pairwise(self.conjunction, list(signals) or [self.true])

    def any(self, signals: Iterable[Bdd]) -> Bdd:
        """The disjunction of any number of diagrams."""
        return pairwise(self.disjunction, list(signals) or [self.false])


class ExpressionEncoder(ExpressionBlaster):
    """Evaluates the expressions of one system, each at most once until :meth:`forget`.

    With ``trusted`` no error is raised for evaluation that can fail; where it fails the result is arbitrary.
    """

    def __init__(
        self, encoding: Encoding, defines: Mapping[str, Expression], source: SourceText, trusted: bool = False
    ) -> None:
        algebra = DiagramAlgebra(encoding.context)
        variables: dict[tuple[str, bool], Denotation] = {}

        # Not a method: dd would leak its manager with a cycle of references.
        def variable(name: str, primed: bool) -> Denotation:
            if (name, primed) not in variables:
                kind, bits = encoding.variables[name].type, encoding.bits(name, primed)
                variables[name, primed] = values.of_bits(algebra, kind, bits)
            return variables[name, primed]

        super().__init__(algebra, defines, variable)
        self._variables = variables
        self._trusted = trusted
        self._encoding = encoding
        self._context = encoding.context
        self._source = source
        self._comparisons: dict[tuple[object, ...], Evaluated] = {}

    def forget(self) -> None:
        """Release the diagrams of all subexpressions."""
        self._memory.clear()
        self._variables.clear()
        self._comparisons.clear()

    def boolean(self, expression: Expression) -> Bdd:
        """The valuations that satisfy a boolean expression.

        Raises InputError, with the position, if evaluation can fail under some valid valuation.
        """
        value, failures = self.evaluate(expression)
        self._check(failures)
        return value

    def can_fail(self, operand: Operand) -> bool:
        """Whether evaluation of a boolean expression can fail under some valuation, valid or not."""
        return bool(self.evaluate(*operand)[1])

    def diagram(self, operand: Operand) -> Bdd:
        """The valuations that satisfy a boolean expression; the result is arbitrary where its evaluation fails."""
        return self.evaluate(*operand)[0]

    def unchanged(self, variable: str) -> Bdd:
        """``next(variable) = variable``, and the variable has one of its values."""
        now, then = (self._encoding.bits(variable, primed) for primed in (False, True))
        return self._context.conjunction(map(self._context.xnor, now, then)) & self._encoding.valid(variable)

    def assignment(self, variable: str, primed: bool, expression: Expression) -> Bdd:
        """``variable in expression``, the variable read in the next state when ``primed``.

        Raises InputError if evaluation can fail or give a value outside the variable's type.
        """
        return self._context.conjunction(self.assignment_in_parts(variable, primed, expression))

    def assignment_in_parts(self, variable: str, primed: bool, expression: Expression) -> Sequence[Bdd]:
        """As ``assignment``, but the equations of a word's bits are joined only if that costs few nodes.

        The equations of single bits may be small where that of the whole word is large, if they read different bits.
        """
        value, failures = self.evaluate(expression)
        self._check(failures)
        kind = self._encoding.variables[variable].type
        lacking = () if self._trusted else values.outside(self._algebra, kind, value)
        wrong = [str(one) for condition, element in lacking for one in self._values(self._possible(condition), element)]
        if wrong:
            message = f"cannot assign value {min(wrong)} to variable {variable}"
            raise self._source.error(message, expression.position)
        if isinstance(value, GuardedSet):
            inside = self._encoding.valid(variable, primed)  # other patterns are read as some value too
            return [values.member(self._algebra, self._variable(variable, primed), value) & inside]
        bits, _ = values.index_bits(self._algebra, kind, value, bit_count(kind))
        equations = list(map(self._context.xnor, self._encoding.bits(variable, primed), bits))
        if not isinstance(kind, WordType):
            return [self._context.conjunction(equations) & self._encoding.valid(variable, primed)]
        size = self._context.size
        parts: list[Bdd] = []
        for start in range(0, len(equations), _BITS_JOINED):
            some = self._context.conjunction(equations[start:][:_BITS_JOINED])
            joined = parts[-1] & some if parts else some
            if parts and size(joined) > max(_LARGE_EQUATION, size(parts[-1]) + size(some)):
                parts.append(some)
            else:
                parts[-1:] = [joined]
        return parts

    def _check(self, failures: Iterable[Failure]) -> None:
        for failure in () if self._trusted else failures:
            if self._possible(failure.condition) != self._context.false:
                raise self._source.error(failure.message, failure.position)

    def _possible(self, condition: Bdd) -> Bdd:
        """The valuations that satisfy a condition and give every variable in it a value."""
        now, then = self._encoding.variables_in(condition)
        for names, primed in ((now, False), (then, True)):
            for name in sorted(names):
                condition = condition & self._encoding.valid(name, primed)
        return condition

    def _values(self, where: Bdd, element: Single | Interval) -> Iterator[int | str]:
        """Values that an integer or symbolic constant has somewhere in a set of valuations."""
        false = self._context.false
        if where == false:
            return
        if isinstance(element, Interval):
            yield from range(element.low, min(element.high + 1, element.low + _MOST_VALUES))
            return
        names = element.names if isinstance(element, Symbol) else {}
        yield from (name for name, here in names.items() if where & here != false)
        bits = element.bits if isinstance(element, Number) else element.number
        numbers = [(where & ~self._context.disjunction(names.values()), 0)]
        for index, bit in enumerate(bits):
            weight = -1 << index if index + 1 == len(bits) else 1 << index
            halves = [half for one, number in numbers for half in ((one & ~bit, number), (one & bit, number + weight))]
            numbers = [half for half in halves if half[0] != false][:_MOST_VALUES]
        yield from (number for one, number in numbers if one != false)

    def _needed(self, expression: Operation, primed: bool) -> Sequence[Expression]:
        """What decides the value: most often all operands, but FALSE decides ``and``, TRUE ``or``, and of a choice the
        conditions up to a TRUE one count, with the branches that can be taken; the last one if none can.

        A value that is never taken is not encoded: it may be an array read at any index, which is large.
        """
        operands = expression.operands
        if expression.operator in ("and", "or") and len(operands) <= _FEW_OPERANDS:
            decisive = self._context.constant(expression.operator == "or")
            for operand in operands:
                evaluated = self._memory.get((operand, primed))
                if evaluated is None:
                    return (operand,)
                value, failures = evaluated
                if not failures and is_truth(value) and value == decisive:
                    return ()
            return ()
        if expression.operator not in CHOICES:
            return operands
        remaining = self._context.true
        taken = []
        conditions, branches = operands[::2], operands[1::2]
        for number, (condition, branch) in enumerate(zip(conditions, branches, strict=True)):
            evaluated = self._memory.get((condition, primed))
            if evaluated is None:
                # Twice as many each time: each call starts again, and the sum of all calls stays linear.
                return conditions[number : 2 * number + 1]
            holds = evaluated[0]
            if remaining & holds != self._context.false:
                taken.append(branch)
            remaining = remaining & ~holds
            if remaining == self._context.false:
                break
        return taken or branches[-1:]

    def _operation(self, expression: Operation, primed: bool, operands: Sequence[Evaluated]) -> Evaluated:
        key = _comparison_of_leaves(expression, primed)
        if key is None:
            return super()._operation(expression, primed, operands)
        if key not in self._comparisons:
            self._comparisons[key] = super()._operation(expression, primed, operands)
        return self._comparisons[key]


def _comparison_of_leaves(expression: Operation, primed: bool) -> tuple[object, ...] | None:
    """A key for ``x = y`` of variables and constants, which large models repeat thousands of times; else None."""
    if expression.operator != "=":
        return None
    leaves: list[object] = []
    for operand in expression.operands:
        if isinstance(operand, VariableReference):
            leaves.append((operand.name, primed or operand.primed))
        elif isinstance(operand, Constant) and not isinstance(operand.type, WordType):
            leaves.append((type(operand.value), operand.value))
        else:
            return None
    return tuple(leaves)
