"""Clusters are the conjuncts, however they are merged."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.bdd.engines import new_context
from symag.smv.symbolic.clustering import arrange, cluster

BITS = [f"x{number}" for number in range(8)]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from(BITS), st.booleans()), min_size=1, max_size=4), max_size=8),
    st.integers(1, 12),
)
def test_the_product_stays_and_what_grows_stays_small(clauses, threshold):
    context = new_context()
    context.declare([(bit,) for bit in BITS])
    conjuncts = [
        context.disjunction(context.bit(bit) if positive else ~context.bit(bit) for bit, positive in clause)
        for clause in clauses
    ]
    clusters = cluster(context, conjuncts, frozenset(BITS[:4]), threshold)
    assert context.conjunction(clusters) == context.conjunction(conjuncts)
    largest = max((context.size(conjunct) for conjunct in conjuncts), default=0)
    assert all(context.size(each) <= max(5 * threshold, largest) for each in clusters)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.sampled_from(BITS), min_size=1, max_size=4), max_size=9), st.sets(st.sampled_from(BITS)))
def test_each_next_conjunct_has_the_largest_benefit(supports, quantified):
    context = new_context()
    context.declare([(bit,) for bit in BITS])
    conjuncts = [context.conjunction(map(context.bit, support)) for support in supports]
    level = {bit: number for number, bit in enumerate(context.order())}
    order = [supports[conjuncts.index(conjunct)] for conjunct in arrange(context, conjuncts, frozenset(quantified))]
    assert sorted(map(sorted, order)) == sorted(map(sorted, supports))
    rest = list(supports)

    def benefit(support):
        bound = support & quantified
        leaving = sum(1 for bit in bound if sum(bit in other for other in rest) == 1)
        pending = len(quantified & set().union(*rest)) or 1
        low = max((level[bit] for bit in bound), default=0) / len(level)
        return 2 * leaving / max(len(bound), 1) + len(bound) / pending + low - len(support - bound) / len(level)

    for support in order:
        assert benefit(support) >= max(map(benefit, rest)) - 1e-9
        rest.remove(support)
