"""The formulas and the wires of a certificate by parts as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certificates.diagrams import DiagramTable
from symag.smv.checking.reports.trace_report import value_text
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import BooleanType, VariableType, WordType, bit_count, values

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
