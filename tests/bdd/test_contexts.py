"""The implementations of a BDD context, each under all tests of the contract."""

from __future__ import annotations

import pytest

from symag.bdd.context import BddContext
from symag.bdd.dd_context import DdContext
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
