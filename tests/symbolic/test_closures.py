"""The closures of a relation against walks through the explicit state graph."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.smv import read_text
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.system import encode
from tests.brute_force import Explicit
from tests.strategies import models


def walked(edges, start, within):
    """The fixed point by its definition, on a set of pairs."""
    found = set(start)
    while True:
        grown = found | {target for source, target in edges if source in found and target in within}
        if grown == found:
            return found
        found = grown


def explored(system):
    """The explicit system, its allowed states, its edges, and what draws sets of states."""
    explicit = Explicit(system)
    states = [state for state in explicit.all_states() if explicit.is_allowed(state)]
    edges = {(source, target) for state in states for source, _, target in explicit.edges(state)}
    picked = st.sets(st.sampled_from(states)) if states else st.just(set())
    return explicit, states, edges, picked


@settings(max_examples=100, deadline=None)
@given(models(properties=1, largest=24), st.data())
def test_closures_are_walks(text, data):
    system = read_text(text)
    explicit, states, edges, picked = explored(system)
    start, within = data.draw(picked), data.draw(picked)
    symbolic = encode(system)
    relation = transition_relation(symbolic)
    context, encoding = symbolic.context, symbolic.encoding

    def diagram(chosen):
        return context.disjunction(encoding.valuation(explicit.valuation(state)) for state in sorted(chosen, key=str))

    reversed_edges = {(target, source) for source, target in edges}
    everything = set(states)
    assert relation.forward_closure(diagram(start)) == diagram(walked(edges, start, everything))
    assert relation.forward_closure(diagram(start), diagram(within)) == diagram(walked(edges, start, within))
    assert relation.backward_closure(diagram(start)) == diagram(walked(reversed_edges, start, everything))
    assert relation.backward_closure(diagram(start), diagram(within)) == diagram(walked(reversed_edges, start, within))
