"""``--bdd``, ``--certify-bdd``: all packages of decision diagrams give the same answers, here and from Python."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import symag as library
from symag.core.errors import UsageError
from symag.smv.certify.circuits.packages import Manager, Package, new_manager
from tests.cli.conftest import Symag


@pytest.mark.long
@pytest.mark.parametrize(("method", "digit"), [("monolithic", "violated"), ("rule-g", "unknown")])
def test_the_answers_are_the_same(symag: Symag, method: str, digit: str) -> None:
    pytest.importorskip("oxidd")
    answers = []
    for engine in ("dd", "oxidd", "auto"):
        ran = symag("check", "models/counter.smv", "--bdd", engine, "--method", method, "--json")
        answers.append([(each["verdict"], each["certified"], each["trace"]) for each in ran.json["results"]])
    assert answers[0] == answers[1] == answers[2]
    assert [verdict for verdict, _, _ in answers[0]] == ["holds", digit]


def test_a_package_that_is_not_there_is_said_so(symag: Symag, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "oxidd", None)
    ran = symag("check", "models/counter.smv", "--bdd", "oxidd", "--json")
    assert ran.status == 30
    assert {each["reason"] for each in ran.json["results"]} == {"unsupported"}
    assert "the package oxidd is not installed (pip install oxidd)" in ran.json["warnings"][0]


def test_from_python() -> None:
    pytest.importorskip("oxidd")
    model = library.read("models/counter.smv")
    assert [each.result.verdict for each in library.check(model, bdd="oxidd")] == [
        each.result.verdict for each in library.check(model, bdd="dd")
    ]
    with pytest.raises(UsageError, match="bdd is one of auto, dd, oxidd"):
        library.check(model, bdd="cudd")


def test_another_language_has_no_use_for_it(symag: Symag) -> None:
    ran = symag("check", "models/lts/mer.lts", "--bdd", "dd")
    assert ran.status == 2
    assert "--bdd is for SMV models" in ran.err


def test_the_recheck_uses_the_other_package(symag: Symag, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("oxidd")
    model, proof = tmp_path / "ring.smv", tmp_path / "proof.json"
    model.write_text(
        "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nCTLSPEC AG EF x = 2\n"
    )
    used = tmp_path / "used"
    used.touch()

    def recorded(package: Package) -> Manager:
        with used.open("a") as record:
            record.write(f"{package}\n")
        return new_manager(package)

    monkeypatch.setattr("symag.smv.certify.circuits.decision_diagrams.new_manager", recorded)
    for package in ("dd", "oxidd"):
        ran = symag("check", str(model), "--bdd", "dd", "--certify-bdd", package, "--certificate", str(proof), "--json")
        assert [(each["verdict"], each["certified"]) for each in ran.json["results"]] == [("holds", True)]
        assert symag("certify", str(model), str(proof), "--certify-bdd", package).status == 0
    assert used.read_text().split() == ["dd", "dd", "oxidd", "oxidd"]


def test_packages_are_what_they_are_called() -> None:
    pytest.importorskip("oxidd")
    assert type(new_manager("dd").diagrams).__module__ in ("dd.cudd", "dd.autoref")
    assert type(new_manager("oxidd").diagrams).__module__.endswith("oxidd_manager")


def test_a_recheck_without_its_package_is_refused_at_once(symag: Symag, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symag.smv.certify.circuits.packages._has_oxidd", lambda: False)
    ran = symag("check", "models/counter.smv", "--certify-bdd", "oxidd")
    assert (ran.status, ran.out) == (2, "")
    assert "--certify-bdd oxidd: the package oxidd is not installed (pip install oxidd)" in ran.err
