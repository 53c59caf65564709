"""The states of learned assumptions along a run, on its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.core.trace import Step, Trace
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certify import read_certificate
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.reports.trace_assumptions import assumption_signals
from tests.cli.conftest import Symag, symag  # noqa: F401 - a fixture
from tests.conftest import ROOT
from tests.traces.conftest import Shown

MODEL = "models/counter.smv"


@pytest.fixture
def parity(symag: Symag, tmp_path: Path) -> Path:  # noqa: F811
    file = tmp_path / "parity.json"
    asked = ("--property", "parity_right", "--method", "rule-g", "--certificate", file)
    assert symag("check", MODEL, *asked).status == 0
    return file


def test_along_a_run(symag: Symag, shown: Shown, tmp_path: Path, parity: Path) -> None:  # noqa: F811
    file = tmp_path / "run.html"
    assert symag("simulate", MODEL, "--steps", "5", "--trace", file, "--assumptions", parity).status == 0
    page = shown(file)
    page.locator("#filter").fill("assumption 1")
    # Even and odd take turns.
    assert page.locator(".row[data-signal] .cell").all_inner_texts() == ["0", "1", "0", "1", "0", "1"]


def test_nothing_is_judged_behind_an_unsafe_state(parity: Path) -> None:
    """The counter is odd and the bit says even: what comes after that no assumption judges."""
    system = read_flat_system(str(ROOT / MODEL))
    checked, certificate = read_certificate(parity, system)
    assert isinstance(certificate, AssumeGuarantee)
    steps = (Step({"digit": 0, "odd": False}), Step({"digit": 1, "odd": False}), Step({"digit": 2, "odd": False}))
    columns = [signal.column for signal in assumption_signals(system, checked, certificate, Trace("finite", steps))]
    assert columns[1] == ("0", "1", "free")
    assert columns[0][2] == "free"
    wrong_bit = Trace("finite", (Step({"digit": 0, "odd": False}), Step({"digit": 2, "odd": True})))
    columns = [signal.column for signal in assumption_signals(system, checked, certificate, wrong_bit)]
    assert columns == [("0", "1"), ("0", "1 rejects")]


def test_wrong_use(symag: Symag, tmp_path: Path, parity: Path) -> None:  # noqa: F811
    ran = symag("simulate", MODEL, "--assumptions", parity)
    assert (ran.status, "--assumptions is for a page" in ran.err) == (2, True)
    other = tmp_path / "set.json"
    asked = ("--property", "parity_right", "--method", "monolithic", "--certificate", other)
    assert symag("check", MODEL, *asked).status == 0
    ran = symag("simulate", MODEL, "--trace", tmp_path / "t.html", "--assumptions", other)
    assert (ran.status, "this certificate has no assumptions" in ran.err) == (3, True)
