"""An and-inverter graph as a flat system, so that everything that SMV models have applies to it.

- A latch is a boolean state variable, a gate a DEFINE whose name begins with ``__``, which traces do not show, as in
  NuSMV. An input that a property or a constraint reads at the same step is a state variable without assignments; every
  other input is an input variable.
- A bad literal b is ``INVARSPEC !b``. In a file without bad and justice properties the outputs are bad literals, as in
  the older format. A constraint is an INVAR.
- A justice property j1 .. jn is ``LTLSPEC !((G F j1) & .. & (G F jn))``, and fairness is JUSTICE.

Names are those of the symbol table and of Yosys' maps (``bit_names``); characters that SMV does not allow become ``_``.
A latch whose name says that it is the negation of a bit becomes a variable with the value of that bit. Complete words
are the system's ``words``, or, if some bits are gates, DEFINEs.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Collection, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from symag.core.input_files import content_of_model
from symag.core.source import SourceText
from symag.core.values import replace
from symag.smv.aiger.bit_names import BitName, bit_names, symbol_names
from symag.smv.aiger.format import Aiger, SymbolKey
from symag.smv.aiger.reader import parse
from symag.smv.model.bit_of_value import joined
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property, PropertyKind, Variable, VariableKind
from symag.smv.model.gates import GateDefines, Gates
from symag.smv.model.legal_names import LegalNames
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import BOOLEAN, Expression, not_all_often


def read(path: str | os.PathLike[str]) -> FlatSystem:
    """Reads an AIGER file, ``.aag`` or ``.aig``; raises InputError with the line or the byte."""
    name = os.fspath(path)
    content = content_of_model(name)
    graph = parse(content, name)
    text = content.decode("utf-8", "replace") if content.startswith(b"aag") else ""
    first_line = 2 + (len(graph.inputs) if text else 0) + len(graph.latches)
    return to_system(graph, SourceText.of(name, text, content), first_line, bit_names(graph, name))


def to_system(
    graph: Aiger, source: SourceText, first_line: int = 0, named: Mapping[SymbolKey, tuple[BitName, ...]] | None = None
) -> FlatSystem:
    """The system that a graph describes; ``first_line`` is where its outputs begin. Linear.

    ``named`` are the names of inputs, latches and outputs; None: those of the symbol table.
    """
    return _System(graph, source, first_line, symbol_names(graph) if named is None else named).result()


class _System:
    def __init__(
        self, graph: Aiger, source: SourceText, first_line: int, named: Mapping[SymbolKey, tuple[BitName, ...]]
    ) -> None:
        self._graph = graph
        self._source = source
        self._first_line = first_line
        self._named = named
        #: Words that are shown in the place of their bits.
        self._whole: set[str] = set()
        #: Latches that are the negation of their variables.
        self._inverted: set[int] = set()
        names = LegalNames()
        self._variables: dict[int, str] = {}
        self._leaf_of: dict[SymbolKey, int] = {("i", number): literal for number, literal in enumerate(graph.inputs)}
        self._leaf_of |= {("l", number): latch.literal for number, latch in enumerate(graph.latches)}
        for (letter, number), literal in self._leaf_of.items():
            first, *_ = named.get((letter, number), (None,))
            self._variables[literal] = names.fresh(None if first is None else first.text, f"{letter}{number}")
            if first is not None and first.inverted:
                self._inverted.add(literal)
        self._names = names
        self._gates = gates_of_graph(graph, self._variables, self._inverted, names.numbered("__a"))
        self._node_of = nodes_by_number(graph, self._gates)

    def result(self) -> FlatSystem:
        graph = self._graph
        judged = (*self._bad().values(), *graph.constraints, *graph.fairness)
        seen_at_once = self._leaves((*judged, *(literal for literals in graph.justice for literal in literals)))
        words = self._words()
        for literals in words.values():
            if seen_at_once.intersection(literals):
                seen_at_once.update(literals)
        variables = [
            Variable(
                self._variables[literal],
                BOOLEAN,
                VariableKind.STATE if literal in seen_at_once else VariableKind.INPUT,
                0,
            )
            for literal in graph.inputs
        ]
        assignments: list[Assignment] = []
        for latch in graph.latches:
            name = self._variables[latch.literal]
            variables.append(Variable(name, BOOLEAN, VariableKind.STATE, 0))
            inverted = int(latch.literal in self._inverted)
            if latch.reset != latch.literal:
                assignments.append(Assignment(name, "init", self._of(latch.reset ^ inverted), 0))
            assignments.append(Assignment(name, "next", self._of(latch.next ^ inverted), 0))
        return FlatSystem(
            source=self._source,
            variables=tuple(variables),
            defines=GateDefines(self._gates, self._shown_words()),
            assignments=tuple(assignments),
            init=(),
            invar=tuple(Constraint(self._of(literal), 0) for literal in graph.constraints),
            trans=(),
            justice=tuple(Constraint(self._of(literal), 0) for literal in graph.fairness),
            compassion=(),
            properties=tuple(self._properties()),
            words={
                word: tuple(self._variables[literal & ~1] for literal in literals) for word, literals in words.items()
            },
            inverted=frozenset(self._variables[literal] for literal in self._inverted),
        )

    def _words(self) -> dict[str, tuple[int, ...]]:
        """The words of which every bit is an input, or every bit is a latch: their literals, the lowest first."""
        words: dict[tuple[str, str], dict[int, int]] = {}
        for (letter, number), literal in self._leaf_of.items():
            name = self._named.get((letter, number), (None,))[0]
            if name is not None and name.index is not None:
                words.setdefault((letter, name.word), {})[name.index] = literal
        complete = {key: bits for key, bits in words.items() if len(bits) > 1 and max(bits) == len(bits) - 1}
        self._whole = {word for _, word in complete}
        return {
            self._names.fresh(word, ""): tuple(bits[index] for index in range(len(bits)))
            for (_, word), bits in complete.items()
        }

    def _shown_words(self) -> dict[str, Expression]:
        """DEFINEs for the other names: outputs, second names, and words some of whose bits are gates."""
        graph = self._graph
        literals = dict(self._leaf_of)
        if graph.bad or graph.justice:
            literals |= {("o", number): literal for number, literal in enumerate(graph.outputs)}
        bits: dict[str, dict[int, int]] = {}
        lone: dict[str, int] = {}
        for key, names in self._named.items():
            for k, name in enumerate(names):
                if key in literals and name.index is not None:
                    bits.setdefault(name.word, {})[name.index] = literals[key] ^ name.inverted
                elif key in literals and (k or key[0] == "o"):
                    lone[name.word] = literals[key] ^ name.inverted
        shown = {self._names.fresh(name, ""): self._of(literal) for name, literal in lone.items()}
        for word, literal_of in bits.items():
            if word not in self._whole and len(literal_of) > 1 and max(literal_of) == len(literal_of) - 1:
                value = joined([self._of(literal_of[index]) for index in range(len(literal_of))])
                shown[self._names.fresh(word, "")] = value
        return shown

    def _bad(self) -> Mapping[int, int]:
        """Bad literals by the line that they stand on."""
        graph = self._graph
        if graph.bad or graph.justice:
            return {self._first_line + len(graph.outputs) + k: literal for k, literal in enumerate(graph.bad)}
        return {self._first_line + k: literal for k, literal in enumerate(graph.outputs)}

    def _properties(self) -> Iterable[Property]:
        graph = self._graph
        line = self._first_line + len(graph.outputs) + len(graph.bad) + len(graph.constraints)
        for number, literals in enumerate(graph.justice):
            # Without literals the fairness alone has to hold, which is the literal 1.
            never = not_all_often(map(self._of, literals or (1,)))
            yield self._property(number, "LTL", graph.symbols.get(("j", number)), never, line + number)
        letter = "b" if graph.bad or graph.justice else "o"
        for number, (position, literal) in enumerate(self._bad().items()):
            mapped = self._named.get((letter, number), ())
            name = graph.symbols.get((letter, number)) or (mapped[0].text if mapped and letter == "b" else None)
            yield self._property(len(graph.justice) + number, "INVARSPEC", name, self._of(literal ^ 1), position)

    def _property(
        self, index: int, kind: PropertyKind, name: str | None, expression: Expression, line: int
    ) -> Property:
        shown = None if name is None else self._names.fresh(re.sub(r"[.\[\]]", "_", name), "")
        return Property(index, kind, shown, expression_text(expression), line, expression)

    def _of(self, literal: int) -> Expression:
        inverted = (literal & ~1) in self._inverted
        return self._gates.expression(self._node(literal) << 1 | (literal & 1) ^ inverted)

    def _node(self, literal: int) -> int:
        return self._node_of[literal >> 1] if self._node_of is not None else literal >> 1

    def _leaves(self, roots: Iterable[int]) -> set[int]:
        """The inputs and latches that the roots depend on at the same step."""
        gates = self._gates
        nodes = gates.new_nodes([self._node(root) for root in roots], gates.fresh_marks())
        names = set(gates.variable_names(nodes))
        return {literal for literal, name in self._variables.items() if name in names}


def gates_of_graph(graph: Aiger, variables: Mapping[int, str], inverted: Collection[int], prefix: str) -> Gates:
    """``variables`` are the names of inputs and latches by literal; those ``inverted`` stand for their negation.

    Linear. A gate has its name of ``prefix`` and its number in the graph.
    """
    rows, leaves = graph.rows, list(variables)
    canonical = graph.is_canonical()
    if not canonical:
        rows = rows[_order(graph)]
        node_of = _renumbering(leaves, rows)
        operands = np.array([node_of[number] for number in (rows[:, 1:] >> 1).reshape(-1).tolist()], dtype=np.int64)
        rows = np.column_stack([rows[:, 0], operands.reshape(-1, 2) << 1 | rows[:, 1:] & 1])
    sign = np.zeros(1 + len(leaves) + len(rows), dtype=np.int64)
    for number, literal in enumerate(leaves, start=1):
        sign[number] = literal in inverted
    first, second = (column ^ sign[column >> 1] for column in (rows[:, 1], rows[:, 2]))
    numbers = (rows[:, 0] >> 1).tolist()
    gates = Gates(
        tuple(variables.values()),
        array("i", first.astype(np.int32).tobytes()),
        array("i", second.astype(np.int32).tobytes()),
        bytearray(),
        prefix,
        range(len(leaves) + 1, len(leaves) + 1 + len(rows)) if canonical else numbers,
        None if canonical else {number: gate for gate, number in enumerate(numbers)},
    )
    nodes = nodes_by_number(graph, gates)
    border = 1 + len(leaves)
    roots = [root >> 1 if nodes is None else nodes[root >> 1] for root in graph.roots()]
    marks = gates.fresh_marks()
    gates.new_nodes(roots, marks)
    return replace(gates, used=marks[border:])


def nodes_by_number(graph: Aiger, gates: Gates) -> Mapping[int, int] | None:
    """The nodes of the graph's numbers; None where they are equal."""
    if gates.gate_of is None:
        return None
    leaves = graph.leaves
    return {
        0: 0,
        **{literal >> 1: number for number, literal in enumerate(leaves, start=1)},
        **{number: 1 + len(leaves) + gate for number, gate in gates.gate_of.items()},
    }


def _renumbering(leaves: list[int], rows: NDArray[np.int64]) -> Mapping[int, int]:
    known = {0: 0, **{literal >> 1: number for number, literal in enumerate(leaves, start=1)}}
    known.update({number: 1 + len(leaves) + gate for gate, number in enumerate((rows[:, 0] >> 1).tolist())})
    return known


def _order(graph: Aiger) -> list[int]:
    """The gates, operands before those that read them, by number where that is one; they depend on no circle."""
    rows = graph.rows
    place = {left: index for index, left in enumerate(rows[:, 0].tolist())}
    below = (rows[:, 1:] & ~np.int64(1)).tolist()
    done = bytearray(len(rows))
    order = []
    for start in np.argsort(rows[:, 0]).tolist():
        stack = [start]
        while stack:
            top = stack[-1]
            missing = [place[operand] for operand in below[top] if operand in place and not done[place[operand]]]
            if done[top] or missing:
                stack.pop() if done[top] else stack.extend(missing)
                continue
            done[top] = 1
            order.append(top)
            stack.pop()
    return order
