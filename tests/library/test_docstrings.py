"""Every public function of the library has an example in its docstring, which prints what it says."""

from __future__ import annotations

import doctest

import pytest

import symag
from tests.conftest import ROOT


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ran = doctest.testmod(symag, extraglobs={"symag": symag})
    assert ran.failed == 0
    assert ran.attempted >= 15


def test_every_public_function_has_an_example() -> None:
    functions = {f"symag.{name}" for name in symag.__all__ if callable(getattr(symag, name))}
    assert functions == {test.name for test in doctest.DocTestFinder().find(symag) if test.examples} - {"symag"}
