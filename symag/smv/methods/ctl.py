"""Decides CTL with fairness by fix-points inside the reachable states.

The verdict is that of NuSMV 2.6: only initial states from which a fair path starts count, and only fair
paths. (COMPASSION is honoured; NuSMV ignores it in CTL.) The cone of influence keeps the variables of the
fairness constraints. Its verdict is that of the whole system where the rest can always go on; where that is
not known, the whole system is searched.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.trace import Trace
from symag.core.values import replace
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_space import StateSpace
from symag.smv.methods.state_spaces import MonolithicDecision, StateSpaces
from symag.smv.model.flat import Property
from symag.smv.model.typed import CTL_OPERATORS, Expression, Operation, has_operator
from symag.smv.symbolic.diagram import DiagramWriter
from symag.smv.temporal import ctl
from symag.smv.temporal.ctl import Formula, ctl_formula, negation
from symag.smv.traversal.completion import extend_trace
from symag.smv.traversal.ctl import CtlSets
from symag.smv.traversal.ctl_trace import Explainer
from symag.smv.traversal.deadends import state_text
from symag.smv.traversal.trace import SingleTransitions

if TYPE_CHECKING:
    from symag.smv.certificates.temporal import Labelling


def decide(spaces: StateSpaces, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide one CTL property. ``violated`` comes with a trace that explains it as far as one path can.

    Raises InputError, MemoryExhausted.
    """
    assert property.expression is not None
    return _Decision(spaces, options, progress, property.expression).run()


class _Decision(MonolithicDecision):
    expression: Expression

    def run(self) -> PropertyResult:
        symbolic = self.symbolic
        formula = ctl_formula(self.expression)
        # Errors in the property are errors even where nothing is searched.
        same = {atom: self.spaces.first_of_its_meaning(atom, self.progress) for atom in ctl.atoms(formula)}
        formula = ctl_formula(self.expression, same)
        if symbolic.initial_states() == symbolic.context.false:
            self.warnings.append("the set of initial states is empty: every property holds")
            return self._result(Verdict.HOLDS, self._evidence(symbolic.context.false, "holds"))
        if formula == ctl.TRUE:
            self.warnings.append(
                "the property holds whatever the model does, as CTL speaks of infinite runs only: "
                "it does not see states without a successor"
            )
            if self.options.evidence:
                space = self.spaces.over(frozenset(symbolic.source.by_name), self.progress)
                self.warnings.extend(_unseen_dead_ends(space, self.expression))
            return self._result(Verdict.HOLDS, self._evidence(symbolic.context.true, "holds"))
        space = self.spaces.fair_cone(self.expression, self.options, self.progress)
        reached = self.options.direction != "backward"
        sets = space.sets(reached, self.progress)
        refutation = negation(formula)
        violated = sets.exists(space.initial, refutation)
        self.warnings.extend(space.warnings(reached))
        if symbolic.source.compassion:
            self.warnings.append("COMPASSION is honoured, where NuSMV ignores it in CTL")
        if not violated:
            return self._result(Verdict.HOLDS, self._evidence(sets.domain, "holds"))
        self.progress("building the counterexample")
        result = self._result(Verdict.VIOLATED, self._evidence(sets.domain, "violated"))
        return replace(result, trace=self._trace(space, sets, refutation))

    def _trace(self, space: StateSpace, sets: CtlSets, refutation: Formula) -> Trace | None:
        part = SingleTransitions.of(self.symbolic, space.variables)
        trace = Explainer(sets, part, self.options.evidence, space.rings()).trace(space.initial, refutation)
        if space.is_whole:
            return trace
        extended = extend_trace(SingleTransitions.of(self.symbolic), trace)
        if extended is not None:
            return extended
        self.progress("the counterexample goes on outside the cone of influence: searching without it")
        whole = self.spaces.over(frozenset(self.symbolic.source.by_name), self.progress)
        sets = whole.sets(True, self.progress)
        return Explainer(sets, SingleTransitions.of(self.symbolic), self.options.evidence, whole.rings()).trace(
            whole.initial, refutation
        )

    def _evidence(self, domain: Bdd, claim: Literal["holds", "violated"]) -> Labelling | None:
        """The domain of the search: inside it the re-check decides the property by itself.

        A violation has it too, because a trace may explain only how the property begins to fail.
        """
        if not self.options.evidence:
            return None
        # For start-up: only with evidence.
        from symag.smv.certificates.temporal import Labelling

        writer = DiagramWriter(self.symbolic.encoding)
        root = writer.add(domain)
        return Labelling(writer.table(), (root,), (), claim=claim)

    def _result(self, verdict: Verdict, certificate: Labelling | None) -> PropertyResult:
        return PropertyResult(
            verdict,
            "monolithic (ctl)",
            certificate=certificate,
            warnings=tuple(self.warnings),
            statistics=self.spaces.statistics(),
        )


#: The limit of the search for dead ends in seconds of CPU time. The verdict is known before, and waits for it. Of
#: NuSMV's nine deadlock models three do not end in 15 s either (dpd75, dph35, ftp3), and mmgt20 needs 4 s.
_SECONDS = 5.0


def _unseen_dead_ends(space: StateSpace, expression: Expression) -> Iterator[str]:
    """Warnings: a reachable state without a successor, preferably one that the property does not except; or that
    the search was given up. Raises MemoryExhausted.

    ``AG (EX TRUE | final)`` is meant to say that there is no deadlock; but CTL is about infinite runs, on which EX TRUE
    always holds. So dead ends are looked for beside the verdict, for a limited time.
    """
    symbolic, context = space.symbolic, space.symbolic.context
    end = time.process_time() + _SECONDS
    reached = space.relation.forward_closure(space.initial, stop=lambda: time.process_time() > end)
    with memory_errors():
        stuck = space.relation.without_successor(reached)
        excepted = context.disjunction(symbolic.predicate(exception) for exception in _exceptions(expression))
        unexpected = stuck & ~excepted
    if stuck != context.false:
        chosen = stuck if unexpected == context.false else unexpected
        state = state_text(symbolic.encoding.pick_values(chosen, symbolic.encoding.state_names()))
        which = "that the property allows for " if unexpected == context.false else ""
        yield f"a reachable state {which}has no successor: {state}"
    if unexpected == context.false and time.process_time() > end:
        yield "the search for further states without a successor was given up: more may be reachable"


def _exceptions(expression: Expression) -> list[Expression]:
    """``p`` and ``q`` of ``AG (EX ... | p | q)``: in their states the property is true without a successor too."""
    if not isinstance(expression, Operation) or expression.operator != "AG":
        return []
    operands: list[Expression] = []
    stack = [expression.operands[0]]
    while stack:
        part = stack.pop()
        if isinstance(part, Operation) and part.operator == "or":
            stack.extend(part.operands)
        elif not has_operator(part, CTL_OPERATORS):
            operands.append(part)
    return operands
