"""Bounded model checking with NuSMV's texts: LTL and PSL by bounds, invariants by induction."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from symag.cli.nusmv.checking import Traces, show_counterexample
from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.model import SessionModel
from symag.cli.nusmv.properties import PropertyEntry
from symag.cli.nusmv.streams import CommandError, Streams
from symag.core.errors import CertificationError, UnsupportedError
from symag.core.trace import Trace
from symag.smv.methods.ltl import without_added
from symag.smv.methods.sat.bounded import BoundedSearch, InvariantSteps
from symag.smv.model.flat import FlatSystem
from symag.smv.model.properties import in_its_logic
from symag.smv.model.typed import Expression
from symag.smv.temporal.sequences import sequence_product, unfolded

#: The values of ``-a``, by command.
ALGORITHMS = ("classic", "een-sorensson")
INCREMENTAL = ("dual", "zigzag", "falsification")


class Loops(Struct, frozen=True):
    """The loops that a counterexample may have: ``*`` any or none, ``X`` none, a number one (below 0: from the end)."""

    text: str

    @classmethod
    def of(cls, text: str) -> Loops:
        """The loops of a text. Raises CommandError for any other text."""
        if text not in ("*", "X") and not text.removeprefix("-").isdecimal():
            raise CommandError(f'Error: string "{text}" is not valid. An integer was expected.')
        return cls(text)

    def fit(self, length: int) -> bool:
        """Whether paths of this many steps can have such a loop, or none."""
        return self.text in ("*", "X") or -length <= int(self.text) < length

    @property
    def may_have_none(self) -> bool:
        """Whether a path without a loop is allowed."""
        return self.text in ("*", "X")

    def starts(self, length: int) -> range | None:
        """The possible starts of a loop in a path of this many steps; None if the given loop does not fit."""
        if self.text in ("*", "X"):
            return range(length) if self.text == "*" else range(0)
        number = int(self.text)
        start = length + number if number < 0 else number
        return range(start, start + 1) if 0 <= start < length else None

    def shown(self) -> str:
        """NuSMV's text after a bound."""
        return {"*": "", "X": " and no loop"}.get(self.text, f" and loop at {self.text}")


class BoundedChecker(Struct, frozen=True):
    """Checks properties of one model and prints NuSMV's lines."""

    model: SessionModel
    environment: Environment
    streams: Streams
    traces: Traces

    def formulas(self, entries: Sequence[PropertyEntry], length: int, loops: Loops, only_last: bool) -> None:
        """``check_ltlspec_bmc`` and its variants: each bound up to ``length``, or only that. Raises CommandError."""
        for entry in _unchecked(entries):
            search = self.search(entry)
            if search is None:
                continue
            try:
                for bound in range(length if only_last else 0, length + 1):
                    if self._at_bound(entry, search, bound, loops):
                        break
            finally:
                search.close()

    def terminating(self, entries: Sequence[PropertyEntry], length: int, complete: bool) -> None:
        """``check_ltlspec_sbmc_inc``: bounds until there is a violation, or with ``complete`` also until a proof."""
        for entry in _unchecked(entries):
            search = self.search(entry)
            if search is None:
                continue
            try:
                for bound in range(length + 1):
                    if self._ends(entry, search, bound, complete):
                        break
                else:
                    self.streams.line(f"-- terminating with bound {length}.")
            finally:
                search.close()

    def _ends(self, entry: PropertyEntry, search: BoundedSearch, bound: int, complete: bool) -> bool:
        trace = self._of_model(search.prefix(bound) or search.lasso(bound, range(bound)))
        if trace is None and not (complete and not search.has_simple_path(bound + 1)):
            if complete:
                self.streams.line(f"-- could not terminate yet with bound {bound}")
            self.streams.line(f"-- no counterexample found with bound {bound}")
            return False
        self.streams.line(f"-- terminating with bound {bound}.")
        if trace is None:
            self._true(entry)
            return True
        entry.status = "False"
        self.streams.line(self._line(entry, "false"))
        if trace.loop is None:
            self.streams.line("   the execution has no loop")
        else:
            last = len(trace.steps) + 1
            again = f"(that is redundantly printed also as state {last})"
            self.streams.line(f"   the loop starts at state {trace.loop + 1} {again}")
        self._show(entry, trace, "BMC Counterexample")
        return True

    def _of_model(self, trace: Trace | None) -> Trace | None:
        """The trace without the variables of automata."""
        return None if trace is None else without_added(trace, frozenset(self.model.system.by_name))

    def search(self, entry: PropertyEntry) -> BoundedSearch | None:
        """The search for violations of a linear property; None, with a message, for any other."""
        try:
            with self.model.errors_worded():
                return BoundedSearch(*linear(self.model.system, entry))
        except UnsupportedError as error:
            self.streams.error(f"symag: not decided ({error}): {entry.shown}")
            return None

    def _at_bound(self, entry: PropertyEntry, search: BoundedSearch, bound: int, loops: Loops) -> bool:
        starts = loops.starts(bound)
        if starts is None:
            what = f"problem with bound {bound} and loopback {loops.text} is not allowed: skipped"
            self.streams.error(f"\nWarning: {what}")
            return False
        trace = search.prefix(bound) if loops.may_have_none else None
        if trace is None and starts:
            trace = search.lasso(bound, starts)
        trace = self._of_model(trace)
        if trace is None:
            self.streams.line(f"-- no counterexample found with bound {bound}{loops.shown()}")
            self.streams.flush()
            return False
        self._false(entry, trace)
        return True

    def invariants(self, entries: Sequence[PropertyEntry], algorithm: str, length: int) -> None:
        """``check_invar_bmc`` and ``check_invar_bmc_inc``. Raises CommandError."""
        for entry in _unchecked(entries):
            expression = entry.subject.expression
            assert expression is not None  # an invariant has one
            with self.model.errors_worded():
                steps = InvariantSteps(self.model.system, expression)
            try:
                if algorithm == "classic":
                    self._classic(entry, steps)
                else:
                    decided = self._induction(entry, steps, length, algorithm != "falsification")
                    if not decided and algorithm not in INCREMENTAL:
                        self.streams.line(f"-- cannot prove the {self._worded(entry)} is true or false.")
            finally:
                steps.close()

    def _classic(self, entry: PropertyEntry, steps: InvariantSteps) -> None:
        """Induction over one step, without longer runs."""
        # NuSMV asks one question about the start and the step, and does not say if the start alone fails.
        failed = steps.failed_step(steps.shortest + 1, simple=False) or steps.violation(steps.shortest)
        if failed is None:
            self._true(entry)
            return
        what = "true or false : the induction fails"
        self.streams.line(f"-- cannot prove the {self._worded(entry)} is {what}")
        self._show(entry, failed, "BMC Failed Induction")
        entry.trace = None

    def _induction(self, entry: PropertyEntry, steps: InvariantSteps, length: int, proves: bool) -> bool:
        """Runs of growing length, and (``proves``) induction over as many steps without a repeated state; whether they
        decide the invariant.
        """
        for bound in range(length + 1):
            violation = steps.violation(bound) if bound >= steps.shortest else None
            if violation is not None:
                self._false(entry, violation)
                return True
            if proves and bound >= steps.shortest and steps.failed_step(bound, simple=True) is None:
                self._true(entry)
                return True
            self.streams.line(f"-- no proof or counterexample found with bound {bound}")
            self.streams.flush()
        return False

    def _true(self, entry: PropertyEntry) -> None:
        entry.status = "True"
        self.streams.line(self._line(entry, "true"))

    def _worded(self, entry: PropertyEntry) -> str:
        return entry.worded(self.environment.text("prop_print_method"))

    def _line(self, entry: PropertyEntry, verdict: str) -> str:
        """NuSMV's line, with more blanks than the lines of its other checks."""
        blanks = "  " if entry.subject.kind == "INVARSPEC" else "   "
        return f"-- {self._worded(entry)}{blanks}is {verdict}"

    def _false(self, entry: PropertyEntry, trace: Trace) -> None:
        entry.status = "False"
        self.streams.line(self._line(entry, "false"))
        self._show(entry, trace, "BMC Counterexample")

    def _show(self, entry: PropertyEntry, trace: Trace, description: str) -> None:
        if entry.status == "False":
            self._replayed(entry, trace)
        if self.environment.enabled("counter_examples"):
            show_counterexample(
                entry, trace, self.model.system, self.environment, self.streams, self.traces, description
            )
            self.streams.flush()

    def _replayed(self, entry: PropertyEntry, trace: Trace) -> None:
        """Replay the trace with a separate interpreter. Raises CommandError if it is not a counterexample.

        A prefix without a loop is only checked to be a run: that it violates the formula is bounded semantics.
        """
        # For start-up: most sessions have no counterexample.
        from symag.smv.certify.runs.replay import check_run, replay

        try:
            if trace.kind == "lasso" or entry.subject.kind == "INVARSPEC":
                replay(self.model.system, entry.subject, trace)
            else:
                check_run(self.model.system, trace)
        except CertificationError as error:
            raise CommandError(f"symag: the counterexample was refused: {error}") from None


def _unchecked(entries: Sequence[PropertyEntry]) -> list[PropertyEntry]:
    return [entry for entry in entries if entry.status == "Unchecked"]


def linear(system: FlatSystem, entry: PropertyEntry) -> tuple[FlatSystem, Expression]:
    """The system and formula of an LTL property, or of a PSL property without branching.

    Raises UnsupportedError for others.
    """
    subject = entry.subject
    if subject.sequences is not None:
        plain = unfolded(subject.sequences)
        if plain is not None:  # a violation may then show without a loop
            return system, plain
        product = sequence_product(system, subject.sequences)
        return product.system, product.formula
    stated = in_its_logic(subject)
    if stated.kind != "LTL" or stated.expression is None:
        raise UnsupportedError(subject.unsupported or f"{subject.kind} that is not linear")
    return system, stated.expression
