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


class DrawnStates:
    """A system as an explicit graph and as diagrams, with two sets of its states, drawn at random."""

    def __init__(self, text, data):
        system = read_text(text)
        self.explicit = Explicit(system)
        allowed = [state for state in self.explicit.all_states() if self.explicit.is_allowed(state)]
        self.states = set(allowed)
        self.edges = {(source, target) for state in allowed for source, _, target in self.explicit.edges(state)}
        self.reversed_edges = {(target, source) for source, target in self.edges}
        picked = st.sets(st.sampled_from(allowed)) if allowed else st.just(set())
        self.start, self.within = data.draw(picked), data.draw(picked)
        self.symbolic = encode(system)
        self.relation = transition_relation(self.symbolic)

    def diagram(self, chosen):
        context, encoding = self.symbolic.context, self.symbolic.encoding
        valuation = self.explicit.valuation
        return context.disjunction(encoding.valuation(valuation(state)) for state in sorted(chosen, key=str))

    def check_closures(self, relation):
        """The closures of the relation, inside the second set and everywhere, are walks."""
        diagram, start, within = self.diagram, self.start, self.within
        closures = (relation.forward_closure, self.edges), (relation.backward_closure, self.reversed_edges)
        for closure, edges in closures:
            assert closure(diagram(start)) == diagram(walked(edges, start, self.states))
            assert closure(diagram(start), diagram(within)) == diagram(walked(edges, start, within))


@settings(max_examples=100, deadline=None)
@given(models(properties=1, largest=24), st.data())
def test_closures_are_walks(text, data):
    graph = DrawnStates(text, data)
    graph.check_closures(graph.relation)
