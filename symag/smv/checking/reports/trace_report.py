"""A trace as it is shown, with the values of DEFINEs, which certify's interpreter computes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symag.core.trace import Trace, Value
from symag.smv.certify.runs.runs import outcomes
from symag.smv.model.flat import FlatSystem, Property, Variable, VariableKind, kind_word
from symag.smv.model.supports import Support, Supports
from symag.smv.model.types import BooleanType, EnumerationType, SetType, Type, VariableType, WordType
from symag.traces.report import Define, Domain, Moment, Purpose, ShownFormula, TraceReport, with_words

if TYPE_CHECKING:
    from symag.traces.page.content import Explanation  # for start-up: few traces become pages

#: The indices of an element of an array of DEFINEs.
# A text, compiled when it is first used: for start-up.
_INDICES = r"(\[-?[0-9]+\])+$"
_DESCRIPTIONS = {"INVARSPEC": "AG alpha Counterexample"}
_UNCHECKED: Mapping[Purpose, str] = {
    "Counterexample": "Counterexample",
    "Simulation": "Simulation Trace",
    "Execution": "BDD Execution",
}


def domain_of(of: Type) -> Domain:
    """How the values of a type are spelled."""
    match of:
        case BooleanType():
            return Domain("boolean")
        case WordType(width, signed):
            return Domain("word", width, signed)
        case EnumerationType():
            return Domain("symbol")
        case SetType(element):
            return domain_of(element)
    return Domain("integer")


def value_text(value: Value, variable_type: VariableType | None) -> str:
    """A value in NuSMV's spelling."""
    return (Domain("integer") if variable_type is None else domain_of(variable_type)).text(value)


#: NuSMV's default prefix of names that its traces do not show (``traces_hiding_prefix``).
HIDDEN = "__"


def trace_report(
    system: FlatSystem,
    trace: Trace,
    checked: Property | None = None,
    *,
    number: int = 1,
    purpose: Purpose = "Counterexample",
    defines: bool = True,
    hidden: str | None = HIDDEN,
    formulas: Sequence[ShownFormula] = (),
    explanation: Explanation | None = None,
) -> TraceReport:
    """A trace as NuSMV 2.6 shows it, in its order: frozen before state variables, then DEFINEs.

    With ``defines`` it evaluates every DEFINE in every step, but not those whose names begin with ``hidden``; that
    costs their size times the number of steps. ``checked`` is the property that the trace refutes.
    """
    shown = sorted(system.variables, key=lambda variable: variable.kind is not VariableKind.FROZEN)
    inputs = [variable for variable in shown if variable.kind is VariableKind.INPUT]
    inputs.sort(key=lambda variable: variable.name == system.selector)
    if checked is None:
        description = _UNCHECKED[purpose]
    else:
        description = _DESCRIPTIONS.get(checked.kind, f"{checked.kind} Counterexample")
    return TraceReport(
        trace,
        _domains(variable for variable in shown if variable.kind is not VariableKind.INPUT),
        _domains(inputs),
        description,
        purpose,
        number,
        system.source.path,
        "" if checked is None else kind_word(checked.kind),
        "" if checked is None else checked.text,
        tuple(_defines(system, trace, hidden)) if defines and system.defines else (),
        tuple(formulas),
        frozenset(variable.name for variable in shown if variable.kind is VariableKind.FROZEN),
        explanation,
    )


def shown_report(system: FlatSystem, trace: Trace, checked: Property | None = None, **how: Any) -> TraceReport:
    """As ``trace_report``, with words in place of the boolean variables that are their bits: for people to read."""
    return with_words(trace_report(system, trace, checked, **how), system.words)


def _domains(variables: Iterable[Variable]) -> dict[str, Domain]:
    return {variable.name: domain_of(variable.type) for variable in variables}


def _defines(system: FlatSystem, trace: Trace, hidden: str | None) -> Iterator[Define]:

    supports = Supports(system)
    shown = [name for name in nusmv_order(system) if hidden is None or not name.startswith(hidden)]
    reads = {name: supports.of(system.defines[name]) for name in shown}
    names = sorted(shown, key=lambda name: _rank(system, reads[name]))
    moments = [_moment(system, reads[name]) for name in names]
    domains = [domain_of(system.defines[name].type) for name in names]
    columns: list[list[str | None]] = [[] for _ in names]
    for number, row in outcomes(system, [system.defines[name] for name in names], trace):
        is_left = trace.after(number) is not None
        for moment, domain, column, outcome in zip(moments, domains, columns, row, strict=True):
            column.append(_text(outcome, domain) if is_left or moment == "state" else None)
    for name, moment, domain, column in zip(names, moments, domains, columns, strict=True):
        is_set = isinstance(system.defines[name].type, SetType)
        yield Define(name, moment, Domain("symbol") if is_set else domain, tuple(column))


def _text(outcome: object, domain: Domain) -> str | None:
    """NuSMV's spelling of a value or of a set of values; None for an expression that has no value."""
    if isinstance(outcome, frozenset):
        ordered = sorted(outcome, key=lambda value: (isinstance(value, str), value))
        return ", ".join(domain.text(value) for value in ordered)
    return domain.text(outcome) if isinstance(outcome, bool | int | str) else None


def _rank(system: FlatSystem, read: Support) -> int:
    """NuSMV lists DEFINEs that read the next state after the others: alone, with states, with inputs, with both."""
    kinds = {name in system.inputs for name in read.current}
    return 1 + (False in kinds) + 2 * (True in kinds) if read.next else 0


def _moment(system: FlatSystem, read: Support) -> Moment:
    """Whether an expression with these reads belongs to a state, to the inputs alone, or to a whole transition."""
    kinds = {name in system.inputs for name in read.current}
    if read.next or kinds == {True, False}:
        return "transition"
    return "input" if True in kinds else "state"


def nusmv_order(system: FlatSystem) -> Iterator[str]:
    """DEFINEs as NuSMV lists them: by instance, the outer ones first, each DEFINE section backwards.

    Variables with one value, which are read as DEFINEs, follow those of their instance. The ``running`` of processes
    come last, that of the last process first.
    """
    running: dict[str, str] = {}
    owners: dict[str, str] = {}
    places: dict[str, int] = {}
    keys: dict[str, tuple[int, int, int]] = {}
    for index, name in enumerate(system.defines):
        base = _without_indices(name)
        path = name.rpartition(".")[0]
        if system.selector is not None and base.rpartition(".")[2] == "running":
            running[path] = name
            continue
        owners[name], position, section = system.declared.get(base, (path, -1, sys.maxsize))
        keys[name] = (section, -position, index)
    order = {name: index for index, name in enumerate(system.declared)}
    names = sorted(system.defines, key=lambda name: order.get(_without_indices(name), len(order)))
    for owner in dict.fromkeys(owners.get(name, name.rpartition(".")[0]) for name in names):
        for prefix in _prefixes(owner):
            places.setdefault(prefix, len(places))
    ranks = {owner: [places[prefix] for prefix in _prefixes(owner)] for owner in set(owners.values())}
    yield from sorted(keys, key=lambda name: (ranks[owners[name]], keys[name]))
    for path in sorted(running, key=lambda path: [-places[prefix] for prefix in _prefixes(path)]):
        yield running[path]


def _without_indices(name: str) -> str:
    """The array of DEFINEs of which a DEFINE is an element; of any other its own name."""
    return re.sub(_INDICES, "", name) if name.endswith("]") else name


def _prefixes(path: str) -> list[str]:
    """``a``, ``a.b``, ``a.b.c`` of ``a.b.c``."""
    parts = path.split(".") if path else []
    return [".".join(parts[: depth + 1]) for depth in range(len(parts))]
