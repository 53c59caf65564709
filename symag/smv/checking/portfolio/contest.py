"""The races for the properties of one system, and the processes that are kept from one race to the next."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from symag.bdd.engines import import_engine
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Reason, Verdict, kind_of
from symag.core.tables import Methods
from symag.core.values import replace
from symag.process import pace
from symag.process.child import Child, ChildOutcome
from symag.process.race import Runner, RunnerResult, once
from symag.process.session import Session
from symag.smv.certificates.invariants import Induction
from symag.smv.checking.methods import Decide, Decider
from symag.smv.checking.portfolio.shapes import Shape, Shapes
from symag.smv.checking.portfolio.starts import REMEMBERING, SEVERAL_AT_ONCE, Entrant, Start, Starts, invariants_of
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.checking.portfolio.invariants_together import InvariantsTogether, Search

#: Methods whose processes are kept from property to property: they make the circuit once.
KEPT = (*REMEMBERING, "k-induction", "bmc")

#: The most weight of the search for all invariants, which grows with the number of those that are not decided.
MOST_FOR_ALL = 12.0

#: The entrant that searches for a property as the one for all invariants does.
ALONE = "k-induction"


def entrants(
    method: str, options: SmvOptions, methods: Methods[Decide], *, forward: bool = False
) -> tuple[Entrant, ...]:
    """The entrants of a race: the method alone, or those that race under its name (``forward``: see ``schedule``)."""
    racing = methods.entrants(method)
    if racing is None:
        return (Entrant(method, method, options, (0.0,) * len(Shape)),)
    entered: tuple[Entrant, ...] = racing(options, methods, forward=forward)
    return entered


def _for_invariants(entrants: Sequence[Entrant], invariants: int, methods: Methods[Decide]) -> tuple[Entrant, ...]:
    """The entrants with the search for all invariants, if there are several; then the others search for none besides.

    A method that is a function in the table has no such search.
    """
    for_all = [entrant for entrant in entrants if entrant.is_for_all]
    if invariants >= SEVERAL_AT_ONCE and all(isinstance(methods.entries[entrant.method], str) for entrant in for_all):
        return tuple(replace(entrant, options=replace(entrant.options, is_alone=True)) for entrant in entrants)
    return tuple(entrant for entrant in entrants if not entrant.is_for_all)


def is_decisive(outcome: ChildOutcome) -> bool:
    """Whether it has a verdict, or an error in the input, which every method would report."""
    if outcome.error is not None:
        return True
    return outcome.value is not None and outcome.value.verdict is not Verdict.UNKNOWN


class Contest:
    """The races for the properties of one system; entrants may remember what they learned about earlier properties.

    All delays are multiplied by ``slowness`` (see ``symag.process.pace``), which is measured if it is None.
    ``close()`` ends the processes that remember.
    """

    def __init__(
        self,
        system: FlatSystem,
        properties: Sequence[Property],
        method: str,
        options: SmvOptions,
        methods: Methods[Decide],
        memory: int | None,
        slowness: float | None = None,
    ) -> None:
        self._system = system
        shapes = Shapes(system)
        self.properties = properties
        self.method = method
        self.options = options
        self._entrants = entrants(method, options, methods, forward=shapes.is_large_relation)
        if any(entrant.is_for_all for entrant in self._entrants):
            self._entrants = _for_invariants(self._entrants, invariants_of(system, system.properties), methods)
        if slowness is None:
            slowness = pace.slowness() if len(self._entrants) > 1 else 1.0
        self._starts = Starts(system, shapes, properties, self._entrants, slowness)
        self._methods = methods
        self._memory = memory
        #: What inductions prove: the next processes of the methods that remember begin with these answers.
        self._answers: list[tuple[Property, PropertyResult]] = []
        #: Answers that no race has given, by the index of the property.
        self._known: dict[int, PropertyResult] = {}
        self.session = self._open_session()
        self._later = self._later_sessions()
        self._together = self._search_for_all()

    def remember(self, position: int, result: PropertyResult) -> None:
        """Note the method that decided a property: it is likely to decide the next one."""
        self._starts.remember(result)
        if isinstance(result.certificate, Induction):
            self._answers.append((self.properties[position], result))

    def note(self, finishes: Sequence[RunnerResult]) -> None:
        """Note what the methods prove of other properties."""
        for finish in finishes:
            if isinstance(finish.outcome.value, PropertyResult):
                self._note_others(finish.outcome.value)

    def _note_others(self, result: PropertyResult) -> None:
        costs = {"seconds": 0.0, "cpu_seconds": 0.0}
        for index, evidence in result.others.items():
            if evidence is not None:
                known = PropertyResult(Verdict.HOLDS, result.method, certificate=evidence, statistics=costs)
                self._known[index] = known

    def known(self, position: int) -> PropertyResult | None:
        """The answer that the search for another property has given, without one of its own."""
        item = self.properties[position]
        result = self._known.get(item.index)
        if result is not None:
            self._answers.append((item, result))
        return result

    def runners(self, position: int) -> tuple[Runner, ...]:
        """The computations that may decide the property at a position."""
        starts = self._starts.of(position)
        entered = (
            self._for_all(its, position, starts)
            if self._entrants[its.number].is_for_all
            else self._runner(its, position)
            for its in starts
        )
        return tuple(runner for runner in entered if runner is not None)

    def _for_all(self, its: Start, position: int, starts: Sequence[Start]) -> Runner | None:
        """The search for all invariants; None if it cannot prove the property at a position any more."""
        together, item = self._together, self.properties[position]
        if together is None or not together.may_prove(item.index):
            return None
        later = [other for other in self.properties[position:] if other.index not in self._known]
        left = sum(together.may_prove(other.index) for other in later)
        runner = self._runner(its, position)
        weight = max(runner.weight, min(MOST_FOR_ALL, runner.weight / SEVERAL_AT_ONCE * left))
        # It goes on as late as the search for this property alone.
        alone = (start.delay for start in starts if self._entrants[start.number].name == ALONE)
        return together.runner(replace(runner, weight=weight), item.index, next(alone, its.delay))

    def answering(self, position: int, finish: RunnerResult) -> RunnerResult:
        """The result of a runner as that for the property at a position, which it may prove among others."""
        index = self.properties[position].index
        return finish if self._together is None else self._together.answering(finish, index)

    def settles(self, finish: RunnerResult) -> bool:
        """Whether the other methods need not run: there is an answer, or the first does not support the property."""
        unsupported = kind_of(finish.outcome.reason) is Reason.UNSUPPORTED
        return is_decisive(finish.outcome) or (unsupported and finish.name == self._entrants[0].name)

    def close(self, reason: str | None = None) -> None:
        """Kill the processes that remember; the next race starts new ones.

        With the ``reason`` ``timeout`` the search for all invariants, which is about no property alone, lasts.
        """
        for session in (self.session, *self._later.values()):
            if session is not None:
                session.close()
        if self._together is not None and kind_of(reason) is not Reason.TIMEOUT:
            self._together.close()

    def _runner(self, its: Start, position: int) -> Runner:
        entrant = self._entrants[its.number]
        session = self._later.get(its.number) if its.number else self.session
        work = partial(_decide, self._methods, entrant, self._system, self.properties[position], entrant.options)
        runner = once(entrant.name, work, self._memory)

        def start() -> Child:
            self._import(entrant)
            return runner.start() if session is None else session.start(position)

        return replace(
            runner,
            start=start,
            kept=session is not None,
            delay=its.delay,
            lead=its.lead,
            lead_after=its.lead_after,
            weight=entrant.weight * its.factor,
            brief=its.brief,
        )

    def _import(self, entrant: Entrant) -> None:
        """Import what a method needs when it starts: the processes of other properties and of the re-check have it too.

        What cannot be imported here fails in the child, with a reason.
        """
        with contextlib.suppress(ImportError, MemoryError, OSError):
            self._methods.function(entrant.method)
            if entrant.method == "monolithic":
                import_engine(entrant.options.bdd)
            elif self._memory is not None:
                # What a child imports counts against its limit. Without one, only a child with a run needs numpy.
                import symag.smv.methods.sat.runs  # noqa: F401

    def _open_session(self) -> Session | None:
        if len(self.properties) < 2 or self._methods.of_module(self._entrants[0].method, "session") is None:
            return None
        return self._session_of(self._entrants[0])

    def _later_sessions(self) -> dict[int, Session]:
        """Sessions of methods that need not start: their modules are imported in their processes only."""
        if len(self.properties) < 2:
            return {}
        later = enumerate(self._entrants[1:], start=1)
        return {number: self._session_of(entrant) for number, entrant in later if entrant.method in KEPT}

    def _search_for_all(self) -> InvariantsTogether | None:
        entrant = next((entrant for entrant in self._entrants if entrant.is_for_all), None)
        if entrant is None:
            return None
        # For start-up: few small models have several invariants.
        from symag.smv.checking.portfolio.invariants_together import InvariantsTogether

        prepare, open_search = partial(self._import, entrant), partial(self._open_search, entrant)
        return InvariantsTogether(entrant.name, prepare, open_search, self._memory, self._note_others)

    def _open_search(self, entrant: Entrant) -> Search:
        """Runs in the child."""
        search_for_all = self._methods.of_module(entrant.method, "search_for_all")
        assert search_for_all is not None, "the schedule names no other method"
        search: Search = search_for_all(self._system, entrant.options, self._answers)
        return search

    def _session_of(self, entrant: Entrant) -> Session:
        opened: list[Decider] = []

        def decide(position: int, progress: Progress) -> PropertyResult:
            property_ = self.properties[position]
            open_session = self._methods.of_module(entrant.method, "session")
            if open_session is None:
                return _decide(self._methods, entrant, self._system, property_, entrant.options, progress)
            if not opened:
                opened.append(open_session(self._system, entrant.options, self._answers))
            return opened[0](property_, progress)

        return Session(decide, self._memory)


def _decide(
    methods: Methods[Decide],
    entrant: Entrant,
    system: FlatSystem,
    property_: Property,
    options: SmvOptions,
    progress: Progress,
) -> PropertyResult:
    """Runs in the child."""
    return methods.function(entrant.method)(system, property_, options, progress)
