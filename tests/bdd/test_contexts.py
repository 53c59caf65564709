"""The implementations of a BDD context, each under all tests of the contract."""

from __future__ import annotations

import sys

import pytest

from symag.bdd import cudd_sifting
from symag.bdd.context import BddContext
from symag.bdd.dd_context import DdContext
from symag.bdd.engines import new_context
from symag.core.limits import MemoryExhausted
from tests.bdd.context_contract import ContextContract


class TestCudd(ContextContract):
    def make(self, memory: int | None = None) -> BddContext:
        pytest.importorskip("dd.cudd")
        return DdContext(memory, "dd.cudd")


class TestAutoref(ContextContract):
    bounded = False
    stride = 8

    def make(self, memory: int | None = None) -> BddContext:
        return DdContext(memory, "dd.autoref")


class TestOxidd(ContextContract):
    def make(self, memory: int | None = None) -> BddContext:
        pytest.importorskip("oxidd")
        from symag.bdd.oxidd_context import OxiddContext

        return OxiddContext(memory)


def test_without_cudd_little_memory_is_no_reason_for_diagrams_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("oxidd")
    from symag.bdd.oxidd_context import OxiddContext

    monkeypatch.setitem(sys.modules, "dd.cudd", None)
    assert isinstance(new_context("auto", 60), OxiddContext)
    with pytest.raises(MemoryExhausted, match="at least 48 MiB"):
        new_context("auto", 40)


def test_a_table_is_sifted_again_when_the_rings_of_a_search_outgrow_it() -> None:
    pytest.importorskip("dd.cudd")
    context = DdContext(None, "dd.cudd")
    context.declare([f"{side}{k}"] for side in "abcd" for k in range(10))
    first = context.conjunction(context.xnor(context.bit(f"c{k}"), context.bit(f"d{k}")) for k in range(10))
    context.reorder_when_it_pays((first,))
    assert context.size(first) < 50
    equal = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(10))
    before = context.size(equal)
    context.reorder_if_large(1)
    assert context.size(equal) == before > 1000  # little has grown
    for k in range(20):
        context.exists([f"a{k % 10}"], context.xor(equal, context.bit(f"b{k % 7}")))
    context.reorder_if_large(before)
    assert context.size(equal) < 50


@pytest.mark.parametrize("is_used", [True, False])
def test_a_table_is_sifted_again_for_the_diagrams_in_use_not_for_those_that_wait(is_used):
    pytest.importorskip("dd.cudd")
    context = DdContext(None, "dd.cudd")
    context.declare([f"{side}{k}"] for side in "ab" for k in range(8))
    context.reorder_when_it_pays((), now=True)
    equal = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(8))
    for k in range(400):
        context.exists([f"a{k % 8}", f"b{k % 7}"], context.xor(equal, context.bit(f"a{k % 5}")))
    context.reorder_if_large(1000, (equal,) if is_used else (context.bit("a0"),))
    assert (context.size(equal) < 50) == is_used


def test_after_sifting_that_gained_little_a_table_is_sifted_again_only_when_it_has_grown_much() -> None:
    pytest.importorskip("dd.cudd")
    context = DdContext(None, "dd.cudd")
    context.declare([f"{side}{k}"] for k in range(8) for side in "ab")
    best = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(8))
    context.reorder_when_it_pays((best,), now=True)
    sifted = context.order()
    context.declare([f"{side}{k}"] for side in "cd" for k in range(6))
    grown = []
    for pairs in (3, 6):
        grown.append(
            context.conjunction(context.xnor(context.bit(f"c{k}"), context.bit(f"d{k}")) for k in range(pairs))
        )
        for k in range(400):
            context.exists([f"c{k % pairs}", f"a{k % 7}"], context.xor(grown[-1], context.bit(f"d{k % pairs}")))
        context.reorder_if_large(1000)
        assert (context.order()[: len(sifted)] == sifted and context.size(grown[-1]) > 3 * pairs) == (pairs == 3)
    assert context.size(grown[1]) < 20


def test_rough_sifting_moves_the_bits_with_the_most_nodes_alone() -> None:
    pytest.importorskip("dd.cudd")
    moved = {}
    for roughly in (False, True):
        context = DdContext(None, "dd.cudd")
        bits = [f"{side}{k}" for side in "ab" for k in range(8)]
        context.declare([bit] for bit in bits)
        equal = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(8))
        before = context.size(equal)
        context.reorder_when_it_pays((equal,), roughly=roughly)
        moved[roughly] = context.size(equal)
    assert 2 * moved[False] < moved[True] < before


def test_a_table_that_is_dear_to_sift_is_sifted_again_when_the_work_since_then_pays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("dd.cudd")
    monkeypatch.setattr(cudd_sifting, "_AGAIN", 0)
    context = DdContext(None, "dd.cudd")
    context.declare([f"{side}{k}"] for side in "ab" for k in range(8))
    context.reorder_when_it_pays((), now=True)
    equal = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(8))
    before = context.size(equal)
    context.reorder_if_large(before)
    assert context.size(equal) == before > 500
    for k in range(400):
        context.exists([f"a{k % 8}", f"b{k % 7}"], context.xor(equal, context.bit(f"a{k % 5}")))
    context.reorder_if_large(1000)
    assert context.size(equal) < 50


@pytest.mark.parametrize("allowed", [False, True])
def test_cudd_sifts_once_for_fixed_points_when_the_work_reaches_the_cost(allowed):
    context = DdContext(None, "dd.cudd")
    if allowed:
        context.reorder_large_tables()
    context.declare([f"{side}{k}"] for side in "ab" for k in range(8))
    context.reorder_once_for_fixed_points()
    equal = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(8))
    before = context.size(equal)
    context.reorder_if_large(before)
    assert context.size(equal) == before > 500  # sifting costs more than has been done
    for k in range(400):
        context.exists([f"a{k % 8}", f"b{k % 7}"], context.xor(equal, context.bit(f"a{k % 5}")))
    context.reorder_if_large(1000)
    assert context.size(equal) == before if not allowed else context.size(equal) < 50
