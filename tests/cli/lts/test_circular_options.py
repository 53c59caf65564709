"""``--guarantees`` and ``--selectors`` of the method circular."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Symag
from tests.conftest import ROOT

MODEL = str(ROOT / "models" / "lts" / "client_server.lts")


@pytest.mark.parametrize("sets", ["maximal", "minimal", "3;3;3;0,1,2"])
def test_guarantee_sets(symag: Symag, sets: str) -> None:
    found = symag("check", MODEL, "--property", "safety", "--method", "circular", "--guarantees", sets, "--json")
    assert found.status == 0
    (result,) = found.json["results"]
    assert result["certified"]
    assert result["statistics"]["parts"] == 4


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ("1;2", "guarantees are given for 2 parts; there are 4"),
        ("0;1;2;3", "part 0 may rely on others of the 4 parts only"),
        ("all", "neither maximal nor minimal"),
    ],
)
def test_wrong_guarantee_sets(symag: Symag, sets: str, message: str) -> None:
    found = symag("check", MODEL, "--property", "safety", "--method", "circular", "--guarantees", sets)
    assert found.status == 2
    assert message in found.err


def test_not_for_other_models(symag: Symag) -> None:
    found = symag("check", str(ROOT / "models" / "counter.smv"), "--guarantees", "minimal")
    assert found.status == 2
    assert "--guarantees is for labelled transition systems" in found.err
