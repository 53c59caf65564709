"""What one run of a module says about words: sets of letters, each of which the module can show at its place.

With the states of a run fixed, which letters it can read there is a question for each step alone. So one run stands for
all words with one letter of each set, a product of sets that can be exponentially large.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd
from symag.core.trace import Value
from symag.smv.methods.by_parts.module import Module
from symag.smv.symbolic.relation import RelationalProduct


def shown_along_a_run(module: Module, word: Sequence[Bdd]) -> list[Bdd]:
    """For a word of safe* . unsafe that the module shows: sets of letters around its letters, over its letter bits.

    The module shows every word with one letter of each set; all letters but the last are safe, and the last is not.
    Costs one run and one relational product for each letter.
    """
    context = module.context
    own_letters = [bit for bit in module.letter_bits if bit in module.state_bits]
    states = [_state(module, values) for values in module.run(word)]
    result = []
    for position, state in enumerate(states):
        conjuncts = [*module.invar, *(module.init if position == 0 else ())]
        quantified = list(module.private_bits)
        assignment = dict(state)
        if position + 1 < len(states):
            conjuncts += module.trans
            assignment.update(_following(module, states[position + 1]))
        concrete = [context.cofactor(conjunct, assignment) for conjunct in conjuncts]
        start = (module.unsafe if position + 1 == len(states) else module.safe) & context.cube(
            {bit: state[bit] for bit in own_letters}
        )
        result.append(RelationalProduct.of(context, concrete, quantified).apply(start))
    return result


def _state(module: Module, values: dict[str, Value]) -> dict[str, bool]:
    """The bits of the own state and frozen variables."""
    own = {name: value for name, value in values.items() if name in module.variables}
    chosen = module.context.pick(module.encoding.valuation(own))
    return {bit: value for bit, value in chosen.items() if bit in module.state_bits}


def _following(module: Module, state: dict[str, bool]) -> dict[str, bool]:
    """The same values for the next bits; frozen bits have none of their own."""
    result = {}
    for name in module.variables:
        pairs = zip(module.encoding.current[name], module.encoding.next.get(name, ()), strict=False)
        result.update({then: state[now] for now, then in pairs if now in state and then != now})
    return result
