"""Certificates and traces in files: written, re-checked, shown, and refused when they are wrong."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from symag.smv.checking.trace_files import NAMES
from tests.cli.conftest import Symag

MODEL = "models/counter.smv"


@pytest.fixture
def certificate(symag: Symag, tmp_path: Path) -> Path:
    path = tmp_path / "certificate.json"
    ran = symag("check", MODEL, "--property", "parity_right", "--certificate", path, "--json")
    assert ran.json["results"][0]["certificate"] == str(path)
    return path


@pytest.fixture
def trace(symag: Symag, tmp_path: Path) -> Path:
    path = tmp_path / "trace.json"
    assert symag("check", MODEL, "--property", "below_five", "--trace", path).status == 10
    return path


def test_a_certificate_is_accepted(symag: Symag, certificate: Path) -> None:
    ran = symag("certify", MODEL, certificate, "--show")
    assert ran.status == 0
    assert ran.out.splitlines()[0].startswith("an inductive set of states: ")
    assert ran.out.endswith("accepted: the property holds\n")
    assert symag("certify", MODEL, certificate, "--json").json["certified"] is True


def test_a_trace_is_accepted_and_shown(symag: Symag, trace: Path) -> None:
    ran = symag("replay", MODEL, trace)
    assert ran.status == 10
    assert "  -> State: 1.6 <-\n    digit = 5\n    odd = TRUE\n" in ran.out
    assert symag("replay", MODEL, trace, "--json").json["certified"] is True


@pytest.mark.parametrize("suffix", NAMES)
def test_every_format_is_written_and_replayed(symag: Symag, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace.{suffix}"
    assert symag("check", MODEL, "--property", "below_five", "--trace", path).status == 10
    ran = symag("replay", MODEL, path, "--property", "below_five")
    assert ran.status == 10
    assert ran.out.endswith("trace against digit < 5  accepted: the property is violated\n")
    odd = tmp_path / "trace.dat"
    assert symag("check", MODEL, "--property", "below_five", "--trace", odd, "--trace-format", suffix).status == 10
    # A page names the file in the command that replays it.
    assert odd.read_text().replace("trace.dat", f"trace.{suffix}") == path.read_text()
    assert symag("replay", MODEL, odd, "--property", "below_five", "--full").status == 10


def test_a_run_that_refutes_nothing_is_a_run(symag: Symag, tmp_path: Path) -> None:
    path = tmp_path / "trace.xml"
    assert symag("check", MODEL, "--property", "below_five", "--trace", path).status == 10
    text = path.read_text()
    node = text.index('\t<node>\n\t\t<state id="6">')
    path.write_text(text[:node] + text[text.index("\t<loops>") :])
    ran = symag("replay", MODEL, path)
    assert (ran.status, ran.err) == (0, "")
    assert "a run of models/counter.smv, which violates none" in ran.out
    assert symag("replay", MODEL, path, "--property", "below_five").status == 1
    path.write_text(text.replace(">3<", ">4<"))
    assert symag("replay", MODEL, path).status == 1


def test_a_run_that_explains_a_branching_property_decides_nothing(symag: Symag, tmp_path: Path) -> None:
    model, path = tmp_path / "m.smv", tmp_path / "trace.txt"
    model.write_text("MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := {x, 2};\nSPEC AG EF x = 0\n")
    assert symag("check", model, "--trace", path).status == 10
    ran = symag("replay", model, path)
    assert (ran.status, ran.err) == (30, "")
    assert "undecided (a run of the model, but it does not refute the property all by itself)" in ran.out
    assert symag("replay", model, path, "--json").json["refuted"] == []
    path.write_text(path.read_text().replace("x = 2", "x = 1"))
    assert symag("replay", model, path).status == 1


def test_truncated_and_foreign_files_are_bad_input(
    symag: Symag, certificate: Path, trace: Path, tmp_path: Path
) -> None:
    text = certificate.read_text()
    truncated = tmp_path / "truncated.json"
    truncated.write_text(text[: len(text) // 2])
    for command, path in (
        ("certify", truncated),
        ("certify", trace),
        ("certify", tmp_path),
        ("certify", tmp_path / "missing.json"),
        ("replay", certificate),
        ("replay", Path(MODEL)),
    ):
        ran = symag(command, MODEL, path)
        assert ran.status == 3, (command, path)
        assert ran.err.count("\n") == 1
        assert str(path) in ran.err


def test_evidence_of_another_model_is_refused(symag: Symag, certificate: Path, trace: Path) -> None:
    for command, path in (("certify", certificate), ("replay", trace)):
        ran = symag(command, "models/junction.smv", path)
        assert ran.status == 3
        assert ran.err.count("\n") == 1


def _change(value: Any, path: list[Any], new: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


def test_false_evidence_is_refused(symag: Symag, certificate: Path, trace: Path) -> None:
    document = json.loads(certificate.read_text())
    _change(document, ["evidence", "conjuncts"], [1])
    certificate.write_text(json.dumps(document))
    ran = symag("certify", MODEL, certificate)
    assert (ran.status, ran.out) == (1, "")
    assert "refused" in ran.err

    document = json.loads(trace.read_text())
    _change(document, ["evidence", "steps", 2, "state", "digit"], 3)
    trace.write_text(json.dumps(document))
    ran = symag("replay", MODEL, trace)
    assert (ran.status, ran.out) == (1, "")
    assert "refused" in ran.err


def test_folders_for_several_properties(symag: Symag, tmp_path: Path) -> None:
    folder = f"{tmp_path}/evidence/"
    assert symag("check", MODEL, "--certificate", folder, "--trace", folder).status == 10
    assert sorted(path.name for path in (tmp_path / "evidence").iterdir()) == ["below_five.json", "parity_right.json"]


_FLAWED = (
    "MODULE main\nVAR x : boolean; y : 0..3;\nASSIGN init(y) := 0; next(y) := {rule};\nINVARSPEC y != 3\nCTLSPEC EF x\n"
)


@pytest.mark.parametrize("number", ["0", "1"])
def test_evidence_of_a_model_with_errors_of_evaluation_is_refused(symag: Symag, tmp_path: Path, number: str) -> None:
    model, flawed = tmp_path / "m.smv", tmp_path / "f.smv"
    model.write_text(_FLAWED.format(rule="x ? (y < 3 ? y + 1 : 3) : y"))
    flawed.write_text(_FLAWED.format(rule="y + toint(x)"))
    expected = symag("check", flawed, "--property", number)
    assert (expected.status, expected.err) == (3, f"symag: {flawed}:3:35: cannot assign value 4 to variable y\n")
    evidence = tmp_path / "evidence.json"
    option, command = ("--trace", "replay") if number == "1" else ("--certificate", "certify")
    assert symag("check", model, "--property", number, option, evidence).status == (10 if number == "1" else 0)
    assert symag(command, model, evidence).status == (10 if number == "1" else 0)
    old, new = (sha256(path.read_bytes()).hexdigest() for path in (model, flawed))
    assert old in evidence.read_text()
    evidence.write_text(evidence.read_text().replace(str(model), str(flawed)).replace(old, new))
    ran = symag(command, flawed, evidence)
    assert (ran.status, ran.out, ran.err) == (3, "", expected.err)


def test_a_model_with_errors_of_evaluation_has_no_facts(symag: Symag, tmp_path: Path) -> None:
    flawed = tmp_path / "f.smv"
    flawed.write_text(_FLAWED.format(rule="y + toint(x)"))
    ran = symag("facts", flawed)
    assert (ran.status, ran.out, ran.err) == (3, "", f"symag: {flawed}:3:35: cannot assign value 4 to variable y\n")
