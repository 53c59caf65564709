"""COMPUTE MIN and MAX: lengths of shortest and longest paths between two sets of states.

Source: Campos, Clarke, Marrero, Minea, Hiraishi, "Computing quantitative characteristics of
finite-state real-time systems" (RTSS 1994), with NuSMV 2.6's answers at the edges.
"""

from __future__ import annotations

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_spaces import StateSpaces
from symag.smv.model.flat import Property
from symag.smv.model.typed import Operation
from symag.smv.temporal import ctl
from symag.smv.temporal.ctl import Formula, atoms, ctl_formula
from symag.smv.traversal.ctl import CtlSets

INFINITY = "infinity"
UNDEFINED = "undefined"


def decide(spaces: StateSpaces, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Compute the value of ``MIN [start, final]`` or ``MAX [start, final]``.

    MIN is the least number of steps from a fair reachable state of ``start`` to one of ``final``, and
    ``infinity`` if there is no path. MAX is the greatest number of states of a path from ``start`` that
    stays outside ``final``; ``infinity`` if one goes on for ever, ``undefined`` if ``start`` or ``final`` has no fair
    reachable state. Raises InputError, MemoryExhausted.
    """
    expression = property.expression
    if not isinstance(expression, Operation) or expression.operator not in ("MIN", "MAX"):
        raise TypeError("no COMPUTE property")
    symbolic = spaces.symbolic(progress)
    start, final = (ctl_formula(operand) for operand in expression.operands)
    for formula in (start, final):
        for atom in atoms(formula):
            symbolic.predicate(atom)
    if symbolic.initial_states() == symbolic.context.false:
        return PropertyResult(
            Verdict.COMPUTED,
            "monolithic (compute)",
            value=INFINITY if expression.operator == "MIN" else UNDEFINED,
            warnings=("the set of initial states is empty",),
            statistics=spaces.statistics(),
        )
    space = spaces.fair_cone(expression, options, progress)
    sets = space.sets(True, progress)
    with memory_errors():
        begin, end = sets.holding(sets.domain, start), sets.holding(sets.domain, final)
        if expression.operator == "MIN":
            value = _least(sets, begin, end)
        elif sets.fair() == sets.context.false:
            # As NuSMV: undefined if no state satisfies one of the formulas, fair or not; else 0, as no state is fair.
            nowhere = any(
                _without_fair_states(sets, condition) & sets.domain == sets.fair() for condition in (start, final)
            )
            value = UNDEFINED if nowhere else 0
        else:
            value = _greatest(sets, begin, end)
        warnings = list(space.warnings(reached=True))
        if symbolic.source.compassion:
            warnings.append("COMPASSION is honoured, where NuSMV ignores it in COMPUTE")
        for which, states in (("first", begin), ("second", end)):
            if states == sets.context.false:
                warnings.append(f"COMPUTE: no fair reachable state satisfies the {which} formula")
                break
    return PropertyResult(
        Verdict.COMPUTED,
        "monolithic (compute)",
        value=value,
        warnings=tuple(warnings),
        statistics=spaces.statistics(),
    )


def _without_fair_states(sets: CtlSets, formula: Formula) -> Bdd:
    """Where NuSMV's fix-points put a formula if no state is fair: EX, EU and EG hold nowhere."""
    context = sets.context

    def inner(formula: Formula) -> Bdd:
        return _without_fair_states(sets, formula)

    match formula:
        case ctl.Truth(value):
            return context.constant(value)
        case ctl.Atom() as atom:
            return sets.predicate(atom)
        case ctl.Not(operand):
            return ~inner(operand)
        case ctl.And(operands):
            return context.conjunction(inner(part) for part in operands)
        case ctl.Or(operands):
            return context.disjunction(inner(part) for part in operands)
        case ctl.BoundedRelease(release, _, _, high):
            return inner(release) if high > 0 else context.true
    return context.false


def _least(sets: CtlSets, begin: Bdd, end: Bdd) -> int | str:
    """The distance between two sets of fair states, breadth first."""
    empty = sets.context.false
    seen = ring = begin
    steps = 0
    while ring != empty:
        if ring & end != empty:
            return steps
        ring = sets.relation.image(ring) & sets.fair() & ~seen
        seen = seen | ring
        steps += 1
    return INFINITY


def _greatest(sets: CtlSets, begin: Bdd, end: Bdd) -> int | str:
    """The largest number of consecutive states outside ``end`` on a path from a state of ``begin``."""
    empty = sets.context.false
    if empty in (begin, end):
        return UNDEFINED
    outside = sets.fair() & ~end
    outside = sets.relation.forward_closure(begin & outside, outside)
    relation = sets.relation.confined(outside)
    going_on, states = outside, 0
    while going_on & begin != empty:
        previous, going_on = going_on, relation.preimage(going_on) & outside
        states += 1
        if going_on == previous:
            return INFINITY
    return states
