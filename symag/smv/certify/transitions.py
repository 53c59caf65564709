"""Transitions between positions of a run as BDDs: certify's own preimage, search and fair core.

A position is a valuation of the current bits, with those of inputs; its next position is the next state with any
inputs. A system with processes is split into events, one for each process that moves: bits that an event does not
change need no quantification, and searches apply the events in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.core.limits import Deadline
from symag.smv.certify.circuits.decision_diagrams import Bdd, DecisionDiagrams

#: Variables to quantify first; then formulas to conjoin in this order, each with the variables to quantify after it.
Schedule = tuple[frozenset[str], tuple[tuple[Bdd, frozenset[str]], ...]]


class Event(Struct, frozen=True, eq=False):
    """The transitions from positions in ``guard``; ``priming`` maps current bits that may change to next ones."""

    guard: Bdd
    priming: Mapping[str, Bdd]
    ahead: Schedule
    back: Schedule


class FairnessCondition(Struct, frozen=True, eq=False):
    """If ``often`` is true infinitely often, so is ``answer``; for a JUSTICE ``often`` is TRUE. Sets of positions."""

    often: Bdd
    answer: Bdd


class Transitions(Struct, frozen=True, eq=False):
    """A transition relation, split into events."""

    context: DecisionDiagrams
    deadline: Deadline
    events: tuple[Event, ...]

    @classmethod
    def of(
        cls,
        context: DecisionDiagrams,
        deadline: Deadline,
        conjuncts: Sequence[Bdd],
        pairs: Mapping[str, str],
        choices: Sequence[Mapping[str, bool]],
        current: Iterable[str],
        care: Bdd,
    ) -> Transitions:
        """The conjunction of ``conjuncts``, which are over current and next bits.

        ``pairs`` maps current to next bits, frozen ones to themselves. ``choices`` are the events, as values of some
        current bits (``[{}]`` for one event). ``current`` are all current bits. Bits that are neither current nor next
        are quantified away existentially. Only transitions from ``care``, over current bits, need be right: so the
        relation may be simpler.
        """
        events = []
        for choice in choices:
            deadline.check()
            event = _event(context, conjuncts, pairs, choice, frozenset(current), care)
            if event is not None:
                events.append(event)
        return cls(context, deadline, tuple(events))

    def before(self, target: Bdd) -> Bdd:
        """The positions with a transition to a position of the target."""
        predecessors = self.context.false
        for event in self.events:
            predecessors = predecessors | self._before(event, target)
        return predecessors

    def leads(self, source: Bdd, target: Bdd) -> bool:
        """Whether some transition goes from the source to the target."""
        context = self.context
        if context.false in (source, target):
            return False
        for event in self.events:
            early, steps = event.ahead
            product = context.exists(early, source & event.guard)
            for conjunct, finished in steps:
                self.deadline.check()
                product = context.product(product, conjunct, finished)
            if product & context.replaced(target, event.priming) != context.false:
                return True
        return False

    def reaching(self, target: Bdd, within: Bdd) -> Bdd:
        """The positions of ``target``, and those from which a path inside ``within`` leads to it."""
        reaching = target
        if len(self.events) == 1:
            ring = reaching
            while ring != self.context.false:
                ring = self.before(ring) & within & ~reaching
                reaching = reaching | ring
            return reaching
        while True:
            previous = reaching
            for event in self.events:
                ring = reaching
                while ring != self.context.false:
                    ring = self._before(event, ring) & within & ~reaching
                    reaching = reaching | ring
            if reaching == previous:
                return reaching

    def trimmed(self, positions: Bdd) -> Bdd:
        """The positions from which an infinite run stays inside them."""
        while True:
            rest = positions & self.before(positions)
            if rest == positions:
                return rest
            positions = rest

    def fair_core(self, positions: Bdd, fairness: Sequence[FairnessCondition]) -> Bdd:
        """The largest set of these positions from each of which every condition can be met again and again inside it.

        It is empty exactly if no fair run stays among the positions; from each position of it such a run starts.
        (Kesten, Pnueli and Raviv, "Algorithmic verification of linear temporal logic specifications", ICALP 1998.)
        """
        while True:
            previous = positions
            positions = self.trimmed(positions)
            for condition in fairness:
                met = self.reaching(positions & condition.answer, positions)
                positions = positions & (met | ~condition.often)
            if positions == previous:
                return positions

    def _before(self, event: Event, target: Bdd) -> Bdd:
        context = self.context
        early, steps = event.back
        product = context.exists(early, context.replaced(target, event.priming))
        for conjunct, finished in steps:
            self.deadline.check()
            product = context.product(product, conjunct, finished)
        return product & event.guard


def _event(
    context: DecisionDiagrams,
    conjuncts: Sequence[Bdd],
    pairs: Mapping[str, str],
    choice: Mapping[str, bool],
    current: frozenset[str],
    care: Bdd,
) -> Event | None:
    """The event; None if it has no transition."""
    parts = [context.replaced(conjunct, choice) for conjunct in conjuncts]
    if context.false in parts:
        return None
    unchanged: dict[str, Bdd] = {}
    if choice:
        readers: dict[str, list[Bdd]] = {}
        for part in parts:
            for name in context.support(part):
                readers.setdefault(name, []).append(part)
        for now, following in pairs.items():
            same = context.equal(now, following)
            if now == following or any(part <= same for part in readers.get(following, ())):
                unchanged[following] = context.variable(now)
        parts = [context.replaced(part, unchanged) for part in parts]
    here = context.replaced(care, choice)
    parts = [context.simplified(part, here) for part in parts]
    guard = context.conjunction(
        context.variable(name) if value else ~context.variable(name) for name, value in choice.items()
    )
    moving = {now: following for now, following in pairs.items() if following not in unchanged}
    nexts = frozenset(moving.values())
    # Forward, the current bits end, but for those that are their own next bits.
    still = frozenset(now for now, following in pairs.items() if following in unchanged)
    return Event(
        guard,
        {now: context.variable(following) for now, following in moving.items()},
        context.schedule(parts, current, nexts | still),
        context.schedule(parts, nexts | still, current),
    )
