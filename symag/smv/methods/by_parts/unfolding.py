"""From an assumption that forbids pairs of letters to one that forbids single letters, as evidence needs it.

A state of the unfolded assumption is a state of the given one together with the set of letters that are forbidden
after the letter just read. So its size grows with the number of different such sets.
"""

from __future__ import annotations

from symag.bdd.context import Bdd
from symag.learning.symbolic_table import Conjecture
from symag.smv.methods.by_parts.module import Module
from symag.smv.model.flat import VariableKind

#: Unfolded assumptions with more states are given up.
STATES = 400


def unfolded(module: Module, conjecture: Conjecture) -> Conjecture | None:
    """The same assumption over endings of one letter; None if it has more than ``STATES`` states.

    ``module`` says which words of one letter are forbidden. Costs one quantification for each set.
    """
    classes: dict[int, list[tuple[Bdd, Bdd]]] = {}
    states = {(0, module.unsafe_letters(module.initial())): 0}
    queue = list(states)
    edges: list[tuple[tuple[int, Bdd], ...]] = []
    for state, _ in queue:
        if state not in classes:
            classes[state] = _classes(module, conjecture.rejects[state])
        leaving: list[tuple[int, Bdd]] = []
        for target, label in conjecture.edges[state]:
            for forbidden, letters in classes[state]:
                common = label & letters
                if common == module.context.false:
                    continue
                if (target, forbidden) not in states:
                    states[target, forbidden] = len(states)
                    queue.append((target, forbidden))
                leaving.append((states[target, forbidden], common))
        edges.append(tuple(leaving))
        if len(states) > STATES:
            return None
    return Conjecture(tuple(edges), tuple(forbidden for _, forbidden in queue))


def _classes(module: Module, pairs: Bdd) -> list[tuple[Bdd, Bdd]]:
    """Sets of last letters, each with the safe letters after which exactly these are forbidden.

    Stops after ``STATES`` sets: then only their number matters.
    """
    context, encoding = module.context, module.encoding
    frozen = {name for name in module.letters if encoding.variables[name].kind is VariableKind.FROZEN}
    frozen_bits = set(encoding.current_bits(frozen))
    following = encoding.next_bits(module.letters)
    classes: list[tuple[Bdd, Bdd]] = []
    rest = module.safe
    while rest != context.false and len(classes) <= STATES:
        letter = context.pick(module.pick(rest))
        # A frozen variable has one bit for both letters of a pair.
        constant = context.cube({bit: value for bit, value in letter.items() if bit in frozen_bits})
        last = context.cofactor(pairs, letter)
        same = rest & constant & ~context.exists(following, context.xor(pairs, last))
        classes.append((encoding.to_current(last) & constant, same))
        rest = rest & ~same
    return classes
