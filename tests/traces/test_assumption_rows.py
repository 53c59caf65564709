"""The states of learned assumptions along a run, on its page."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from symag.core.results import Verdict
from symag.core.trace import Step, Trace
from symag.lts.checking.by_parts import run_along
from symag.lts.lts import ERROR, Lts
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certify import read_certificate
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.reports.trace_page import assumption_signals, explained_report
from symag.smv.methods.by_parts import rule_g, rule_s
from symag.smv.methods.options import SmvOptions
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


@pytest.mark.long
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


@pytest.mark.parametrize("method", ["rule-s", "rule-g"])
@pytest.mark.parametrize("look_ahead", [True, False])
def test_beside_a_counterexample_by_parts(method: str, look_ahead: bool) -> None:
    """The assumptions that were learned until the violation appeared, along its states."""
    system = read_flat_system(str(ROOT / "models/simple4_broken.smv"))
    (checked,) = (item for item in system.properties if item.name == "never")
    decide = {"rule-s": rule_s.decide, "rule-g": rule_g.decide}[method]
    options = SmvOptions(parts=2, look_ahead=look_ahead and method == "rule-g", early_falsification=False)
    result = decide(system, checked, options, lambda _: None)
    assert result.verdict is Verdict.VIOLATED
    assert result.trace is not None
    assert len(result.assumption_runs) == {"rule-s": 1, "rule-g": 2}[method]
    for run in result.assumption_runs:
        assert len(run) == len(result.trace.steps)
        assert run[0].split()[0] == "0"
        # The word is one that every assumption has to forbid.
        assert run[-1].endswith(" rejects")
    (row, *_) = explained_report(
        system, checked, result.trace, "t.html", result.assumption_runs
    ).explanation.assumptions
    assert (row.name, row.column) == ("assumption 0", result.assumption_runs[0])


def shown_in(file: Path) -> dict[str, Any]:
    data = re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", file.read_text(), re.DOTALL)
    assert data is not None
    shown: dict[str, Any] = json.loads(data[1])
    return shown


def rows_of(file: Path) -> dict[str, list[str]]:
    signals = shown_in(file)["signals"]
    return {signal["name"]: signal["t"] for signal in signals if signal["kind"] == "assumption"}


@pytest.mark.parametrize("method", ["lstar", "agar", "circular", "quotient"])
def test_beside_a_trace_of_processes(symag: Symag, tmp_path: Path, method: str) -> None:  # noqa: F811
    file = tmp_path / "t.html"
    asked = ("--target", "MER", "--property", "safety", "--const", "Rescinding=0", "--method", method, "--trace", file)
    assert symag("check", "models/lts/mer.lts", *asked).status == 10
    rows = rows_of(file)
    # Of three parts: one of each but the last, one of each, one for all but the first.
    assert set(rows) == {f"assumption {k}" for k in range({"circular": 3, "quotient": 1}.get(method, 2))}
    assert {texts[0] for texts in rows.values()} == {"0"}
    assert len({text for texts in rows.values() for text in texts}) > 1
    # The assumption that L* has learned does not allow what leads to ERROR; an abstraction allows all that is real.
    if method != "circular":
        assert ("outside" in rows["assumption 0"]) == (method == "lstar")


@pytest.mark.parametrize("method", ["cegar", "agar", "agar-n"])
def test_beside_a_tree(symag: Symag, tmp_path: Path, method: str) -> None:  # noqa: F811
    file = tmp_path / "t.html"
    formula = "P<=0.1 [F use1]"
    ran = symag("check", "models/lpts/client_server3.nm", "--formula", formula, "--method", method, "--trace", file)
    assert ran.status == 10, ran.err
    rows = rows_of(file)
    assert rows
    assert all(text.isdecimal() for texts in rows.values() for text in texts)
    assert all(texts[0] == "0" for texts in rows.values())


@pytest.mark.parametrize(
    "asked",
    [
        ("models/lts/mer.lts", "--const", "Rescinding=0", "--target", "MER", "--property", "safety"),
        ("models/lpts/client_server3.nm", "--formula", "P<=0.1 [F use1]"),
    ],
)
def test_a_page_shows_the_command_that_makes_it(symag: Symag, tmp_path: Path, asked: tuple[str, ...]) -> None:  # noqa: F811
    file = tmp_path / "t.html"
    assert symag("check", *asked, "--trace", file).status == 10
    assert shlex.split(shown_in(file)["command"]) == ["symag", "check", *asked, "--trace", str(file)]


def test_states_of_an_automaton_along_labels() -> None:
    automaton = Lts.of("A", ("tau", "a", "b"), 3, [(0, 1, 1), (0, 1, 2), (1, 2, 0), (2, 2, 2)])
    assert run_along(automaton, ["x", "a", None, "b"]) == ("0", "0", "{1, 2}", "{1, 2}", "{0, 2}")
    assert run_along(automaton, ["b", "a"]) == ("0", "outside", "outside")


def test_states_of_a_quotient_along_labels() -> None:
    """Taus happen unseen; ERROR is no state of an assumption."""
    lts = Lts.of("N", ("tau", "a", "b"), 3, [(0, 0, 1), (1, 1, 2), (1, 2, ERROR), (2, 2, 0), (2, 2, 2)])
    assert run_along(lts, ["x", "a", None, "b"]) == ("{0, 1}", "{0, 1}", "2", "2", "{0, 1, 2}")
    assert run_along(lts, ["b", "a"]) == ("{0, 1}", "outside", "outside")


def test_wrong_use(symag: Symag, tmp_path: Path, parity: Path) -> None:  # noqa: F811
    ran = symag("simulate", MODEL, "--assumptions", parity)
    assert (ran.status, "--assumptions is for a page" in ran.err) == (2, True)
    other = tmp_path / "set.json"
    asked = ("--property", "parity_right", "--method", "monolithic", "--certificate", other)
    assert symag("check", MODEL, *asked).status == 0
    ran = symag("simulate", MODEL, "--trace", tmp_path / "t.html", "--assumptions", other)
    assert (ran.status, "this certificate has no assumptions" in ran.err) == (3, True)
