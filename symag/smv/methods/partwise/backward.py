"""Backward projections intersected with forward ones: what lies between the first states and a violation.

With the forward sets R of all parts, B_i has the bits of every state in R from which a path inside R leads to a
violation, as far as the constraints on part i tell; every path from a first state to a violation lies in all B_i. The
forward sets are then computed once more inside B. The system keeps within R, and outside B or inside the new sets R':
if a successor is in B, the state before it is in B too, so in R', which the step keeps within R'. If no state in R, B
and R' violates the property, or no first state is in B, the property holds.

Source: Govindaraju, Dill, "Verification by approximate forward and backward reachability" (ICCAD 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress
from symag.smv.methods.partwise.constraints import BitConstraints
from symag.smv.methods.partwise.fixpoints import PartSets
from symag.smv.symbolic.relation import RelationalProduct


class SetsBetween(Struct, frozen=True, eq=False):
    """``backward[i]`` is the set of part i that can violate the property, ``forward[i]`` what is reached inside them.

    ``sets`` are the forward sets that both were computed under.
    """

    sets: Sequence[Bdd]
    backward: Sequence[Bdd]
    forward: Sequence[Bdd]

    @property
    def confining(self) -> list[Bdd]:
        """The backward sets that are smaller than the forward sets of their parts."""
        return [backward for backward, states in zip(self.backward, self.sets, strict=True) if backward != states]


def sets_between(parts: PartSets, constraints: BitConstraints, bad: Bdd, progress: Progress) -> SetsBetween | None:
    """The sets between the first states and the states in ``bad``, of parts whose forward sets are complete.

    None if no backward set is smaller than the forward one, so that nothing is gained. Costs about as much as the
    forward sets. Raises MemoryExhausted.
    """
    encoding, context = constraints.system.encoding, parts.context
    backward = []
    for number, part in enumerate(parts.parts):
        progress(f"part {number} of {len(parts.parts)}, backward")
        with memory_errors():
            states = parts.sets[number] & _projected(parts, constraints, bad, number)
            if number not in parts.given_up and states != parts.sets[number]:
                relation = part.relation(parts.projections(number)) & parts.sets[number]
                following = frozenset(
                    encoding.next_bits(dict.fromkeys(encoding.variable_of_bit[b][0] for b in part.bits))
                )
                frontier = states
                while frontier != context.false:
                    frontier = context.and_exists(encoding.to_next(frontier), relation, following) & ~states
                    states = states | frontier
            else:
                states = parts.sets[number]
        backward.append(states)
    if all(states == known for states, known in zip(backward, parts.sets, strict=True)):
        return None
    narrowed = [
        replace(part, initial=part.initial & states, valid=part.valid & states)
        for part, states in zip(parts.parts, backward, strict=True)
    ]
    inside = PartSets(context, narrowed, parts.whole, given_up=set(parts.given_up), equations=parts.equations)
    inside.together(progress)
    return SetsBetween(tuple(parts.sets), backward, inside.sets)


def _projected(parts: PartSets, constraints: BitConstraints, bad: Bdd, number: int) -> Bdd:
    """The violating states in the sets of all parts, over the bits of one part."""
    context, bits = parts.context, parts.parts[number].bits
    read = context.support(bad)
    needed = constraints.conditions(read | bits & constraints.wires.keys())
    scope = bits.union(read, *(constraint.now for constraint in needed))
    conjuncts = [bad, *(constraint.diagram for constraint in needed)]
    for states in parts.sets:
        support = context.support(states)
        if support & scope:
            conjuncts.append(context.exists(frozenset(support - scope), states))
    return RelationalProduct.of(context, conjuncts, scope - bits).apply(context.true)
