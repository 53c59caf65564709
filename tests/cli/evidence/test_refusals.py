"""Evidence that a re-check refuses: one answer is lost, not the run, and the evidence is kept for a report."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import symag.smv.certify as judge
from symag.cli.batch import status_of
from symag.cli.output.batch_display import summary
from symag.core.errors import CertificationError
from symag.core.limits import JobLimits
from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.process.supervision import CommandExit
from symag.smv.certify.acceptance import accept
from symag.smv.model.flat import FlatSystem, Property
from symag.suites.jobs import Job
from symag.suites.outcomes import outcome_of
from symag.suites.store import JobOutcome, Row
from tests.cli.conftest import Ran, Symag
from tests.conftest import ROOT

SMV = """MODULE main
VAR x : 0..3;
ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
INVARSPEC x < 4
INVARSPEC NAME suspect := x < 3
LTLSPEC G F x = 3
INVARSPEC x > 0
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model; the re-check of those of its properties that speak of 3 refuses or stumbles."""

    def refusing(
        system: FlatSystem, item: Property, result: PropertyResult, seconds: float | None, **settings: Any
    ) -> PropertyResult:
        if item.name == "suspect":
            raise CertificationError("the trace is no run")
        if item.kind == "LTL":
            raise AssertionError("stumbled")
        return accept(system, item, result, seconds, **settings)

    monkeypatch.setattr(judge, "accept", refusing)
    path = tmp_path / "m.smv"
    path.write_text(SMV)
    return path


def in_folder(symag: Symag, folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: object) -> Ran:
    monkeypatch.chdir(folder)
    return symag(*arguments)


def test_the_others_are_decided(symag: Symag, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = in_folder(symag, tmp_path, monkeypatch, "check", model)
    assert ran.status == 1
    assert "-- invariant x < 4  is true" in ran.out
    assert "-- invariant x < 3  is unknown" in ran.out
    assert "is unknown (re-check refused: the trace is no run; the evidence is kept in " in ran.out
    assert "is unknown (re-check refused: internal error: AssertionError: stumbled; " in ran.out
    assert "-- invariant x > 0  is false" in ran.out
    assert "-- 4 properties: 1 holds, 2 unknown, 1 violated" in ran.out
    assert "Traceback" not in ran.err
    kept = re.findall(r"kept in (\S+); please report it", ran.out)
    assert sorted(kept) == sorted(str(path) for path in tmp_path.glob("symag-refused-m-*.json"))
    assert len(kept) == 2


def test_json_names_the_file(symag: Symag, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = in_folder(symag, tmp_path, monkeypatch, "check", model, "--json")
    assert ran.status == 1
    results = ran.json["results"]
    assert [each["verdict"] for each in results] == ["unknown", "holds", "unknown", "violated"]  # LTL comes first
    refused = results[2]
    assert (refused["reason"], refused["trace"], refused["certificate"]) == ("re-check refused", None, None)
    assert any("property 2: re-check refused: the trace is no run" in warning for warning in ran.json["warnings"])
    assert results[1]["refused_evidence"] is None
    trace = json.loads(Path(refused["refused_evidence"]).read_text())
    assert trace["refused"]["verdict"] == "violated"
    assert trace["refused"]["why"] == "the trace is no run"
    proof = json.loads(Path(results[0]["refused_evidence"]).read_text())
    assert proof["refused"]["verdict"] == "holds"
    assert "AssertionError: stumbled" in proof["refused"]["details"]


def test_kept_evidence_is_read_by_replay_and_certify(
    symag: Symag, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it is right: only the judge of this test refused it."""
    ran = in_folder(symag, tmp_path, monkeypatch, "check", model, "--json")
    trace, proof = (ran.json["results"][place]["refused_evidence"] for place in (2, 0))
    assert symag("replay", model, trace).status == 10
    assert symag("certify", model, proof).status == 0


def test_a_folder_that_takes_no_file(
    symag: Symag, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(gone)
    gone.rmdir()
    ran = symag("check", model, "--property", "suspect", "--json")
    assert ran.status == 1
    (result,) = ran.json["results"]
    assert Path(result["refused_evidence"]).is_file()


def test_in_the_library(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import symag

    monkeypatch.chdir(tmp_path)
    answers = symag.check(model)
    assert [answer.result.verdict.value for answer in answers] == ["unknown", "holds", "unknown", "violated"]
    assert Path(str(answers[2].result.refused_evidence)).is_file()
    assert answers[2].result.trace is None


def test_a_job_of_a_batch(
    symag: Symag,
    model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = in_folder(symag, tmp_path, monkeypatch, "check", model, "--property", "suspect", "--json")
    (tmp_path / "out").write_text(ran.out)
    job = Job(str(model), "suspect", "INVARSPEC", "x < 3")
    outcome = outcome_of(CommandExit(ran.status, None, 1.0, 0.9, 20.0), job, str(tmp_path / "out"), "errors")
    assert outcome.verdict == "unknown"
    assert outcome.reason is not None
    assert outcome.reason.startswith("re-check refused: the trace is no run; the evidence is kept in ")

    def row(found: JobOutcome) -> Row:
        return Row("key", job, found, JobLimits(), "symag check", "now", 1, "here")

    assert status_of([row(outcome)]) == 1
    assert any(outcome.reason in line for line in summary([row(outcome)]))
    assert status_of([row(replace(outcome, reason="timeout"))]) == 0


FSP = """
P = (a -> P).
Q = (a -> b -> Q).
||SYS = (P || Q).
"""


def test_labelled_transition_systems(symag: Symag, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: Any) -> None:
        raise CertificationError("an action is missing")

    monkeypatch.setattr("symag.lts.checking.check.check_absence", refusing)
    model = tmp_path / "p.lts"
    model.write_text(FSP)
    ran = in_folder(symag, tmp_path, monkeypatch, "check", model, "--json")
    assert ran.status == 1
    results = ran.json["results"]
    assert {each["reason"] for each in results} == {"re-check refused"}
    assert all(Path(each["refused_evidence"]).is_file() for each in results)


def test_probabilistic_systems(symag: Symag, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: Any) -> None:
        raise CertificationError("a bound is too low")

    monkeypatch.setattr("symag.lpts.certify.safety_formulas.check", refusing)
    model = ROOT / "models" / "lpts" / "client_server3.nm"
    ran = in_folder(symag, tmp_path, monkeypatch, "check", model, "--formula", "P<=0.1 [X use1]", "--json")
    assert ran.status == 1
    (result,) = ran.json["results"]
    assert (result["verdict"], result["reason"]) == ("unknown", "re-check refused")
    kept = json.loads(Path(result["refused_evidence"]).read_text())
    assert kept["kind"] == "certificate"
    assert kept["refused"]["why"] == "a bound is too low"
