"""The SAT engines at the command line: answers, certificates in files, bounds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Symag, symag
from tests.conftest import ROOT

__all__ = ["symag"]

COUNTER = ROOT / "models" / "counter.smv"


@pytest.mark.parametrize("method", ["pdr", "k-induction"])
def test_a_proof_survives_its_file(symag: Symag, tmp_path: Path, method: str) -> None:
    path = tmp_path / "proof.json"
    done = symag("check", COUNTER, "--property", "0", "--method", method, "--certificate", path, "--json")
    (result,) = json.loads(done.out)["results"]
    assert (result["verdict"], result["method"], result["certified"]) == ("holds", method, True)
    done = symag("certify", COUNTER, path, "--show")
    assert done.status == 0
    assert "inductive over" in done.out
    assert "accepted: the property holds" in done.out


def test_a_changed_proof_is_refused(symag: Symag, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    symag("check", COUNTER, "--property", "0", "--method", "pdr", "--certificate", path)
    document = json.loads(path.read_text())
    bits = [["digit", 0], ["odd", 0]]
    document["evidence"] |= {"bits": bits, "clauses": [[1, 2]]}
    path.write_text(json.dumps(document))
    done = symag("certify", COUNTER, path)
    assert done.status != 0
    document["evidence"]["clauses"] = [[99]]
    path.write_text(json.dumps(document))
    assert symag("certify", COUNTER, path).status == 3


def test_a_bound_is_said(symag: Symag) -> None:
    done = symag("check", COUNTER, "--property", "0", "--method", "bmc", "--bound", "7")
    assert done.status == 30
    assert "bound: no violation within 7 steps" in done.out


def test_a_bound_of_the_search_by_parts(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "deep.smv"
    model.write_text(
        "MODULE main VAR n : unsigned word[20]; ASSIGN init(n) := 0ud20_0; next(n) := n + 0ud20_3;\n"
        "INVARSPEC n != 0ud20_900001; INVARSPEC n != 0ud20_27"
    )
    bounded = ("check", model, "--method", "parts", "--invariants", "facts", "--bound")
    done = symag(*bounded, "7")
    assert "no violation within 7 steps" in done.out
    assert "violated" not in done.out
    assert symag(*bounded, "12").out.count("violated") > 0


def test_a_bounded_search_without_limits_ends(symag: Symag) -> None:
    done = symag("check", COUNTER, "--property", "0", "--method", "bmc", "--json")
    (result,) = done.json["results"]
    assert (result["verdict"], result["reason"], result["statistics"]["steps"]) == ("unknown", "bound", 100)


def test_an_aiger_file_is_decided_by_all(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "toggle.aag"
    model.write_text("aag 3 1 2 0 0 2\n2\n4 5\n6 4 1\n7\n4\n")
    for method in ("monolithic", "bmc", "k-induction", "pdr", "auto"):
        results = json.loads(symag("check", model, "--json", "--method", method).out)["results"]
        assert [result["verdict"] for result in results] == ["violated", "violated"]
        assert all(result["certified"] for result in results)


def test_an_undecided_run_says_where_it_was(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "deep.smv"
    model.write_text(
        "MODULE main VAR n : unsigned word[40]; ASSIGN init(n) := 0ud40_0; next(n) := n + 0ud40_3;\n"
        "INVARSPEC n != 0ud40_900000000001"
    )
    done = symag("check", model, "--timeout", "4", "--json", "-v")
    (result,) = json.loads(done.out)["results"]
    assert (result["verdict"], result["reason"]) == ("unknown", "timeout")
    (search,) = (entry for entry in result["race"] if entry["method"] == "monolithic (both directions)")
    assert search["outcome"] == "timeout"
    assert search["figures"]["rings"] > 0
    assert "encoding_seconds" in search["figures"]
    assert "ring " in search["last_progress"]


def test_a_method_out_of_time_says_how_far_it_came(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "deep.smv"
    model.write_text(
        "MODULE main VAR n : unsigned word[40]; ASSIGN init(n) := 0ud40_0; next(n) := n + 0ud40_3;\n"
        "INVARSPEC n != 0ud40_900000000001"
    )
    done = symag("check", model, "--timeout", "3", "--method", "bmc", "--bound", "1000000")
    assert re.search(r"is unknown \(timeout\): bmc in \d+\.\d\d s, no violation within \d+ steps\n", done.out)
