"""Decides properties with symag's methods and prints NuSMV's lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.model import SessionModel
from symag.cli.nusmv.properties import PropertyDatabase, PropertyEntry
from symag.cli.nusmv.reports import counterexample_report, plugin_lines
from symag.cli.nusmv.streams import Streams
from symag.core.limits import Limits, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.tables import AUTO
from symag.core.trace import Trace
from symag.core.values import replace
from symag.process.decisions import answered
from symag.smv.checking.check import DeciderAndJudge, PropertyInquiry
from symag.smv.checking.methods import METHODS
from symag.smv.checking.portfolio.contest import Contest
from symag.smv.methods.options import SmvOptions
from symag.smv.model.dependencies import cone_of_influence
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Operation
from symag.traces.report import TraceReport

_UNTRUSTED = "This might make results of model checking not trustable."
#: Systems with at most this many bits are searched for fair states if no method has done so.
_SMALL = 20


@dataclass(slots=True)
class Traces:
    """All traces of a session, numbered from 1, as they are shown and as values."""

    shown: list[TraceReport] = field(default_factory=list)
    raw: list[Trace] = field(default_factory=list)

    @property
    def next_number(self) -> int:
        """The number of the next trace."""
        return len(self.shown) + 1

    def add(self, shown: TraceReport, raw: Trace) -> None:
        """Add a trace, as it is shown and as a value."""
        self.shown.append(shown)
        self.raw.append(raw)

    def replace(self, number: int, shown: TraceReport, raw: Trace) -> None:
        """Replace a trace that has grown."""
        self.shown[number - 1] = shown
        self.raw[number - 1] = raw


def show_counterexample(
    entry: PropertyEntry,
    trace: Trace,
    system: FlatSystem,
    environment: Environment,
    streams: Streams,
    traces: Traces,
    description: str | None = None,
) -> None:
    """Print a counterexample, and keep it among the traces of the session."""
    entry.trace = number = traces.next_number
    shown = counterexample_report(system, trace, entry.subject, number, environment)
    if description is not None:
        shown = replace(shown, description=description)
    traces.add(shown, trace)
    streams.line("-- as demonstrated by the following execution sequence")
    streams.lines(plugin_lines(shown, system, environment, environment.number("default_trace_plugin")))


class Checker:
    """Decides the properties of one model; ``undecided`` counts those without an answer.

    ``close()`` ends the process that keeps the results of earlier searches.
    """

    def __init__(
        self,
        model: SessionModel,
        database: PropertyDatabase,
        environment: Environment,
        streams: Streams,
        traces: Traces,
    ) -> None:
        self.undecided = 0
        self._model = model
        self._system = model.system
        self._environment = environment
        self._streams = streams
        self._traces = traces
        # All commands share one contest for the model's own properties, which keeps its results.
        self._properties = tuple(entry.subject for entry in database.entries)
        self._contest: Contest | None = None
        self._with_evidence = False
        self._initial_warned = False
        self._fair: bool | None = None

    def check(self, entries: Iterable[PropertyEntry]) -> None:
        """Decide the properties that are not decided yet, and print each answer as soon as it is known.

        Raises CommandError for errors in the model, with NuSMV's text.
        """
        unchecked = [entry for entry in entries if entry.status == "Unchecked"]
        if unchecked:
            self._warn_before_checking()
        for entry in unchecked:
            if self._environment.enabled("ag_only_search") and entry.subject.kind == "CTL" and not _is_ag(entry):
                self._streams.warning(f"The specification {entry.shown}  ", "is not an AG-only formula: Skipped")
                continue
            if self._environment.number("verbose_level") > 0:
                self._streams.error(f"evaluating {self._worded(entry)} ")
            self._report(entry, self._decide(entry.subject))

    def in_order(self, entries: list[PropertyEntry]) -> list[PropertyEntry]:
        """The properties in NuSMV's order: those with few variables in their cone of influence first."""
        if not self._environment.enabled("use_coi_size_sorting"):
            return entries
        return sorted(entries, key=self._cone_size)

    def _cone_size(self, entry: PropertyEntry) -> int:
        """The number of variables in the cone of influence, fairness included."""
        item = entry.subject
        expression = item.expression if item.expression is not None else item.sequences
        if expression is None:
            return len(self._system.variables)
        cone = cone_of_influence(self._system, expression, fairness=True)
        return len(cone.variables)

    def close(self) -> None:
        """End the child processes that still search."""
        if self._contest is not None:
            self._contest.close()
            self._contest = None

    def warn_of_empty_initial_states(self, again: bool = False) -> None:
        """NuSMV's warning, once, or ``again``."""
        if again or not self._initial_warned:
            self._initial_warned = True
            self._streams.warning("The initial states set of the finite state machine is empty.", _UNTRUSTED)

    def warn_of_empty_sets(self, again: bool = False) -> None:
        """NuSMV's warning if no state satisfies INVAR or none is initial, once or ``again``. Raises CommandError."""
        states = self._model.state_sets(self._environment)
        # In this order: without initial values the states may be a larger diagram.
        if not states.initial_is_empty():
            return
        if states.invariant_is_empty():
            if again or not self._initial_warned:
                self._streams.warning("The states set of the finite state machine is empty.", _UNTRUSTED)
            self._initial_warned = True
        else:
            self.warn_of_empty_initial_states(again)

    def warn_of_empty_fair_states(self) -> None:
        """NuSMV's warning, every time."""
        self._streams.warning("Fair states set of the finite state machine is empty.", _UNTRUSTED)

    def _decide(self, item: Property) -> PropertyResult:
        if item in self._properties:
            if self._certifies() is not self._with_evidence:
                self.close()
            if self._contest is None:
                self._with_evidence = self._certifies()
                self._contest = self._contest_of(self._properties)
            return self._raced(self._contest, self._properties.index(item))
        added = self._contest_of((item,))
        try:
            return self._raced(added, 0)
        finally:
            added.close()

    def _contest_of(self, properties: tuple[Property, ...]) -> Contest:
        return Contest(self._system, properties, AUTO, self._options(), METHODS, memory=None)

    def _raced(self, contest: Contest, position: int) -> PropertyResult:
        with self._model.errors_worded():
            inquiry = PropertyInquiry(self._system, contest, position, Limits(), DeciderAndJudge())
            ((_, result),) = answered(inquiry, Limits(), self._certifies(), no_progress)
            return result

    def _certifies(self) -> bool:
        return self._environment.enabled("symag_certify")

    def _options(self) -> SmvOptions:
        return SmvOptions(order_file=self._environment.text("input_order_file"), evidence=self._certifies())

    def _report(self, entry: PropertyEntry, result: PropertyResult) -> None:
        if any("initial states is empty" in warning for warning in result.warnings):
            self.warn_of_empty_initial_states()
        if entry.subject.kind == "CTL" and self._fair_states_are_empty(result):
            self.warn_of_empty_fair_states()
        streams = self._streams
        worded = self._worded(entry)
        if entry.subject.text.startswith("MAX"):
            self._warn_of_empty_compute(result)
        match result.verdict:
            case Verdict.HOLDS:
                entry.status = "True"
                streams.line(f"-- {worded} is true")
            case Verdict.VIOLATED:
                entry.status = "False"
                streams.line(f"-- {worded} is false")
                if self._environment.enabled("counter_examples") and result.trace is not None:
                    show_counterexample(entry, result.trace, self._system, self._environment, streams, self._traces)
            case Verdict.COMPUTED:
                entry.status = "Number"
                entry.value = result.value
                streams.line(f"-- {worded} is {result.value}")
            case Verdict.UNKNOWN:
                self.undecided += 1
                streams.error(f"symag: not decided ({result.reason}): {worded} is unknown")
        if self._certifies() and _lacks_proof(result):
            streams.error(f"symag: not certified: {worded} ")
        streams.flush()

    def _worded(self, entry: PropertyEntry) -> str:
        return entry.worded(self._environment.text("prop_print_method"))

    def _warn_of_empty_compute(self, result: PropertyResult) -> None:
        """NuSMV's warnings about empty sets of MAX."""
        if self._fair_states_are_empty(result):
            self._streams.error("Warning: fair states are empty. Check FSM totality with check_fsm.")
        for which, word in (("first", "initial"), ("second", "final")):
            if any(warning.endswith(f"satisfies the {which} formula") for warning in result.warnings):
                self._streams.error(f"Warning: in COMPUTE {word} state is empty")

    def _warn_before_checking(self) -> None:
        """NuSMV's warnings when the model is built; for a large system the warning comes with an answer."""
        if self._initial_warned or not (self._system.init or self._system.invar) or not _is_small(self._system):
            return
        self.warn_of_empty_sets()

    def _fair_states_are_empty(self, result: PropertyResult) -> bool:
        """Whether the method has reported this; if it has not checked, small systems are searched once."""
        if any(f"{which} states is empty" in warning for which in ("fair", "initial") for warning in result.warnings):
            return True
        if result.verdict is Verdict.VIOLATED or not _may_lack_fair_states(self._system):
            return False
        if self._fair is None:
            states = self._model.state_sets(self._environment)
            self._fair = states.has_fair_states(self._environment.enabled("forward_search"))
        return not self._fair


def _lacks_proof(result: PropertyResult) -> bool:
    return result.verdict in (Verdict.HOLDS, Verdict.VIOLATED) and not result.certified


def _may_lack_fair_states(system: FlatSystem) -> bool:
    return bool(system.justice or system.compassion or system.trans or system.invar) and _is_small(system)


def _is_small(system: FlatSystem) -> bool:
    # For start-up: most sessions do not need it.
    from symag.smv.model.types import bit_count

    return sum(bit_count(variable.type) for variable in system.variables) <= _SMALL


def _is_ag(entry: PropertyEntry) -> bool:
    """Whether NuSMV's search for AG accepts the property: AG of a formula without temporal operators."""
    expression = entry.subject.expression
    if not isinstance(expression, Operation) or expression.operator != "AG":
        return False
    # For start-up: sessions that ask for nothing like it do not wait for it.
    from symag.smv.model.typed import TEMPORAL_OPERATORS, subexpressions

    inside = subexpressions(expression.operands[0])
    return not any(isinstance(part, Operation) and part.operator in TEMPORAL_OPERATORS for part in inside)
