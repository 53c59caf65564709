"""Fair runs as a fixed point over states, with inputs quantified at once.

A justice constraint that reads inputs (``FAIRNESS running``) is a set of transitions, any other one a set
of states. The fixed point is that of Emerson and Lei, "Efficient model checking in fragments of the
propositional mu-calculus" (LICS 1986), with compassion after Kesten, Pnueli and Raviv, "Algorithmic
verification of linear temporal logic specifications" (ICALP 1998). Between its rounds all states without successors
are removed, after Fisler, Fraer, Kamhi, Vardi and Yang, "Is there a best symbolic cycle-detection algorithm?" (TACAS
2001): a cycle of n states would else take n rounds of n steps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.relation import TransitionRelation, system_conjuncts
from symag.smv.symbolic.system import SymbolicSystem


class Justice(Struct, frozen=True, eq=False):
    """A constraint that holds infinitely often: ``condition`` over current and input bits.

    ``relation`` has only the transitions that satisfy it; None if it reads no inputs. ``number`` counts the
    system's constraints from 0.
    """

    number: int
    condition: Bdd
    relation: TransitionRelation | None

    def steps_into(self, target: Bdd, predecessors: Bdd) -> Bdd:
        """The states with a transition into ``target`` that satisfies it; ``predecessors`` are all those of target."""
        if self.relation is None:
            return predecessors & self.condition
        return self.relation.preimage(target)


class FixedPointStep(Struct, frozen=True, eq=False):
    """A step of the fixed point, inside the set Z that was left before it.

    ``states`` is a subset C of Z; transitions that leave C also leave Z. ``kind`` ``stuck``: no transition from C
    stays in Z. ``justice``: none that stays in Z satisfies that constraint. ``compassion``: none that stays in Z
    satisfies the constraint's second condition. So no fair run that stays in Z visits C infinitely often (with
    ``compassion``: the states of C in which the first condition holds). These states are removed from Z.
    ``number`` counts the system's constraints of that kind from 0.
    """

    kind: Literal["stuck", "justice", "compassion"]
    number: int
    states: Bdd


def justice_constraint(system: SymbolicSystem, number: int, condition: Bdd, variables: Collection[str]) -> Justice:
    """The constraint with the transitions over these variables that satisfy it."""
    encoding = system.encoding
    inputs: Sequence[str] = encoding.names(VariableKind.INPUT)
    if not system.context.support(condition) & frozenset(encoding.current_bits(inputs)):
        return Justice(number, condition, None)
    conjuncts = (*system_conjuncts(system, variables), condition)
    state = [name for name in encoding.names(VariableKind.STATE) if name in variables]
    inputs = [name for name in inputs if name in variables]
    return Justice(number, condition, TransitionRelation.of(encoding, conjuncts, state, inputs))


def fair_core(
    relation: TransitionRelation,
    justice: Sequence[Justice],
    compassion: Sequence[tuple[Bdd, Bdd]],
    inside: Bdd,
) -> tuple[Bdd, tuple[FixedPointStep, ...]]:
    """The greatest subset of ``inside`` in which every state has a successor and a path to every constraint.

    For compassion, only states in which the first condition holds need the path. Also returns the steps that removed
    the other states, in order. With compassion, states outside the core may have a path to it, and so a fair run.
    """
    removed: list[FixedPointStep] = []
    context = relation.context
    context.reorder_once_for_fixed_points()
    false = context.false
    left = inside
    before = None
    predecessors: Bdd | None = None

    def without(
        gone: Bdd, kind: Literal["stuck", "justice", "compassion"], number: int, closed: Bdd
    ) -> tuple[Bdd, Bdd | None]:
        if gone == false:
            return left, predecessors
        removed.append(FixedPointStep(kind, number, closed))
        return left & ~gone, None

    while left != before and left != false:
        # The first round of justice constraints removes most states without successors by itself, in fewer steps.
        while before is not None or not justice:
            predecessors = relation.preimage(left) if predecessors is None else predecessors
            stuck = left & ~predecessors
            if stuck == false:
                break
            left, predecessors = without(stuck, "stuck", 0, stuck)
        before = left
        for constraint in justice:
            if constraint.relation is None and predecessors is None:
                predecessors = relation.preimage(left)
            steps = left & constraint.steps_into(left, predecessors)
            if constraint.relation is None and steps == left & predecessors:
                gone = left & ~steps  # every state that has a successor meets the constraint: no path is needed
                context.reorder_if_large(context.size(steps))
            else:
                gone = left & ~relation.backward_closure(steps, left)
            left, predecessors = without(gone, "justice", constraint.number, gone)
        for number, (often, answer) in enumerate(compassion):
            steps = left & answer & relation.preimage(left)
            closed = left & ~relation.backward_closure(steps, left)
            left, predecessors = without(closed & often, "compassion", number, closed)
    return left, tuple(removed)
