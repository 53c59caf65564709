"""Decides LTL with past operators on the product with the tableau of the negated property.

The property holds iff no fair run of the product begins in an initial state. The reachable states of the
system, which all properties share, confine the search. The cone of influence keeps the variables of the
fairness constraints; it is used where the rest of the system can always go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.trace import Step, Trace
from symag.core.values import replace
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.temporal import AvoidedCondition, FairEmptiness, RemovalStep
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_space import StateSpace
from symag.smv.methods.state_spaces import MonolithicDecision, StateSpaces
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import Expression
from symag.smv.symbolic.diagram import DiagramWriter
from symag.smv.symbolic.relation import TransitionRelation, transition_relation
from symag.smv.symbolic.relational_product import RelationalProduct
from symag.smv.symbolic.system import SymbolicSystem, enlarged
from symag.smv.temporal.tableau import LinearProduct, has_past, product
from symag.smv.traversal.completion import extend_trace
from symag.smv.traversal.deadends import dead_ends, is_total
from symag.smv.traversal.fairness import FairConstraints, FairRuns
from symag.smv.traversal.trace import SingleTransitions

#: The number of transitions from the start within which a violation is looked for first.
_NEAR = 6
#: With more variables of the tableau than this, CUDD sifts whenever its table has doubled. They start in the order of
#: the formula, below all others, and sifting that waits for the work done comes too late. krca2p1-1 of nuXmv's examples
#: has 288: no answer in 90 s without, 34 s with. krca1p1 has 69: 0.2 s without, 0.5 s with.
_MANY = 100


def decide(spaces: StateSpaces, formula: Expression, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide that an LTL formula is true on every fair run from an initial state.

    ``holds`` comes with a certificate, ``violated`` with a fair lasso of the whole system. Raises InputError
    and MemoryExhausted.
    """
    return _Decision(spaces, options, progress, formula).run()


class _Decision(MonolithicDecision):
    formula: Expression

    def run(self) -> PropertyResult:
        symbolic = self.symbolic
        tableau = product(symbolic.source, self.formula)
        product_ = enlarged(symbolic, tableau.system)  # raises an error of the property even if nothing is searched
        if symbolic.initial_states() == symbolic.context.false:
            self.warnings.append("the set of initial states is empty: every property holds")
            nothing = FairEmptiness(DiagramTable((), ()), (), (), (0,), ())
            return replace(self._result(Verdict.HOLDS), certificate=nothing)
        space = self.spaces.fair_cone(self.formula, self.options, self.progress)
        runs, reached, start = self._fair_runs(space, product_, tableau)
        if start == symbolic.context.false:
            self.warnings.extend(self._vacuity(space))
            return replace(self._result(Verdict.HOLDS), certificate=certificate(tableau, runs, reached))
        self.progress("building the counterexample")
        trace = without_added(runs.lasso_from(start), space.variables).shortened()
        if not space.is_whole:
            extended = extend_trace(SingleTransitions.of(symbolic), trace)
            if extended is None:
                self.progress("the counterexample goes on outside the cone of influence: searching without it")
                space = self.spaces.over(frozenset(symbolic.source.by_name), self.progress)
                runs, reached, start = self._fair_runs(space, product_, tableau)
                extended = without_added(runs.lasso_from(start), space.variables).shortened()
            trace = extended
        self.warnings.extend(self._dead_ends(space))
        return replace(self._result(Verdict.VIOLATED), trace=trace)

    def _fair_runs(self, space: StateSpace, whole: SymbolicSystem, tableau: LinearProduct) -> tuple[FairRuns, Bdd, Bdd]:
        """The fair runs of the product over a state space, the states searched, and the initial fair states."""
        context = whole.context
        context.reorder_automatically(self.options.reordering and len(tableau.meanings) > _MANY)
        try:
            return self._searched(space, whole, tableau)
        finally:
            context.reorder_automatically(False)

    def _searched(self, space: StateSpace, whole: SymbolicSystem, tableau: LinearProduct) -> tuple[FairRuns, Bdd, Bdd]:
        added = [name for name, _ in tableau.meanings]
        variables = space.variables | frozenset(added)
        relation = transition_relation(whole, variables)
        initial = whole.context.conjunction(
            [space.initial, *(conjunct.diagram for conjunct in whole.init[len(self.symbolic.init) :])]
        )
        constraints = FairConstraints.of(whole, variables, relation)
        near, complete = _near(relation, initial)
        runs = constraints.runs(near)
        if complete or initial & runs.states != whole.context.false:
            return runs, near, initial & runs.states
        if has_past(self.formula) or not space.relation.parts:
            # The truth of past operators depends on the path: the reachable states are those of paths from the start.
            reached = relation.forward_closure(near)
        else:
            reached = space.reached() & tableau_states(whole, len(self.symbolic.init), len(self.symbolic.trans), added)
        self.progress(f"reached {whole.context.size(reached):,} nodes; looking for a fair run")
        runs = constraints.runs(reached)
        return runs, reached, initial & runs.states

    def _vacuity(self, space: StateSpace) -> Iterator[str]:
        """Warnings for a property that may hold only because no run is infinite."""
        for warning in space.warnings(True):
            yield warning.replace("every CTL property", "every LTL property")

    def _dead_ends(self, space: StateSpace) -> Iterator[str]:
        if not is_total(self.symbolic.source):
            warning = dead_ends(self.symbolic, space.relation, space.variables, space.reached())
            if warning is not None:
                yield warning

    def _result(self, verdict: Verdict) -> PropertyResult:
        return PropertyResult(
            verdict, "monolithic (tableau)", warnings=tuple(self.warnings), statistics=self.spaces.statistics()
        )


def _near(relation: TransitionRelation, initial: Bdd) -> tuple[Bdd, bool]:
    """The states within a few transitions of the initial ones, and whether those are all reachable states.

    Many violations are found there, with short counterexamples.
    """
    reached = ring = initial
    for _ in range(_NEAR):
        ring = relation.image(ring) & ~reached
        if ring == relation.context.false:
            return reached, True
        reached = reached | ring
    return reached, False


def tableau_states(whole: SymbolicSystem, init: int, trans: int, added: Sequence[str]) -> Bdd:
    """The valuations of the tableau's variables that are reachable under the tableau's own constraints.

    Those constraints come after the first ``init`` and ``trans`` of the system. All other variables that they read
    may have any value.
    """
    context, encoding = whole.context, whole.encoding
    steps = [conjunct.diagram for conjunct in whole.trans[trans:]]
    tableau_bits = frozenset(encoding.next_bits(added))
    with memory_errors():
        first = context.conjunction(conjunct.diagram for conjunct in whole.init[init:])
        bits = context.support(first) | frozenset(bit for step in steps for bit in context.support(step))
        others = sorted(bits - tableau_bits - frozenset(encoding.current_bits(added)))
        image = RelationalProduct.of(context, steps, sorted(bits - tableau_bits))
        reached = ring = context.exists(others, first)
        to_current = encoding.renaming(added, to_next=False)
        while ring != context.false:
            following = context.rename(image.apply(ring), to_current)
            ring = following & ~reached
            reached = reached | ring
    return reached


def without_added(trace: Trace, variables: frozenset[str]) -> Trace:
    """The trace with the values of these variables only."""
    steps = (Step({n: v for n, v in step.state.items() if n in variables}, step.inputs) for step in trace.steps)
    return Trace(trace.kind, tuple(steps), trace.loop)


def certificate(tableau: LinearProduct, runs: FairRuns, reached: Bdd) -> FairEmptiness | None:
    """The proof that no fair run of the product begins in an initial state; ``reached`` contains all reachable states.

    None where a COMPASSION reads inputs: certificates are about states.
    """
    if runs.constraints.system is not runs.constraints.given:
        return None
    encoding = runs.constraints.system.encoding
    writer = DiagramWriter(encoding)
    own = len(tableau.system.justice) - len(tableau.eventualities)
    removals = []
    for removed in runs.removed:
        match removed.kind:
            case "stuck":
                avoids = AvoidedCondition("progress")
            case "justice" if removed.number < own:
                avoids = AvoidedCondition("justice", removed.number)
            case "justice":
                avoids = AvoidedCondition("eventuality", removed.number - own)
            case _:
                avoids = AvoidedCondition("compassion", removed.number)
        removals.append(RemovalStep(writer.add(removed.states), avoids))
    # No state without a fair run leads to one with a fair run, so without the latter the set is still closed.
    set_reached = writer.add(reached & ~runs.fair)
    return FairEmptiness(
        writer.table(),
        tuple((name, expression_text(meaning)) for name, meaning in tableau.meanings),
        tuple(expression_text(eventuality) for eventuality in tableau.eventualities),
        (set_reached,),
        tuple(removals),
    )


def decide_sequences(checked: Property, system: FlatSystem, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide ``checked.sequences``, of PSL, on every fair run: as LTL of the system with their automata beside it.

    ``holds`` comes with a certificate about the product, ``violated`` with a fair lasso of the system. Raises
    InputError, MemoryExhausted, and UnsupportedError for a sequence that is too large.
    """
    # For start-up: few models have sequences.
    from symag.smv.temporal.sequences import sequence_product

    assert checked.sequences is not None
    product = sequence_product(system, checked.sequences)
    spaces = StateSpaces(product.system, replace(options, order_file=None, order_output=None))
    result = decide(spaces, product.formula, options, progress)
    warnings = result.warnings
    if is_total(system):
        # Only the automata's constraints end runs here; the system alone has no dead ends.
        warnings = tuple(warning for warning in warnings if "successor" not in warning and "dead end" not in warning)
    trace = result.trace
    if trace is not None:
        trace = without_added(trace, frozenset(system.by_name)).shortened()
    return replace(result, method="monolithic (sequences)", trace=trace, warnings=warnings)
