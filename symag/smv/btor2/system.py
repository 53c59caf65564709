"""A BTOR2 model as a flat system, so that everything that SMV models have applies to it.

- A bit-vector of one bit is a boolean, of several an unsigned word; an array is one variable for each element,
  ``name[0]``, ``name[1]``, ...
- A state is a state variable. An input that a property or a constraint reads at the same step is a state variable
  without assignments; every other input is an input variable.
- A bad node b is ``INVARSPEC !b``, a constraint an INVAR, justice j1 .. jn ``LTLSPEC !((G F j1) & .. & (G F jn))``,
  fairness JUSTICE.
- A node with a symbol is a DEFINE of that name. A node that several others read, or that is large, is a DEFINE whose
  name begins with ``__``, which traces do not show, as in NuSMV.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from symag.core.source import SourceText, source_of_file
from symag.smv.btor2 import operators, words
from symag.smv.btor2.format import Array, BitVector, Btor2, Btor2Node, NodeNames, elements, names_of
from symag.smv.btor2.reader import parse
from symag.smv.btor2.words import Memory, negation
from symag.smv.language.recursion import collector_paused
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property, Variable, VariableKind
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import DefineReference, Expression, Operation, VariableReference, not_all_often

#: A node whose expression has more operations than this becomes a DEFINE.
_LARGEST_EXPRESSION = 8
#: All arrays of a model together have at most this many elements, where each write makes a new array.
_MOST_ELEMENTS = 1 << 18


def read(path: str | os.PathLike[str]) -> FlatSystem:
    """Reads a BTOR2 file; raises InputError with line and column."""
    source = source_of_file(os.fspath(path))
    with collector_paused():
        return to_system(parse(source), source)


def to_system(model: Btor2, source: SourceText) -> FlatSystem:
    """The system that a model describes. Linear in its size, where an array counts as its elements.

    Raises InputError for arrays that have too many elements.
    """
    return _System(model, source).result()


class _System:
    def __init__(self, model: Btor2, source: SourceText) -> None:
        self._model = model
        self._source = source
        self._nodes = {node.identifier: node for node in model.nodes}
        self._names: NodeNames = names_of(model)
        self._values: dict[int, Expression | Memory] = {}
        self._negated: dict[int, Expression] = {}
        self._defines: dict[str, Expression] = {}
        self._readers = Counter(abs(operand) for node in model.nodes for operand in node.operands)
        self._warnings: list[str] = []

    def result(self) -> FlatSystem:
        model = self._model
        self._check_sizes()
        for node in model.nodes:
            if node.sort is not None and node.tag not in ("init", "next"):
                self._values[node.identifier] = self._value(node)
            elif node.tag == "output" and node.identifier in self._names.of:
                self._define(self._names.of[node.identifier], self._single(node.operands[0]))
        seen_at_once = self._leaves(
            operand for node in model.having("bad", "constraint", "fair", "justice") for operand in node.operands
        )
        variables = [
            variable
            for node in model.having("input")
            for variable in self._variables(
                node, VariableKind.STATE if node.identifier in seen_at_once else VariableKind.INPUT
            )
        ]
        for node in model.having("state"):
            variables.extend(self._variables(node, VariableKind.STATE))
        assignments = tuple(
            assignment for node in model.having("init", "next") for assignment in self._assignments(node)
        )
        properties = tuple(self._properties())
        if not properties:
            self._warnings.append(f"{self._source.path} has no bad and no justice line: there is nothing to decide")
        return FlatSystem(
            source=self._source,
            variables=tuple(variables),
            defines=self._defines,
            assignments=assignments,
            init=(),
            invar=self._constraints("constraint"),
            trans=(),
            justice=self._constraints("fair"),
            compassion=(),
            properties=properties,
            warnings=tuple(self._warnings),
        )

    def _elements(self, identifier: int) -> list[tuple[str, int]]:
        sort = self._nodes[identifier].sort
        assert sort is not None
        return elements(self._names.of[identifier], sort)

    def _variables(self, node: Btor2Node, kind: VariableKind) -> Iterator[Variable]:
        for name, width in self._elements(node.identifier):
            yield Variable(name, words.type_of_width(width), kind, node.position)

    def _assignments(self, node: Btor2Node) -> Iterator[Assignment]:
        state, value = node.operands
        names, expression = self._elements(state), self._operand(value)
        time: Literal["init", "next"] = "init" if node.tag == "init" else "next"
        values = expression if isinstance(expression, tuple) else (expression,) * len(names)
        for (name, _), element in zip(names, values, strict=True):
            yield Assignment(name, time, element, node.position)

    def _constraints(self, tag: str) -> tuple[Constraint, ...]:
        return tuple(Constraint(self._single(node.operands[0]), node.position) for node in self._model.having(tag))

    def _properties(self) -> Iterator[Property]:
        index = 0
        for node in self._model.having("justice"):
            yield self._property(index, node, not_all_often(map(self._single, node.operands)))
            index += 1
        for node in self._model.having("bad"):
            yield self._property(index, node, negation(self._single(node.operands[0])))
            index += 1

    def _property(self, index: int, node: Btor2Node, expression: Expression) -> Property:
        symbol = None if node.symbol is None else node.symbol.translate(str.maketrans(".[]", "___"))
        name = None if symbol is None else self._names.legal.fresh(symbol, "")
        line = self._source.location(node.position)[0]
        text = expression_text(expression)
        return Property(index, "LTL" if node.tag == "justice" else "INVARSPEC", name, text, line, expression)

    def _value(self, node: Btor2Node) -> Expression | Memory:
        if node.tag in ("input", "state"):
            return self._own(node)
        computed = self._computed(node)
        if isinstance(computed, tuple):
            name = self._names.of.get(node.identifier)
            shared = name is not None or self._readers[node.identifier] > 1
            return tuple(
                self._kept(element, f"{name or f'__n{node.identifier}'}[{number}]", shared)
                for number, element in enumerate(computed)
            )
        name = self._names.of.get(node.identifier)
        if name is not None:
            return self._define(name, computed)
        return self._kept(computed, f"__n{node.identifier}", self._readers[node.identifier] > 1)

    def _own(self, node: Btor2Node) -> Expression | Memory:
        own = tuple(
            VariableReference(name, False, words.type_of_width(width), 0)
            for name, width in self._elements(node.identifier)
        )
        return own if isinstance(node.sort, Array) else own[0]

    def _computed(self, node: Btor2Node) -> Expression | Memory:
        assert node.sort is not None
        if not node.operands:
            assert isinstance(node.sort, BitVector)
            return words.constant(node.numbers[0], node.sort.width)
        first = self._operand(node.operands[0])
        if isinstance(first, tuple) or isinstance(node.sort, Array):
            return self._with_memories(node, first)
        operands = [self._single(operand) for operand in node.operands]
        match node.tag:
            case "slice":
                return words.selection(operands[0], *node.numbers)
            case "uext" | "sext":
                return words.extension(operands[0], node.numbers[0], node.tag == "sext")
            case "ite":
                return words.choice(*operands)
        share = self._sharing(node)
        if node.tag not in _READING_ONCE:
            operands = [share(operand) for operand in operands]
        if node.tag in ("rol", "ror") and words.known(operands[1]) is None:
            line = self._source.location(node.position)[0]
            message = f"line {line}: {node.tag} takes its amount modulo the width, as SMT-LIB does; other tools differ"
            self._warnings.append(message)
        return operators.apply(node.tag, operands, share)

    def _with_memories(self, node: Btor2Node, first: Expression | Memory) -> Expression | Memory:
        rest = [self._operand(operand) for operand in node.operands[1:]]
        share = self._sharing(node)
        match node.tag, first, rest:
            case "read", tuple(), [address]:
                return words.element_at(first, share(_one(address)))
            case "write", tuple(), [address, value]:
                return words.with_element(first, share(_one(address)), share(_one(value)))
            case "ite", _, [tuple() as one, tuple() as other]:
                return words.memory_choice(share(_one(first)), one, other)
            case "eq" | "neq", tuple(), [tuple() as other]:
                same = words.same_memory(first, other)
                return same if node.tag == "eq" else negation(same)
        line = self._source.location(node.position)[0]
        raise AssertionError(f"line {line}: {node.tag} of arrays")

    def _sharing(self, node: Btor2Node) -> operators.Sharing:
        """A function that makes DEFINEs of the node from expressions."""

        def share(expression: Expression) -> Expression:
            if not isinstance(expression, Operation):
                return expression
            return self._define(self._names.legal.fresh(None, f"__n{node.identifier}.part"), expression)

        return share

    def _kept(self, expression: Expression, name: str, shared: bool) -> Expression:
        """The expression itself, or a DEFINE of it if it is large or several nodes read it."""
        if not isinstance(expression, Operation):
            return expression
        if not shared and not _is_large(expression):
            return expression
        return self._define(self._names.legal.fresh(None, name) if name.startswith("__") else name, expression)

    def _define(self, name: str, expression: Expression) -> Expression:
        self._defines[name] = expression
        return DefineReference(name, False, expression.type, 0)

    def _operand(self, operand: int) -> Expression | Memory:
        value = self._values[abs(operand)]
        if operand > 0 or isinstance(value, tuple):
            return value
        if operand not in self._negated:
            self._negated[operand] = negation(value)
        return self._negated[operand]

    def _single(self, operand: int) -> Expression:
        return _one(self._operand(operand))

    def _check_sizes(self) -> None:
        """Raises InputError at the array with which there are too many elements."""
        elements = 0
        for node in self._model.nodes:
            if isinstance(node.sort, Array) and node.tag not in ("init", "next"):
                elements += 1 << node.sort.index
            if elements > _MOST_ELEMENTS:
                message = f"{node.tag}: arrays of more than {_MOST_ELEMENTS} elements together are not supported"
                raise self._source.error(message, node.position)

    def _leaves(self, roots: Iterable[int]) -> set[int]:
        """All nodes that the roots depend on at the same step."""
        seen: set[int] = set()
        stack = [abs(root) for root in roots]
        while stack:
            number = stack.pop()
            if number not in seen:
                seen.add(number)
                stack.extend(map(abs, self._nodes[number].operands))
        return seen


#: Operators whose expressions contain each operand once.
_READING_ONCE = frozenset(
    "not inc dec neg redand redor and nand or nor xor xnor iff implies eq neq concat add sub mul".split()
    + "slt ult slte ulte sgt ugt sgte ugte".split()
)


def _is_large(expression: Expression) -> bool:
    """Whether it has more operations than ``_LARGEST_EXPRESSION``."""
    stack, count = [expression], 0
    while stack and count <= _LARGEST_EXPRESSION:
        node = stack.pop()
        if isinstance(node, Operation):
            count += 1
            stack.extend(node.operands)
    return count > _LARGEST_EXPRESSION


def _one(value: Expression | Memory) -> Expression:
    assert not isinstance(value, tuple)
    return value
