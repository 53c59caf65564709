"""The races for the properties of one system: which methods enter the next one, and when."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct

from symag.bdd.engines import import_engine
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Reason, Verdict, kind_of
from symag.core.tables import Methods
from symag.core.values import replace
from symag.process import pace
from symag.process.child import Child, ChildOutcome
from symag.process.race import Runner, RunnerResult, Session, once
from symag.smv.checking.methods import Decide, Decider
from symag.smv.checking.shapes import Shape, Shapes
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import searched_invariant
from symag.smv.model.typed import Expression

#: Seconds after which Rule-G starts if the cone of influence is nearly the whole system, so that search gains little by
#: reducing to it. There learning wins most often, and seldom takes longer than its usual delay.
COUPLED = 2.2

#: Seconds after which CTL properties other than invariants are also tried without the reachable states.
WITHOUT_REACHABLE_STATES = 10.0

#: When the SAT engines that look for lassos start on LTL, PSL and CTL that is LTL.
LINEAR: Mapping[str, float] = {"bmc": 2.0, "pdr": 15.0}

#: Methods that start later in the schedule and remember what they learned about one property for the next.
REMEMBERING = ("pdr",)

#: Methods whose processes are kept from property to property: they make the circuit once.
KEPT = (*REMEMBERING, "k-induction", "bmc")

#: From this many properties on they start as soon as the first method has had its trial, and the others, but for the
#: first, later: properties that others decide leave them nothing to remember (zip_wbarbiter, 67 properties).
SEVERAL = 5
FIRST_TRIAL = 0.25
AFTER_REMEMBERING = 0.6

#: Of several properties of words some are violated, and by runs of similar length (tcas of NuSMV): ``bmc`` starts early
#: and the others later.
BMC_OF_WORDS, AFTER_BMC = 1.3, 2.0

#: Sweeping, which searches as PDR does and remembers nothing, starts this late then.
LATE_SWEEPING = 20.0

#: The method that decided the last property of the system starts first on the next one. The others wait HEAD_START
#: seconds and HEAD_FACTOR times the CPU seconds that it took at most for a property, but at most LONGEST_HEAD_START
#: seconds. After them comes what decided a property before, with a head start of its own, then the rest.
HEAD_START = 0.2
HEAD_FACTOR = 1.0
LONGEST_HEAD_START = 0.8

#: Where BDDs win, the first method leads for this many CPU seconds; so it does once it has decided a property in
#: ``HARD`` seconds or more, if no rival has decided one that took longer.
LEAD = 30.0
HARD = 5.0

#: How many times its weight a method has that decided a property of the system.
WINNERS = 3.0

#: After a violation by k-induction of more states than this ``bmc`` comes next where k-induction ends. This is what the
#: first steps of k-induction always reach, and the violations of one system are often of similar length.
DEEP = 10


#: The seconds after which a method starts (see ``race``), by ``Shape``; None: never.
Delays = tuple[float | None, ...]


class Winner(Struct, frozen=True):
    """What a method gains that decided a property, or is like one: a factor for its weight, and a head start.

    ``seconds`` are the most CPU seconds that a property took it.
    """

    factor: float
    head_start: float
    seconds: float


class Entrant(Struct, frozen=True):
    """A method with its options, and when it starts. ``weight`` and ``brief`` are as in ``Runner``."""

    name: str
    method: str
    options: SmvOptions
    delays: Delays
    weight: float = 1.0
    brief: float = 0.0


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
        self._shapes = Shapes(system)
        self.properties = properties
        self.method = method
        self.options = options
        self._entrants = entrants(method, options, methods, forward=self._shapes.is_large_relation)
        if slowness is None:
            slowness = pace.slowness() if len(self._entrants) > 1 else 1.0
        self._slowness = slowness
        self._methods = methods
        self._memory = memory
        #: By name, the last one last.
        self._winners: dict[str, Winner] = {}
        #: The answers of the methods that remember: their next processes begin with these.
        self._answers: list[PropertyResult] = []
        self.session = self._open_session()
        self._later = self._later_sessions()

    def remember(self, result: PropertyResult) -> None:
        """Note the method that decided a property: it is likely to decide the next one."""
        for entry in result.race:
            if entry.outcome == "decided":
                before = self._winners.pop(entry.method, None)
                longest = max(entry.cpu_seconds, 0.0 if before is None else before.seconds)
                head_start = min(LONGEST_HEAD_START, HEAD_START + HEAD_FACTOR * longest / self._slowness)
                if entry.method.startswith("k-induction") and result.trace and len(result.trace.steps) > DEEP:
                    self._winners["bmc"] = self._winners.pop("bmc", Winner(1.0, head_start, 0.0))
                self._winners[entry.method] = Winner(WINNERS, head_start, longest)
                if entry.method in REMEMBERING:
                    self._answers.append(result)

    def runners(self, position: int) -> tuple[Runner, ...]:
        """The computations that may decide the property at a position."""
        checked = self.properties[position]
        invariant = searched_invariant(self._system, checked)
        shape = Shape.FEW_BITS
        if len(self._entrants) > 1 and invariant is not None:
            shape = self._shapes.of(invariant)
        starts = []
        for number, entrant in enumerate(self._entrants):
            delay = self._delay(entrant, checked, invariant, shape)
            if delay is not None:
                starts.append((delay, number))
        if invariant is not None or checked.kind == "INVARSPEC":
            starts = self._winners_first(starts)
        for_bdds = shape is Shape.MANY_BITS_OF_PROCESSES or (checked.kind == "CTL" and invariant is None)
        lead = LEAD * self._slowness if self._first_leads([number for _, number in starts], for_bdds) else 0.0
        return tuple(
            replace(self._runner(number, position), delay=delay * self._slowness, lead=0.0 if number else lead)
            for delay, number in sorted(starts)
        )

    def _first_leads(self, entered: Sequence[int], for_bdds: bool) -> bool:
        """Whether the first entrant leads those that have entered; ``for_bdds``: where BDDs win."""
        name = self._entrants[0].name
        own = self._winners[name].seconds if name in self._winners else 0.0
        names = {self._entrants[number].name for number in entered if number}
        rivals = [winner.seconds for other, winner in self._winners.items() if other in names]
        return own >= max(HARD, *rivals) if rivals else for_bdds or own >= HARD

    def _winners_first(self, starts: list[tuple[float, int]]) -> list[tuple[float, int]]:
        """The delays and numbers of entrants when those that decided earlier properties come before the others."""
        names = {self._entrants[number].name for _, number in starts}
        winners = [name for name in reversed(self._winners) if name in names]
        if not winners:
            return starts
        first, second = [*(self._winners[name].head_start for name in winners[:2]), 0.0][:2]
        places = dict.fromkeys(winners, first + second) | dict(zip(winners, (0.0, first), strict=False))
        others = [delay for delay, number in starts if self._entrants[number].name not in places]
        later = max(0.0, first + second - min(others, default=0.0))
        return [(places.get(self._entrants[number].name, delay + later), number) for delay, number in starts]

    def _delay(self, entrant: Entrant, checked: Property, invariant: Expression | None, shape: Shape) -> float | None:
        """The delay of an entrant; None if it does not run, as it would only repeat what the first one does.

        On invariants all entrants differ, on other CTL those of other directions and by SAT, on LTL BDDs and SAT.
        """
        first = entrant is self._entrants[0]
        delay = entrant.delays[shape]
        if delay is None:
            return None
        if len(self._entrants) == 1 or (invariant is None and checked.kind != "INVARSPEC"):
            if first:
                return delay
            if checked.kind == "CTL" and entrant.method == self._entrants[0].method:
                return max(delay, WITHOUT_REACHABLE_STATES)
            if checked.kind in ("LTL", "PSL") and entrant.method in LINEAR:
                return LINEAR[entrant.method]
            if checked.kind == "CTL" and entrant.method in LINEAR:
                return max(LINEAR[entrant.method], WITHOUT_REACHABLE_STATES)
            return None
        if shape in (Shape.MANY_BITS, Shape.MANY_BITS_OF_GATES):
            if len(self.properties) < SEVERAL or first or delay <= FIRST_TRIAL:
                return delay
            if entrant.method == "sweeping":
                return max(delay, LATE_SWEEPING)
            if entrant.method in REMEMBERING:
                return FIRST_TRIAL
            if shape is Shape.MANY_BITS:
                return BMC_OF_WORDS if entrant.method == "bmc" else delay + AFTER_BMC
            return delay + AFTER_REMEMBERING
        if (
            entrant.method == "rule-g"
            and shape is Shape.FEW_BITS
            and invariant is not None
            and self._shapes.is_coupled(invariant)
        ):
            return min(delay, COUPLED)
        return delay

    def settles(self, finish: RunnerResult) -> bool:
        """Whether the other methods need not run: there is an answer, or the first does not support the property."""
        unsupported = kind_of(finish.outcome.reason) is Reason.UNSUPPORTED
        return is_decisive(finish.outcome) or (unsupported and finish.name == self._entrants[0].name)

    def close(self) -> None:
        """Kill the processes that remember; the next race starts new ones."""
        for session in (self.session, *self._later.values()):
            if session is not None:
                session.close()

    def _runner(self, number: int, position: int) -> Runner:
        entrant = self._entrants[number]
        session = self.session if number == 0 else self._later.get(number)
        work = partial(_decide, self._methods, entrant, self._system, self.properties[position], entrant.options)
        runner = once(entrant.name, work, self._memory)

        def start() -> Child:
            self._import(entrant)
            return runner.start() if session is None else session.start(position)

        winner = self._winners.get(entrant.name)
        weight = entrant.weight * (1.0 if winner is None else winner.factor)
        return replace(runner, start=start, kept=session is not None, weight=weight, brief=entrant.brief)

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
