"""symag check --reuse: what is said, written and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from symag.core.evidence.documents import read_evidence
from tests.cli.conftest import Ran, Symag

MODEL = """MODULE main
VAR a : 0..7; b : 0..7; on : boolean;
ASSIGN init(a) := 0; init(b) := 0;
next(a) := on & a < {top} ? a + 1 : 0; next(b) := on & b < {top} ? b + 1 : 0;
INVARSPEC NAME bound := a < 7
INVARSPEC NAME same := a = b
LTLSPEC NAME often := G F on
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "first.smv").write_text(MODEL.format(top=5))
    (tmp_path / "spaced.smv").write_text(MODEL.format(top=5).replace("ASSIGN", "ASSIGN  -- the same\n"))
    (tmp_path / "larger.smv").write_text(MODEL.format(top=6))
    (tmp_path / "wrong.smv").write_text(MODEL.format(top=7))
    return tmp_path


def by_name(ran: Ran) -> list[dict[str, Any]]:
    return [next(item for item in ran.json["results"] if item["name"] == name) for name in ("bound", "same", "often")]


def proofs(symag: Symag, folder: Path) -> Path:
    assert symag("check", folder / "first.smv", "--certificate", folder / "proof.json").status == 10
    return folder / "proof.json"


def test_the_whole_proof_serves_a_version_that_differs_in_nothing_that_matters(symag: Symag, folder: Path) -> None:
    earlier = proofs(symag, folder)
    ran = symag("check", folder / "spaced.smv", "--reuse", earlier, "--json", "--certificate", folder / "new.json")
    bound, same, often = by_name(ran)
    for result in (bound, same):
        assert (result["verdict"], result["method"], result["certified"]) == ("holds", "reuse", True)
        assert result["notes"] == [f"reused the whole proof in {folder}/proof-{result['name']}.json"]
    assert often["verdict"] == "violated"
    assert not often["notes"]
    written = read_evidence(folder / "new-bound.json", "certificate")
    assert written.get("model", str) == str(folder / "spaced.smv")
    assert symag("certify", folder / "spaced.smv", folder / "new-bound.json").status == 0


def test_what_is_left_of_it_serves_another_version(symag: Symag, folder: Path) -> None:
    (folder / "proofs").mkdir()
    symag(
        "check",
        folder / "first.smv",
        "--direction",
        "forward",
        "--method",
        "monolithic",
        "--certificate",
        folder / "proofs",
    )
    ran = symag("check", folder / "larger.smv", "--property", "bound", "--reuse", folder / "proofs")
    assert ran.status == 0
    assert "bound holds: reuse (sets)" in ran.out
    assert "0 of its 1 sets are as they were, 1 enlarged" in ran.out


def test_no_proof_hides_a_violation(symag: Symag, folder: Path) -> None:
    ran = symag("check", folder / "wrong.smv", "--reuse", proofs(symag, folder), "--json")
    bound, same, _ = by_name(ran)
    assert (bound["verdict"], bound["certified"]) == ("violated", True)
    assert (same["verdict"], same["certified"]) == ("holds", True)


def test_a_proof_that_is_of_no_use_explains_nothing(symag: Symag, folder: Path) -> None:
    forward = ("--property", "bound", "--method", "monolithic", "--direction", "forward")
    symag("check", folder / "first.smv", *forward, "--certificate", folder / "set.json")
    bounded = ("--property", "bound", "--method", "bmc", "--bound", "2", "--json")
    alone = symag("check", folder / "wrong.smv", *bounded)
    ran = symag("check", folder / "wrong.smv", *bounded, "--reuse", folder / "set.json")
    (expected,), (result,) = alone.json["results"], ran.json["results"]
    assert (result["verdict"], result["reason"]) == (expected["verdict"], expected["reason"])
    assert [entry["method"] for entry in result["race"]] == ["reuse", "bmc"]
    assert "no earlier proof proves the property any more" in result["race"][0]["outcome"]


def test_bad_paths(symag: Symag, folder: Path) -> None:
    model = folder / "first.smv"
    missing = symag("check", model, "--reuse", folder / "nothing.json")
    assert (missing.status, missing.err.strip()) == (2, f"symag: --reuse {folder}/nothing.json: there is no such file")
    (folder / "empty").mkdir()
    empty = symag("check", model, "--reuse", folder / "empty")
    assert empty.status == 2
    assert "has no certificate of an SMV model" in empty.err
    (folder / "cut.json").write_text('{"schema": 1, "kind": "certificate"')
    cut = symag("check", model, "--reuse", folder / "cut.json")
    assert cut.status == 3
    assert "truncated" in cut.err
    assert len(cut.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("method", "kind", "specification"),
    [
        ("monolithic", "fair-emptiness", "LTLSPEC NAME p := G (ON -> X !ON)"),
        ("pdr", "no-fair-lasso", "LTLSPEC NAME p := G (ON -> X !ON)"),
        ("rule-g", "assume-guarantee", "INVARSPEC NAME p := !(ON & low)"),
    ],
)
def test_a_proof_with_formulas_of_other_names_does_not_end_the_check(
    symag: Symag, tmp_path: Path, method: str, kind: str, specification: str
) -> None:
    """Once an error without an answer to any property: ``<expression>:1:5: 'on' is not declared``."""
    model = f"""MODULE main
    VAR ON : boolean; low : boolean;
    ASSIGN init(ON) := TRUE; next(ON) := !ON; init(low) := FALSE; next(low) := !low;
    {specification}
    """
    first, later, proof = tmp_path / "first.smv", tmp_path / "later.smv", tmp_path / "proof.json"
    first.write_text(model.replace("ON", "on"))
    later.write_text(model.replace("ON", "up"))
    assert symag("check", first, "--method", method, "--certificate", proof).status == 0
    assert read_evidence(proof, "certificate").member("evidence").get("kind", str) == kind
    ran = symag("check", later, "--reuse", proof)
    assert ran.status == 0
    assert "p holds" in ran.out
