"""A certificate as text, and as a picture: the parts, and every assumption as an automaton over the I/O variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import BitClause, DiagramTable
from symag.smv.certificates.invariants import (
    Induction,
    InductiveFacts,
    InductiveParts,
    InductiveSet,
    SignalCorrespondence,
)
from symag.smv.certificates.temporal import BoundedFairness, NoFairLasso
from symag.smv.checking.reports.trace_report import value_text
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import BooleanType, VariableType, WordType, bit_count, values
from symag.traces.automata_picture import MOST_STATES, AutomatonLine, DrawnAutomaton, automata_svg

#: A formula with more products than this is shown by its beginning.
MOST_PRODUCTS = 8


class Formulas:
    """Diagrams of one certificate's table as sums of products of values."""

    def __init__(self, system: FlatSystem, table: DiagramTable) -> None:
        self._types = {variable.name: variable.type for variable in system.variables}
        self._table = table

    def text(self, root: int) -> str:
        """``everything``, ``nothing``, or at most MOST_PRODUCTS products such as ``x in {1, 3} & !b``."""
        if root in (0, 1):
            return "everything" if root == 1 else "nothing"
        products = list(islice(self._products(root), MOST_PRODUCTS + 1))
        more = [f"... ({len(self._table.below([root]))} diagram nodes)"] if len(products) > MOST_PRODUCTS else []
        return " | ".join([" & ".join(self._literals(product)) for product in products[:MOST_PRODUCTS]] + more)

    def _products(self, root: int) -> Iterator[tuple[tuple[int, bool], ...]]:
        """Every path from the root to TRUE, as (bit, value) pairs."""
        stack: list[tuple[int, tuple[tuple[int, bool], ...]]] = [(root, ())]
        while stack:
            node, path = stack.pop()
            if node == 1:
                yield path
            elif node > 1:
                bit, high, low = self._table.nodes[node - 2]
                stack.append((low, (*path, (bit, False))))
                stack.append((high, (*path, (bit, True))))

    def _literals(self, product: tuple[tuple[int, bool], ...]) -> list[str]:
        """One text per variable: the values that agree with the product's bits."""
        bits_of: dict[str, dict[int, bool]] = {}
        for bit, value in product:
            name, index = self._table.bits[bit]
            bits_of.setdefault(name, {})[index] = value
        return [_literal(name, self._types.get(name, BooleanType()), bits) for name, bits in bits_of.items()]


def wire_lines(certificate: AssumeGuarantee) -> Iterator[str]:
    """A line for each wire."""
    for name, text in certificate.wires:
        role = " (the property)" if name == certificate.property_wire else ""
        yield f"wire {name}{role} := {text}"


def _literal(name: str, variable_type: VariableType, bits: dict[int, bool]) -> str:
    if isinstance(variable_type, BooleanType):
        return name if bits[0] else f"!{name}"
    if isinstance(variable_type, WordType) and len(bits) < bit_count(variable_type):
        return " & ".join(f"{name}[{index}:{index}] = {int(value)}" for index, value in sorted(bits.items()))
    agreeing = [
        value_text(value, variable_type)
        for code, value in enumerate(values(variable_type))
        if all(bool(code >> index & 1) == bit for index, bit in bits.items())
    ]
    return f"{name} = {agreeing[0]}" if len(agreeing) == 1 else f"{name} in {{{', '.join(agreeing)}}}"


def certificate_lines(system: FlatSystem, certificate: Certificate) -> Iterator[str]:
    """The lines that show a certificate. Formulas are sums of products of I/O values."""
    yield certificate.summary()
    match certificate:
        case InductiveFacts():
            for number, (text, uses) in enumerate(zip(certificate.facts, certificate.uses, strict=True)):
                yield f"  {number}: {text}  (uses {', '.join(map(str, uses)) or 'nothing'})"
        case InductiveParts():
            for number, (roots, uses) in enumerate(zip(certificate.sets, certificate.uses, strict=True)):
                bits = ", ".join(f"{name}.{bit}" for name, bit in certificate.table.support(roots))
                yield f"  {number}: over {bits or 'no bits'}  (uses {', '.join(map(str, uses)) or 'nothing'})"
        case Induction():
            yield from _lemmas(certificate)
            yield from _clauses(certificate.clauses)
        case BoundedFairness() | NoFairLasso() | SignalCorrespondence():
            yield from _clauses(certificate.clauses)
        case InductiveSet():
            yield from certificate.facts.lines()
        case AssumeGuarantee():
            yield from _assume_guarantee(system, certificate)


def _lemmas(certificate: Induction) -> Iterator[str]:
    if not certificate.sufficient_steps:
        yield from (f"  {text}" for text in certificate.lemmas)
        return
    of_property, *of_lemmas = certificate.sufficient_steps
    yield f"  the property  (over {_steps(of_property)})"
    for text, steps in zip(certificate.lemmas, of_lemmas, strict=True):
        yield f"  {text}  (over {_steps(steps)})"


def _steps(number: int) -> str:
    return "1 step" if number == 1 else f"{number} steps"


def _assume_guarantee(system: FlatSystem, certificate: AssumeGuarantee) -> Iterator[str]:
    yield from certificate.facts.lines()
    yield from wire_lines(certificate)
    for number, part in enumerate(certificate.parts):
        yield f"part {number}: {', '.join(part.variables)}"
    for number, assumption in enumerate(certificate.assumptions):
        states = len(assumption.edges)
        yield f"assumption {number}, for part {number}: {states} state{'s' if states > 1 else ''}"
        yield from _automaton(Formulas(system, certificate.table), assumption)


def _clauses(clauses: Iterable[BitClause]) -> Iterator[str]:
    for clause in clauses:
        yield "  " + (" | ".join(f"{'' if value else '!'}{name}.{bit}" for name, bit, value in clause) or "FALSE")


def _automaton(formulas: Formulas, assumption: Assumption) -> Iterator[str]:
    for state, (edges, rejects) in enumerate(zip(assumption.edges, assumption.rejects, strict=True)):
        yield f"  state {state}: forbids {formulas.text(rejects)}"
        for target, label in edges:
            yield f"    to state {target}: {formulas.text(label)}"


def picture(system: FlatSystem, certificate: AssumeGuarantee) -> str:
    """All assumptions of a certificate below each other, as one SVG element."""
    formulas = Formulas(system, certificate.table)
    automata = []
    for number, assumption in enumerate(certificate.assumptions):
        part = ", ".join(certificate.parts[number].variables)
        automata.append(_drawn(formulas, assumption, f"assumption {number}, for part {number}: {part}"))
    return automata_svg(automata, "learned assumptions")


def _drawn(formulas: Formulas, assumption: Assumption, title: str) -> DrawnAutomaton:
    """Each state with what it forbids, and its edges; states in breadth-first order."""
    order = [0]
    for state in order:
        order += [target for target, _ in assumption.edges[state] if target not in order]
    lines = []
    for state in order[:MOST_STATES]:
        forbidden = formulas.text(assumption.rejects[state])
        lines.append(AutomatonLine("forbids " + forbidden, state, emphasised=forbidden != "nothing"))
        for target, label in assumption.edges[state]:
            lines.append(AutomatonLine(formulas.text(label), None, target))
    return DrawnAutomaton(title, tuple(lines), len(order[MOST_STATES:]))


def fragments(certificate: AssumeGuarantee) -> Iterator[str]:
    """The texts beside the picture: the rule, and the wires at which the parts were cut."""
    yield certificate.summary()
    yield from wire_lines(certificate)
