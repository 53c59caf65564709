"""The races for the properties of one system, and the processes that are kept from one race to the next."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial

from symag.bdd.engines import import_engine
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Reason, Verdict, kind_of
from symag.core.tables import Methods
from symag.core.values import replace
from symag.process import pace
from symag.process.child import Child, ChildOutcome
from symag.process.race import Runner, RunnerResult, Session, once
from symag.smv.certificates.invariants import Induction
from symag.smv.checking.methods import Decide, Decider
from symag.smv.checking.shapes import Shape, Shapes
from symag.smv.checking.starts import REMEMBERING, Entrant, Start, Starts
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

#: Methods whose processes are kept from property to property: they make the circuit once.
KEPT = (*REMEMBERING, "k-induction", "bmc")


def entrants(
    method: str, options: SmvOptions, methods: Methods[Decide], *, forward: bool = False
) -> tuple[Entrant, ...]:
    """The entrants of a race: the method alone, or those that race under its name (``forward``: see ``schedule``)."""
    racing = methods.entrants(method)
    if racing is None:
        return (Entrant(method, method, options, (0.0,) * len(Shape)),)
    entered: tuple[Entrant, ...] = racing(options, methods, forward=forward)
    return entered


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

    def remember(self, position: int, result: PropertyResult) -> None:
        """Note the method that decided a property: it is likely to decide the next one."""
        self._starts.remember(result)
        if isinstance(result.certificate, Induction):
            self._answers.append((self.properties[position], result))

    def note(self, finishes: Sequence[RunnerResult]) -> None:
        """Note what the methods prove of other properties."""
        for finish in finishes:
            if isinstance(finish.outcome.value, PropertyResult):
                method, costs = finish.outcome.value.method, {"seconds": 0.0, "cpu_seconds": 0.0}
                for index, evidence in finish.outcome.value.others.items():
                    result = PropertyResult(Verdict.HOLDS, method, certificate=evidence, statistics=costs)
                    self._known[index] = result

    def known(self, position: int) -> PropertyResult | None:
        """The answer that the search for another property has given, without one of its own."""
        item = self.properties[position]
        result = self._known.get(item.index)
        if result is not None:
            self._answers.append((item, result))
        return result

    def runners(self, position: int) -> tuple[Runner, ...]:
        """The computations that may decide the property at a position."""
        return tuple(self._runner(start, position) for start in self._starts.of(position))

    def settles(self, finish: RunnerResult) -> bool:
        """Whether the other methods need not run: there is an answer, or the first does not support the property."""
        unsupported = kind_of(finish.outcome.reason) is Reason.UNSUPPORTED
        return is_decisive(finish.outcome) or (unsupported and finish.name == self._entrants[0].name)

    def close(self) -> None:
        """Kill the processes that remember; the next race starts new ones."""
        for session in (self.session, *self._later.values()):
            if session is not None:
                session.close()

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
        if len(self.properties) < 2 or self._methods.session(self._entrants[0].method) is None:
            return None
        return self._session_of(self._entrants[0])

    def _later_sessions(self) -> dict[int, Session]:
        """Sessions of methods that need not start: their modules are imported in their processes only."""
        if len(self.properties) < 2:
            return {}
        later = enumerate(self._entrants[1:], start=1)
        return {number: self._session_of(entrant) for number, entrant in later if entrant.method in KEPT}

    def _session_of(self, entrant: Entrant) -> Session:
        opened: list[Decider] = []

        def decide(position: int, progress: Progress) -> PropertyResult:
            property_ = self.properties[position]
            open_session = self._methods.session(entrant.method)
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
