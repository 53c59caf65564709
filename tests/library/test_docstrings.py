"""The examples of the library's docstrings print what they say."""

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
