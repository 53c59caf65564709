"""The states that learned assumptions go through along a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.errors import CertificationError
from symag.core.trace import Trace, Value
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.certificates.diagrams import DiagramTable
from symag.smv.certify.properties import invariant
from symag.smv.certify.runs.runs import outcomes
from symag.smv.expression_reader import expression
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.types import BooleanType, code_of
from symag.traces.page.content import Column, Signal

GROUP = "Assumptions: the state that reads this state of the run"
#: The text for an assumption that cannot reject any more.
FREE = "free"
REJECTS = "rejects"


def assumption_signals(
    system: FlatSystem, checked: Property, certificate: AssumeGuarantee, trace: Trace
) -> tuple[Signal, ...]:
    """A row for each assumption: its state before it reads each state of the run.

    ``free``: it cannot reject any more. A state with ``rejects`` behind it forbids the letter that it reads.
    Raises CertificationError for a property that is no invariant, or a value that is missing.
    """
    safe = invariant(system, checked)
    if safe is None:
        raise CertificationError(f"{checked.text[:200]} is not an invariant of states: no assumption is about it")
    wires = [name for name, _ in certificate.wires]
    read = [safe, *(expression(system, text) for _, text in certificate.wires)]
    letters = []
    for step, (_, row) in zip(trace.steps, outcomes(system, read, trace), strict=True):
        truths = (value is True for value in row[1:])
        values = {**step.state, **step.inputs, **dict(zip(wires, truths, strict=True))}
        letters.append((row[0] is True, dict(_bits(system, values, certificate.table))))
    return tuple(
        Signal(f"assumption {number}", "assumption", GROUP, _states(certificate.table, assumption, letters))
        for number, assumption in enumerate(certificate.assumptions)
    )


def known_runs(runs: Sequence[Sequence[str]], steps: int) -> tuple[Signal, ...]:
    """A row for each assumption whose states are known up to the violation."""
    return tuple(
        Signal(f"assumption {number}", "assumption", GROUP, (*run, *[FREE] * (steps - len(run)))[:steps])
        for number, run in enumerate(runs)
    )


def _states(
    table: DiagramTable, assumption: Assumption, letters: Sequence[tuple[bool, Mapping[tuple[str, int], bool]]]
) -> Column:
    state: int | None = 0
    texts = []
    for is_safe, bits in letters:
        if state is None:
            texts.append(FREE)
        elif not is_safe:
            texts.append(f"{state} {REJECTS}" if _holds(table, assumption.rejects[state], bits) else str(state))
            state = None  # no assumption reads on after an unsafe letter
        else:
            texts.append(str(state))
            state = next((target for target, label in assumption.edges[state] if _holds(table, label, bits)), None)
    return tuple(texts)


def _holds(table: DiagramTable, node: int, bits: Mapping[tuple[str, int], bool]) -> bool:
    while node >= 2:
        bit, high, low = table.nodes[node - 2]
        node = high if bits[table.bits[bit]] else low
    return node == 1


def _bits(
    system: FlatSystem, values: Mapping[str, Value], table: DiagramTable
) -> Iterator[tuple[tuple[str, int], bool]]:
    """The bits of the table; a wire is a truth value."""
    for name, index in table.bits:
        if name not in values:
            # An input has no value in the last state: any value will do, because nothing reads it there.
            yield (name, index), False
            continue
        variable = system.by_name.get(name)
        kind = BooleanType() if variable is None else variable.type
        yield (name, index), bool(code_of(kind, values[name]) >> index & 1)
