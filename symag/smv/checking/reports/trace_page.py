"""The content of a trace's page besides its values: parts of the property, groups of variables, where to look
first, and the states of assumptions.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from symag.core.errors import CertificationError
from symag.core.trace import Trace, Value
from symag.core.values import replace
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certify.properties import invariant
from symag.smv.certify.runs.runs import outcomes
from symag.smv.checking.reports.trace_core import core_of
from symag.smv.checking.reports.trace_formulas import Part, flat_operands, parts_of, short_text, shown_parts
from symag.smv.checking.reports.trace_lanes import cuts
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.expression_reader import expression
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import DefineReference, Expression, Operation
from symag.smv.model.types import BooleanType, code_of
from symag.traces.page.content import Column, Explanation, Signal
from symag.traces.report import Purpose, TraceReport

#: A dump has the truths of at most this many properties.
_MOST_PROPERTIES = 100


def explained_report(
    system: FlatSystem, checked: Property, trace: Trace, path: str | Path, assumption_runs: Sequence[Sequence[str]]
) -> TraceReport:
    """The report of a counterexample for the page in a file of this name. Raises CertificationError.

    ``assumption_runs`` are the states of assumptions along the trace (``PropertyResult.assumption_runs``).
    """
    parts = parts_of(system, checked, trace)
    step, because = opening(system, checked, trace, parts)
    key = str(checked.index) if checked.name is None else checked.name
    explanation = Explanation(
        shown=step,
        because=because,
        cuts=cuts(system, checked),
        core=core_of(system, checked, trace),
        assumptions=known_runs(assumption_runs, len(trace.steps)),
        command=shlex.join(["symag", "check", system.source.path, "--property", key, "--trace", str(path)]),
    )
    return trace_report(system, trace, checked, formulas=shown_parts(parts), explanation=explanation)


def dumped_report(system: FlatSystem, checked: Property | None, trace: Trace) -> TraceReport:
    """The report of a trace for a dump, with the truth of every property. Raises CertificationError."""
    truths = {}
    for item in system.properties[:_MOST_PROPERTIES]:
        parts = parts_of(system, item, trace)
        if parts:
            truths[item.name or str(item.index)] = (item.text, parts[0].truths)
    purpose: Purpose = "Simulation" if checked is None else "Counterexample"
    return replace(trace_report(system, trace, checked, purpose=purpose), properties=truths)


def run_report(system: FlatSystem, trace: Trace, proof: tuple[Property, AssumeGuarantee] | None) -> TraceReport:
    """The report of a run that answers nothing; with the assumptions of a proof. Raises CertificationError."""
    rows = () if proof is None else assumption_signals(system, *proof, trace)
    explanation = Explanation(cuts=cuts(system, None), assumptions=rows)
    return trace_report(system, trace, purpose="Simulation", explanation=explanation)


_Truths = Mapping[int, tuple[bool | None, ...]]
_LONGEST = 100


def opening(system: FlatSystem, checked: Property, trace: Trace, parts: Sequence[Part]) -> tuple[int, str]:
    """The step, from 0, and the sentence.

    The search starts at the whole property, which is false in the first state, and goes down to a part that is false as
    long as one part makes the whole false: below G (AG) to the first state where its operand is false, below -> to the
    right side, below & to the first operand that is false. Without truths it is the last step, or the first of the
    loop.
    """
    last = len(trace.steps) - 1
    if not parts:
        return (last if trace.loop is None else trace.loop), ""
    truths = {id(part.expression): part.truths for part in parts}
    formula, step = parts[0].expression, 0
    if checked.kind == "INVARSPEC":
        step = next((k for k, truth in enumerate(parts[0].truths) if truth is False), last)
    elif checked.kind not in ("LTL", "PSL", "CTL"):
        return last, ""
    while (blamed := _blamed(system, formula, step, trace, truths)) is not None:
        formula, step = blamed
    if formula is parts[0].expression and step == 0 and parts[0].truths[0] is not False:
        return (last if trace.loop is None else trace.loop), ""
    text = short_text(formula)
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
    beyond = " and will not become true" if _is_promise(formula) else ""
    return step, f"{shown} is false in state {step + 1}{beyond}"


def _blamed(
    system: FlatSystem, formula: Expression, step: int, trace: Trace, truths: _Truths
) -> tuple[Expression, int] | None:
    """The part that makes a formula false in a step, and where; None if it is not one part."""
    if isinstance(formula, DefineReference) and not formula.primed:
        return _if_false(system.defines[formula.name], step, truths)
    if not isinstance(formula, Operation):
        return None
    operands = formula.operands
    match formula.operator:
        case "G" | "AG" if len(operands) == 1:
            where = (k for k in trace.steps_from(step) if truths.get(id(operands[0]), ())[k : k + 1] == (False,))
            violated_at = next(where, None)
            return None if violated_at is None else (operands[0], violated_at)
        case "implies":
            return _if_false(operands[1], step, truths)
        case "and":
            false_parts = (_if_false(operand, step, truths) for operand in flat_operands(formula))
            return next((part for part in false_parts if part is not None), None)
        case "X" | "AX":
            after = trace.after(step)
            return None if after is None else _if_false(operands[0], after, truths)
    return None


def _if_false(formula: Expression, step: int, truths: _Truths) -> tuple[Expression, int] | None:
    known = truths.get(id(formula))
    return (formula, step) if known is not None and known[step] is False else None


def _is_promise(formula: Expression) -> bool:
    return isinstance(formula, Operation) and formula.operator in ("F", "AF", "EF")


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
