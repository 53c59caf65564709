"""Decides a property on the whole system's BDDs, or on those of its cone of influence.

Invariants, and CTL ``AG p`` with propositional p, by searches (see ``invariants``); other CTL by fix-points
(``ctl``); COMPUTE (``compute``); LTL by a tableau (``ltl``).
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.limits import MemoryExhausted, Progress
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.values import replace
from symag.smv.language.recursion import deep_recursion
from symag.smv.methods import invariants
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.reduced import ReducedSearches
from symag.smv.methods.state_spaces import StateSpaces
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import in_its_logic, searched_invariant
from symag.smv.symbolic.orderfile import present_order, write_order_file


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide one property.

    ``holds`` comes with an inductive set if the property reduces to an invariant, ``violated`` with a trace
    of the whole system. Raises InputError, and UnsupportedError for properties of other kinds; a lack of
    memory is an ``unknown``.
    """
    return _open(system, options, (property,))(property, progress)


def session(
    system: FlatSystem, options: SmvOptions, answers: Sequence[tuple[Property, PropertyResult]] = ()
) -> Callable[[Property, Progress], PropertyResult]:
    """``decide`` for several properties of one system. Kept for the next property: the encoding, and for each cone of
    influence the relation and the reachable states. The ``answers`` of an earlier session are of no use to it.
    """
    return _open(system, options, system.properties)


def _open(
    system: FlatSystem, options: SmvOptions, properties: Sequence[Property]
) -> Callable[[Property, Progress], PropertyResult]:
    reduced = None
    # To write its order, the whole system is encoded anyway.
    if options.cone_of_influence and options.order_output is None:
        assigned = system
        if system.trans:
            # For start-up: most models have no TRANS.
            from symag.smv.reduction.next_assignments import with_next_assignments

            assigned = with_next_assignments(system)
        reduced = ReducedSearches(assigned, options, properties, rewritten=assigned is not system)
    only_invariants = all(property_.kind == "INVARSPEC" for property_ in properties)
    return _Session(StateSpaces(system, options, only_searches=only_invariants), options, reduced).decide


class _Session(Struct):
    """The state spaces of a system, kept from property to property."""

    spaces: StateSpaces
    options: SmvOptions
    reduced: ReducedSearches | None

    def decide(self, property: Property, progress: Progress) -> PropertyResult:
        started = time.process_time()
        try:
            with deep_recursion():
                result = self._decided(property, progress)
            if self.options.order_output is not None:
                symbolic = self.spaces.symbolic(progress)
                write_order_file(symbolic.source, present_order(symbolic.encoding), self.options.order_output)
        except MemoryExhausted:
            cost = {"cpu_seconds": time.process_time() - started}
            return PropertyResult(Verdict.UNKNOWN, "monolithic", reason=Reason.MEMORY.text(), statistics=cost)
        statistics = dict(result.statistics)
        statistics["cpu_seconds"] = time.process_time() - started
        statistics["memory_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return replace(result, statistics=statistics)

    def _decided(self, property: Property, progress: Progress) -> PropertyResult:
        property = in_its_logic(property)
        invariant = searched_invariant(self.spaces.system, property)
        if invariant is not None:
            result = None if self.reduced is None else self.reduced.decide(property, invariant, progress)
            if result is not None:
                return result
            return invariants.decide(self.spaces, property, invariant, self.options, progress)
        # Imported when first needed: the imports are a good part of the time for a small model.
        match property.kind:
            case "CTL":
                from symag.smv.methods import ctl

                return ctl.decide(self.spaces, property, self.options, progress)
            case "COMPUTE":
                from symag.smv.methods import compute

                return compute.decide(self.spaces, property, self.options, progress)
            case "LTL" if property.expression is not None:
                from symag.smv.methods import ltl

                return ltl.decide(self.spaces, property.expression, self.options, progress)
            case _ if property.sequences is not None:
                from symag.smv.methods import ltl

                return ltl.decide_sequences(property, self.spaces.system, self.options, progress)
        if property.unsupported is not None:
            raise UnsupportedError(property.unsupported)
        raise UnsupportedError(f"{property.kind}, and neither an invariant nor CTL nor COMPUTE")
