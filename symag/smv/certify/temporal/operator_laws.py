"""Proofs of CTL labels, each operator by its own law.

The laws speak of sets of states: R are the reached states, which are closed under transitions; L is a label within R;
T and N are the states in which an operand is proved true and proved false; F are the states proved to start a fair run,
U those proved to start none. All are within R. Every operator is read as one of three, perhaps negated: ``EF q`` is
``E[TRUE U q]``, ``AG q`` is ``!E[TRUE U !q]``, ``EG q`` is ``!A[TRUE U !q]``, ``AX q`` is ``!EX !q``.

- ``EX q``: a state in L has a transition to T & F. A state outside has none to a state that is neither in N nor in U.
- ``E[p U q]``: from a state in L a path in T(p) leads to T(q) & F. A state outside is in N(q) or in U; unless it is in
  N(p), all its transitions stay outside or lead to U.
- ``A[p U q]``: a state in L is in T(p), T(q) or U; unless it is in T(q), all its transitions stay in L or lead to U;
  and no fair run stays for ever in L without T(q) (see ``removals``). From a state outside a path in N(q) leads to
  N(p) & N(q) & F, or to a fair run within N(q).

No fair run visits a state in U, so it does not matter which labels have it. Of each operator only what the claim needs
is checked: that it is true in its label, or that it is false outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from symag.smv.certificates.temporal import FormulaLabel, Labelling, RemovalStep
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.decision_diagrams import Bdd, DecisionDiagrams
from symag.smv.certify.operator_tree import OperatorNode
from symag.smv.certify.properties import refused
from symag.smv.certify.temporal.positions import Emptiness, Positions
from symag.smv.certify.temporal.reached import check_reads_states_only


@dataclass(slots=True)
class LabelProofs:
    """Sets of states in which formulas are proved true or false; each proof is made once, when it is first needed.

    ``searches_unfair``: states that start no fair run are searched too.
    """

    encoder: Encoder
    positions: Positions
    reached: Bdd
    certificate: Labelling
    searches_unfair: bool
    context: DecisionDiagrams = field(init=False)
    _fair: Bdd | None = None
    _unfair: Bdd | None = None
    _proved: dict[tuple[int, bool], Bdd] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.context = self.positions.context

    def fair(self) -> Bdd:
        """States proved to start a fair run."""
        if self._fair is None:
            label = self.certificate.fair
            if label is None and not self.certificate.labels:
                self._fair = self._fair_runs(self.reached)
                return self._fair
            claimed = self.reached if label is None else self._inside(label)
            runs = self._fair_runs(claimed)
            if claimed & ~runs != self.context.false:
                raise refused("a state that is given as fair starts no fair run among such states")
            self._fair = claimed
        return self._fair

    def unfair(self) -> Bdd:
        """States proved to start no fair run; none without ``searches_unfair``."""
        if not self.searches_unfair:
            return self.context.false
        if self._unfair is None:
            label = self.certificate.fair
            self._unfair = self.context.false
            if label is None and not self.certificate.labels:
                self._unfair = self.reached & ~self._possibly_fair(self.reached)
            elif label is not None:
                claimed = self.reached & ~self._inside(label)
                if self.positions.may.leads(claimed, self.reached & ~claimed):
                    raise refused("a state that is given as unfair leads to a fair one")
                self._check_empty(claimed, label.removals, "the unfair states")
                self._unfair = claimed
        return self._unfair

    def proved(self, node: OperatorNode, value: bool) -> Bdd:
        """The states of R in which the formula is proved to have this value."""
        key = id(node), value
        if key not in self._proved:
            self._proved[key] = self._prove(node, value)
        return self._proved[key]

    def _prove(self, node: OperatorNode, value: bool) -> Bdd:
        context = self.context
        match node.kind:
            case "atom":
                assert node.atom is not None
                truth = context.of(self.encoder.truth(node.atom))
                return self.reached & self.positions.certainly(truth if value else ~truth)
            case "not":
                return self.proved(node.operands[0], not value)
            case "and" | "or":
                return self._combined(node, value)
            case "iff":
                left, right = node.operands
                states = context.false
                for side in (True, False):
                    states = states | self.proved(left, side) & self.proved(right, side is value)
                return states
        if not self.certificate.labels:
            return self._search(node, value is not node.negated) | self.unfair()
        inside = self._inside(self.certificate.labels[node.label])
        claimed = inside if value else self.reached & ~inside
        counted = claimed & ~self.unfair()
        if counted != context.false:
            # The label is of the operator as written; the law is of the operator without the negation.
            self._check_operator(node, value is not node.negated, counted)
        return claimed

    def _combined(self, node: OperatorNode, value: bool) -> Bdd:
        """A conjunction or disjunction; operands that cannot change the result any more are not proved."""
        every = (node.kind == "and") is value
        states = self.reached if every else self.context.false
        for operand in node.operands:
            if self.is_everywhere(~states if every else states):
                break
            shown = self.proved(operand, value)
            states = states & shown if every else states | shown
        return states

    def _inside(self, label: FormulaLabel) -> Bdd:
        states = self.positions.set([label.states])
        check_reads_states_only(self.positions, states)
        return self.reached & states

    def _search(self, node: OperatorNode, positive: bool) -> Bdd:
        """The states of R in which the operator without its negation is true (``positive``) or false, by a search."""
        if node.bounds is not None:
            return self._bounded(node, positive)
        if node.kind == "EX":
            return self._step(self.proved(node.operands[0], positive), positive)
        if positive is (node.kind == "EU"):
            return self.reached & self._exists(node, self.reached)
        hold, goal = node.operands
        counted = self.reached & ~self.unfair()
        if node.kind == "EU":
            within = counted & ~self.proved(hold, False)
            target = counted & ~self.proved(goal, False)
        else:
            within = counted & ~self.proved(goal, True)
            target = (within & ~self.proved(hold, True)) | self._possibly_fair(within)
        if target == self.context.false:
            return self.reached
        return self.reached & ~self.positions.states(self.positions.may.reaching(target, within))

    def _possibly_fair(self, states: Bdd) -> Bdd:
        """A superset of the states from which a fair run stays among the given ones."""
        if states == self.context.false:
            return states
        always = self.context.conjunction(self.positions.always)
        fairness = self.positions.fairness(self.encoder, certain=False)
        core = self.positions.may.fair_core(states & always, fairness)
        return self.positions.states(self.positions.may.reaching(core, states & always))

    def _check_operator(self, node: OperatorNode, positive: bool, claimed: Bdd) -> None:
        where = f"{'inside' if positive is not node.negated else 'outside'} the label of {node.operator}"
        if node.bounds is not None:
            shown = self._bounded(node, positive)
        elif node.kind == "EX":
            shown = self._step(self.proved(node.operands[0], positive), positive)
        elif positive is (node.kind == "EU"):
            shown = self._exists(node, claimed)
        else:
            self._check_all(node, claimed, where)
            return
        if claimed & ~shown != self.context.false:
            raise refused(f"a state {where} is not shown to belong there")

    def _step(self, operand: Bdd, positive: bool) -> Bdd:
        """States with a transition to a fair state of the operand (``positive``); or whose transitions all lead there
        or to unfair states.
        """
        return self.reached if self.is_everywhere(operand) else self.reached & self._step_to(operand, positive)

    def is_everywhere(self, states: Bdd) -> bool:
        """Whether the states are all of R: then every fair run is inside them, and no search is needed."""
        return bool(self.reached & ~states == self.context.false)

    def _exists(self, node: OperatorNode, claimed: Bdd) -> Bdd:
        """States from which a path shows ``E[p U q]``, or that ``A[p U q]`` is false."""
        hold, goal = node.operands
        if self.is_everywhere(self.proved(goal, node.kind == "EU")):
            return self.reached
        if node.kind == "EU":
            within = self.proved(hold, True)
            target = self.proved(goal, True) & self.fair()
        else:
            within = self.proved(goal, False)
            target = self.proved(hold, False) & within
            if target != self.context.false:
                target = target & self.fair()
            if claimed & ~target != self.context.false:
                target = target | self._core(within & claimed)
        if claimed & ~target == self.context.false:
            return target
        return self.positions.states(self.positions.must().reaching(target, within))

    def _check_all(self, node: OperatorNode, claimed: Bdd, where: str) -> None:
        """Accept that every fair run from the claimed states satisfies ``A[p U q]``, or violates ``p U q``."""
        context = self.context
        hold, goal = node.operands
        unfair = self.unfair()
        if node.kind == "EU":
            rest = claimed & ~self.proved(hold, False)
            wrong = claimed & ~self.proved(goal, False)
        else:
            rest = claimed & ~self.proved(goal, True)
            wrong = rest & ~self.proved(hold, True)
        if wrong & ~unfair != context.false:
            raise refused(f"a state {where} is not shown to belong there")
        if self.positions.may.leads(rest & ~unfair, self.reached & ~claimed & ~unfair):
            raise refused(f"a transition leads out of the states {where}")
        if node.kind == "AU":
            removals = self.certificate.labels[node.label].removals
            self._check_empty(rest & ~unfair, removals, f"the states {where}")

    def _bounded(self, node: OperatorNode, positive: bool) -> Bdd:
        """States in which a bounded until is true (``positive``) or false. Costs as many preimages as the bound."""
        assert node.bounds is not None
        low, high = node.bounds
        hold, goal = (self.proved(operand, positive) for operand in node.operands)
        reached = self.reached
        existential = positive is (node.kind == "EU")
        extra = self.context.false if existential else self.unfair()

        def both(a: Bdd, b: Bdd) -> Bdd:
            return a & b if positive else a | b

        def either(a: Bdd, b: Bdd) -> Bdd:
            return a | b if positive else a & b

        if low > high:
            return self.context.false if positive else reached
        if existential:
            goal = goal & self.fair()
            hold = hold if positive else hold & self.fair()
        states = goal | extra
        for distance in range(high - 1, -1, -1):
            after = both(hold, self._step_to(states, existential))
            states = (either(goal, after) if distance >= low else after) | extra
            states = states & reached
        return states

    def _step_to(self, target: Bdd, existential: bool) -> Bdd:
        if existential:
            return self.positions.states(self.positions.must().before(target & self.fair()))
        wrong = self.reached & ~target & ~self.unfair()
        return self.reached & ~self.positions.states(self.positions.may.before(wrong))

    def _check_empty(self, inside: Bdd, removals: Sequence[RemovalStep], what: str) -> None:
        fairness = self.positions.fairness(self.encoder, certain=False)
        justice = len(self.encoder.system.justice)
        always = self.context.conjunction(self.positions.always)
        Emptiness(self.positions, fairness[:justice], fairness[justice:], ()).check(inside & always, removals, what)

    def _fair_runs(self, states: Bdd) -> Bdd:
        """The states from which a fair run stays among the given ones."""
        core = self._core(states)
        if states & ~core == self.context.false:
            return states
        return self.positions.states(self.positions.must().reaching(core, states))

    def _core(self, states: Bdd) -> Bdd:
        """Those of the states from which every fairness condition can be met again and again among them."""
        always = self.context.conjunction(self.positions.always)
        fairness = self.positions.fairness(self.encoder, certain=True)
        return self.positions.states(self.positions.must().fair_core(states & always, fairness))
