"""A certificate as a witness circuit, for checkers of the hardware model checking competition (HWMCC'24).

The circuit (Yu, Froleyks, Biere, Heljanko, "Stratified certification for k-induction", FMCAD 2022) is the model's graph
with a stronger property that is inductive over one step. Its symbol table gives for each of its inputs and latches the
model's literal: ``l0 = 8`` says that latch 0 is the model's literal 8. For an induction over k steps its latches
remember the k - 1 states before the present one, and how many of them there were; see ``_History``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from symag.core.errors import UnsupportedError
from symag.core.files import has_suffix
from symag.core.values import replace
from symag.smv.aiger.format import Aiger, AigerLatch, SymbolKey
from symag.smv.aiger.reader import parse
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.invariants import Induction, InductiveFacts, InductiveSet
from symag.smv.convert.aiger import AigerExport, to_aiger
from symag.smv.expression_reader import expressions
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of
from symag.smv.symbolic.system import encode


def witness_circuit(system: FlatSystem, checked: Property, certificate: Certificate) -> Aiger:
    """The witness circuit of an invariant's certificate, over the literals of ``model_literals``.

    Linear in the sizes of the circuit and the certificate, times the steps of an induction. Raises UnsupportedError for
    kinds of certificates that have no such circuit, InputError if evaluation can fail.
    """
    exported, lemmas = _graph(system, checked, certificate)
    gates = _Gates(exported)
    bad = [exported.graph.bad[0], *lemmas]
    steps = 1
    match certificate:
        case Induction(clauses=clauses):
            steps = certificate.steps
            for clause in clauses:
                literals = [exported.bits[name][index] ^ (not value) for name, index, value in clause]
                bad.append(gates.any(literals) ^ 1)
        case InductiveSet(table=table, conjuncts=conjuncts):
            nodes = [0, 1]
            for bit, high, low in table.nodes:
                name, index = table.bits[bit]
                nodes.append(gates.choice(exported.bits[name][index], nodes[high], nodes[low]))
            bad.extend(nodes[conjunct] ^ 1 for conjunct in conjuncts)
    holds = gates.any(bad) ^ 1
    graph = exported.graph
    history = _History(gates, graph, steps)
    property_ = history.property(holds)
    of_model = model_literals(system, exported)
    symbols: dict[SymbolKey, str] = {("i", k): f"= {of_model[literal]}" for k, literal in enumerate(graph.inputs)}
    symbols |= {("l", k): f"= {of_model[latch.literal]}" for k, latch in enumerate(graph.latches)}
    circuit = Aiger(
        maximum=gates.next_number - 1,
        inputs=graph.inputs,
        latches=(*graph.latches, *history.latches),
        outputs=(),
        ands=tuple(gates.ands),
        bad=(property_ ^ 1,),
        constraints=graph.constraints,
        symbols=symbols,
        comments=(f"WITNESS {checked.name or checked.text} {system.source.path}",),
    )
    return _in_order(circuit)


def model_literals(system: FlatSystem, exported: AigerExport) -> Mapping[int, int]:
    """The literals of inputs and latches in the model's file, by those in its export.

    The model's file is an AIGER model's own file, or the one that ``symag convert`` writes of another model.
    """
    graph = exported.graph
    path = system.source.path
    if not has_suffix(path, (".aig", ".aag")):
        return {literal: literal for literal in graph.leaves}
    if system.inverted:
        raise UnsupportedError("witness circuits of models whose names invert inputs or latches")
    file = parse(system.source.file_content, path)
    of_variable = dict(zip((variable.name for variable in system.variables), file.leaves, strict=True))
    return {bits[0]: of_variable[name] for name, bits in exported.bits.items()}


def _graph(system: FlatSystem, checked: Property, certificate: Certificate) -> tuple[AigerExport, tuple[int, ...]]:
    """The model's graph, and the negations of the formulas of the certificate."""
    match certificate:
        case Induction(lemmas=lemmas) if not certificate.distinct:
            texts: Sequence[str] = lemmas
        case InductiveFacts(facts=facts):
            texts = facts
        case InductiveSet():
            texts = certificate.facts.texts
        case Induction():
            raise UnsupportedError("witness circuits of inductions over paths without a repeated state")
        case _:
            raise UnsupportedError(f"witness circuits of certificates of the kind {certificate.kind}")
    if invariant_of(system, checked) is None:
        raise UnsupportedError(f"witness circuits of {checked.kind} properties that are no invariants of states")
    stated = [
        Property(-1, "INVARSPEC", None, text, 0, expression)
        for text, expression in zip(texts, expressions(system, texts), strict=True)
    ]
    exported = to_aiger(system, [replace(checked, kind="INVARSPEC", expression=invariant_of(system, checked)), *stated])
    if not exported.is_total:
        encode(system)  # raises InputError if an evaluation can fail
    return exported, exported.graph.bad[1:]


class _Gates:
    """The gates of an export and further ones."""

    def __init__(self, exported: AigerExport) -> None:
        self.ands = list(exported.ands)
        graph = exported.graph
        self.next_number = len(graph.inputs) + len(graph.latches) + len(self.ands) + 1
        self._known = {(max(a, b), min(a, b)): left for left, a, b in self.ands}

    def latch(self) -> int:
        """A literal for a latch of its own."""
        self.next_number += 1
        return 2 * self.next_number - 2

    def both(self, a: int, b: int) -> int:
        """The conjunction."""
        a, b = max(a, b), min(a, b)
        if b == 0 or a == b ^ 1:
            return 0
        if b == 1 or a == b:
            return a
        if (a, b) not in self._known:
            self._known[a, b] = 2 * self.next_number
            self.ands.append((2 * self.next_number, a, b))
            self.next_number += 1
        return self._known[a, b]

    def all(self, literals: Iterable[int]) -> int:
        """The conjunction of any number."""
        result = 1
        for literal in literals:
            result = self.both(result, literal)
        return result

    def any(self, literals: Iterable[int]) -> int:
        """The disjunction of any number."""
        return self.all(literal ^ 1 for literal in literals) ^ 1

    def choice(self, condition: int, a: int, b: int) -> int:
        """a where the condition is true, b elsewhere."""
        return self.any([self.both(condition, a), self.both(condition ^ 1, b)])

    def equal(self, a: int, b: int) -> int:
        """Whether both are true or both false."""
        return self.choice(a, b, b ^ 1)


@dataclass(slots=True)
class _Past:
    """A past state: a latch that says whether there was one, and the values of the graph's literals in it."""

    there: int
    values: dict[int, int]


class _History:
    """The k - 1 states before the present one, for an induction over k steps.

    ``latches`` hold them: for each whether there was one, and its inputs and latches.
    """

    def __init__(self, gates: _Gates, graph: Aiger, steps: int) -> None:
        self._gates, self._graph = gates, graph
        self._ands = tuple(gates.ands)
        self.latches: list[AigerLatch] = []
        self._states = [_Past(1, {})]
        moving = graph.leaves
        for _ in range(steps - 1):
            newer = self._states[-1]
            past = _Past(gates.latch(), {})
            self.latches.append(AigerLatch(past.there, newer.there))
            for literal in moving:
                past.values[literal] = gates.latch()
                self.latches.append(AigerLatch(past.values[literal], newer.values.get(literal, literal)))
            self._states.append(past)

    def property(self, holds: int) -> int:
        """The property that is inductive over one step if ``holds`` is over as many steps as there are states.

        All past states satisfied ``holds`` and the constraints, each is a successor of the one before, and the first
        one is initial if there were fewer than k - 1.
        """
        gates, graph = self._gates, self._graph
        conditions = [holds]
        if len(self._states) > 1:
            for state in self._states[1:]:
                self._evaluate(state)
        for newer, past in zip(self._states, self._states[1:], strict=False):
            good = [self._in(past, literal) for literal in (holds, *graph.constraints)]
            good += [
                gates.equal(newer.values.get(latch.literal, latch.literal), self._in(past, latch.next))
                for latch in graph.latches
            ]
            good.append(newer.there)
            conditions.append(gates.any([past.there ^ 1, gates.all(good)]))
            starts = [
                newer.values.get(latch.literal, latch.literal) ^ (not latch.reset)
                for latch in graph.latches
                if latch.reset in (0, 1)
            ]
            conditions.append(gates.any([newer.there ^ 1, past.there, gates.all(starts)]))
        return gates.all(conditions)

    def _evaluate(self, state: _Past) -> None:
        for left, a, b in self._ands:
            state.values[left] = self._gates.both(self._in(state, a), self._in(state, b))

    def _in(self, state: _Past, literal: int) -> int:
        positive = literal & ~1
        return literal if positive == 0 else state.values[positive] ^ (literal & 1)


def _in_order(graph: Aiger) -> Aiger:
    """The same graph with inputs, latches and gates numbered in this order, as the binary form needs it."""
    new: dict[int, int] = {0: 0}
    own = [*graph.leaves, *(left for left, _, _ in graph.ands)]
    for number, literal in enumerate(own, start=1):
        new[literal] = 2 * number

    def of(literal: int) -> int:
        return new[literal & ~1] ^ (literal & 1)

    def of_reset(latch: AigerLatch) -> int:
        return latch.reset if latch.reset in (0, 1) else of(latch.reset)

    return replace(
        graph,
        maximum=len(own),
        inputs=tuple(map(of, graph.inputs)),
        latches=tuple(AigerLatch(of(latch.literal), of(latch.next), of_reset(latch)) for latch in graph.latches),
        ands=tuple((of(left), max(of(a), of(b)), min(of(a), of(b))) for left, a, b in graph.ands),
        bad=tuple(map(of, graph.bad)),
        constraints=tuple(map(of, graph.constraints)),
    )
