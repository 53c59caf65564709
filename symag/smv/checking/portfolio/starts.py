"""When each method of a race starts: its delay in the schedule, and what earlier properties of the system say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from symag.core.results import PropertyResult, Verdict
from symag.smv.checking.portfolio.shapes import Shape, Shapes
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

#: From this many properties on they start as soon as the first method has had its trial, and the others, but for the
#: first, later: properties that others decide leave them nothing to remember (zip_wbarbiter, 67 properties).
SEVERAL = 5
FIRST_TRIAL = 0.25
AFTER_REMEMBERING = 0.6

#: Of several properties of words some are violated, and by runs of similar length (tcas of NuSMV): ``bmc`` starts early
#: and the others later.
BMC_OF_WORDS, AFTER_BMC = 1.3, 2.0

#: From this many invariants on all of them are searched for at once: on elastic circuits, which have three, that costs
#: 0.1 s for nothing.
SEVERAL_AT_ONCE = 4

#: From this many gates and other DEFINEs on the first steps for one property come before the search for all.
LARGE_NETLIST = 20_000

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

#: How many times its weight k-induction has on programs, of which it decides most.
ON_PROGRAMS = 4.0

#: Where most of many bits are those of enumerations and small ranges, as in puzzles, the first method leads once the
#: others have used these CPU seconds: enough for their trials, as bounded search decides a third of such models.
TRIALS = 1.6

#: After a violation by k-induction of more states than this ``bmc`` comes next where k-induction ends. This is what the
#: first steps of k-induction always reach, and the violations of one system are often of similar length.
DEEP = 10


#: The seconds after which a method starts (see ``race``), by ``Shape``; None: never.
Delays = tuple[float | None, ...]


def invariants_of(system: FlatSystem, properties: Sequence[Property]) -> int:
    """How many of these properties of a system are invariants, or proved as such."""
    return sum(searched_invariant(system, item) is not None for item in properties)


class Winner(Struct, frozen=True):
    """What a method gains that decided a property, or is like one: a factor for its weight, and a head start.

    ``seconds`` are the most CPU seconds that a property took it.
    """

    factor: float
    head_start: float
    seconds: float


class Entrant(Struct, frozen=True):
    """A method with its options, and when it starts.

    ``weight`` and ``brief`` are as in ``Runner``, ``brief`` in CPU seconds of a fast machine. ``is_for_all``: it is the
    search for all invariants at once; ``brief_each`` is what comes on top for each of them, on any machine.
    """

    name: str
    method: str
    options: SmvOptions
    delays: Delays
    weight: float = 1.0
    brief: float = 0.0
    brief_each: float = 0.0
    is_for_all: bool = False


class Start(Struct, frozen=True):
    """One entrant's place in a race, by its ``number`` among the entrants.

    ``delay``, ``lead``, ``lead_after`` and ``brief`` are in CPU seconds of this machine, as in ``Runner``; ``factor``
    is for the entrant's weight.
    """

    number: int
    delay: float
    lead: float
    lead_after: float
    factor: float
    brief: float


class Starts:
    """The starts of all races of one system. Delays are multiplied by ``slowness`` (see ``symag.process.pace``)."""

    def __init__(
        self,
        system: FlatSystem,
        shapes: Shapes,
        properties: Sequence[Property],
        entrants: Sequence[Entrant],
        slowness: float,
    ) -> None:
        self._system = system
        self._shapes = shapes
        self._properties = properties
        self._entrants = entrants
        self._slowness = slowness
        #: By name, the last one last.
        self._winners: dict[str, Winner] = {}
        #: The CPU seconds that methods have used so far, by name.
        self._used: dict[str, float] = {}

    def remember(self, result: PropertyResult) -> None:
        """Note the method that decided a property: it is likely to decide the next one."""
        for entry in result.race:
            self._used[entry.method] = self._used.get(entry.method, 0.0) + entry.cpu_seconds
            if entry.outcome == "decided":
                before = self._winners.pop(entry.method, None)
                longest = max(entry.cpu_seconds, 0.0 if before is None else before.seconds)
                head_start = min(LONGEST_HEAD_START, HEAD_START + HEAD_FACTOR * longest / self._slowness)
                if entry.method.startswith("k-induction") and result.trace and len(result.trace.steps) > DEEP:
                    self._winners["bmc"] = self._winners.pop("bmc", Winner(1.0, head_start, 0.0))
                self._winners[entry.method] = Winner(WINNERS, head_start, longest)
                if entry.method == "pdr" and result.verdict is Verdict.VIOLATED:
                    # The next violation may be a longer one, which bmc meets sooner: zip_afifo's tenth, of 21 states.
                    self._winners["bmc"] = self._winners.pop("bmc", Winner(1.0, head_start, 0.0))

    def of(self, position: int) -> tuple[Start, ...]:
        """The starts of those that enter the race for the property at a position, in the order of their delays."""
        checked = self._properties[position]
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
        starts = self._paired(starts)
        of_values = shape is Shape.MANY_BITS_OF_VALUES
        for_bdds = of_values or shape is Shape.MANY_BITS_OF_PROCESSES or (checked.kind == "CTL" and invariant is None)
        lead = LEAD * self._slowness if self._first_leads([number for _, number in starts], for_bdds) else 0.0
        after = TRIALS * self._slowness if of_values else 0.0
        return tuple(
            Start(
                number,
                delay * self._slowness,
                0.0 if number else lead,
                after,
                self._factor(number, shape),
                self._brief(self._entrants[number]),
            )
            for delay, number in starts
        )

    def _brief(self, entrant: Entrant) -> float:
        """The CPU seconds of this machine for which the others wait for an entrant."""
        if not entrant.brief_each:
            return entrant.brief * self._slowness
        left = entrant.brief_each * self._invariants - self._used.get(entrant.name, 0.0)
        return entrant.brief * self._slowness + max(0.0, left)

    @cached_property
    def _invariants(self) -> int:
        return invariants_of(self._system, self._properties)

    def _factor(self, number: int, shape: Shape) -> float:
        name = self._entrants[number].name
        factor = ON_PROGRAMS if shape is Shape.MANY_BITS_OF_WORDS and name == "k-induction" else 1.0
        winner = self._winners.get(name)
        return factor if winner is None else factor * winner.factor

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

    def _paired(self, starts: list[tuple[float, int]]) -> list[tuple[float, int]]:
        """The same in the order of the delays. The search for all invariants and the first steps of that for one, of
        which each decides what the other does, start when the first of them does: that for all first, but in a large
        netlist, of which the cone of one property is a small part.
        """
        pair = [number for _, number in starts if self._entrants[number].is_for_all or self._is_first_steps(number)]
        if len(pair) == 2:
            both = min(delay for delay, number in starts if number in pair)
            starts = [(both if number in pair else delay, number) for delay, number in starts]
        is_large = len(self._system.defines) > LARGE_NETLIST
        return sorted(starts, key=lambda item: (item[0], is_large and self._entrants[item[1]].is_for_all, item[1]))

    def _is_first_steps(self, number: int) -> bool:
        entrant = self._entrants[number]
        return entrant.method == "k-induction" and entrant.options.brief

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
        if shape in (Shape.MANY_BITS, Shape.MANY_BITS_OF_GATES, Shape.MANY_BITS_OF_VALUES):
            if len(self._properties) < SEVERAL or first or delay <= FIRST_TRIAL:
                return delay
            if entrant.method == "sweeping":
                return max(delay, LATE_SWEEPING)
            if entrant.method in REMEMBERING:
                return FIRST_TRIAL
            if shape is not Shape.MANY_BITS_OF_GATES:
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
