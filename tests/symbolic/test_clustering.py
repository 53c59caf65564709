"""Clusters are the conjuncts, however they are merged."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.bdd.engines import new_context
from symag.core.limits import no_progress
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.reader import read
from symag.smv.symbolic import relational_product
from symag.smv.symbolic.clustering import arrange, cluster
from symag.smv.symbolic.relational_product import RelationalProduct

BITS = [f"x{number}" for number in range(8)]
CLAUSES = st.lists(st.lists(st.tuples(st.sampled_from(BITS), st.booleans()), min_size=1, max_size=4), max_size=8)


def conjuncts_of(context, clauses):
    """Random small diagrams: clauses."""
    return [
        context.disjunction(context.bit(bit) if positive else ~context.bit(bit) for bit, positive in clause)
        for clause in clauses
    ]


@settings(max_examples=60, deadline=None)
@given(CLAUSES, st.integers(1, 12))
def test_the_product_stays_and_what_grows_stays_small(clauses, threshold):
    context = new_context()
    context.declare([(bit,) for bit in BITS])
    conjuncts = conjuncts_of(context, clauses)
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


@settings(max_examples=100, deadline=None)
@given(CLAUSES, CLAUSES, CLAUSES, st.sets(st.sampled_from(BITS)), st.sampled_from([0, 4, 10_000]))
def test_a_product_within_states_is_the_product_and_the_states(clauses, states, source, quantified, most):
    context = new_context()
    context.declare([(bit,) for bit in BITS])
    within = context.conjunction(conjuncts_of(context, states))
    start = context.conjunction(conjuncts_of(context, source))
    expected = context.exists(quantified, context.conjunction([start, *conjuncts_of(context, clauses)])) & within
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relational_product, "_MOST_JOINED", most)
        product = RelationalProduct.of(context, conjuncts_of(context, clauses), quantified).within(within)
    assert product.apply(start) == expected


@settings(max_examples=60, deadline=None)
@given(CLAUSES, CLAUSES, st.sets(st.sampled_from(BITS)), st.booleans())
def test_images_are_the_same_by_either_clustering(clauses, source, quantified, second):
    context = new_context()
    context.declare([(bit,) for bit in BITS])
    start = context.conjunction(conjuncts_of(context, source))
    conjuncts = conjuncts_of(context, clauses)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relational_product, "CLUSTER_THRESHOLD", 4)
        patch.setattr(relational_product, "_FEW", (1, 8))
        patch.setattr(relational_product, "_MANY", -1)
        patch.setattr(relational_product, "_FEWER", 100 if second else 0)
        product = RelationalProduct.for_images(context, conjuncts, quantified)
    assert product.apply(start) == context.exists(quantified, context.conjunction([start, *conjuncts]))


@pytest.mark.parametrize(("name", "second"), [("miter_a", True), ("miter_a_bad", True), ("if_else_1", False)])
def test_the_second_clustering_serves_where_fewer_bits_live(suites, name, second, monkeypatch):
    """Counted from the definition: the bits that a later cluster reads, and those of the result that one so far reads.

    The second clustering of if_else_1 has as many.
    """
    products = []
    choose = RelationalProduct.for_images

    def recorded(context, conjuncts, quantified):
        for product in (RelationalProduct.of(context, conjuncts, quantified), choose(context, conjuncts, quantified)):
            reads = [context.support(diagram) for diagram, _ in product.steps]
            counts = [
                len(set().union(*reads[number:]) & {*quantified}) + len(set().union(*reads[:number]) - {*quantified})
                for number in range(1, len(reads) + 1)
            ]
            products.append(sum(counts) / len(counts))
        return product

    monkeypatch.setattr(RelationalProduct, "for_images", recorded)
    system = read(suites / "smv" / "elastic" / f"{name}.smv")
    monolithic.decide(system, system.properties[-1], SmvOptions(direction="forward"), no_progress)
    first, chosen = products
    assert (chosen < 0.93 * first) == second
