"""``symag simulate``: text, JSON, files, guides and questions."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from symag.smv.checking.trace_files import NAMES
from tests.cli.conftest import Symag

ARBITER = "models/arbiter4.smv"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.smv"
    path.write_text(
        "MODULE main\nVAR x : 0..3;\nIVAR go : boolean;\nDEFINE last := x = 3;\n"
        "ASSIGN init(x) := 0; next(x) := case go & x < 3 : x + 1; TRUE : x; esac;\nTRANS !last\n"
    )
    return path


def test_golden_output(symag: Symag, model: Path) -> None:
    ran = symag("simulate", model, "--constraint", "go")
    assert (ran.status, ran.err) == (0, "")
    assert (
        ran.out
        == """\
Trace Description: Simulation Trace
Trace Type: Simulation
  -> State: 1.1 <-
    x = 0
    last = FALSE
  -> Input: 1.2 <-
    go = TRUE
  -> State: 1.2 <-
    x = 1
  -> Input: 1.3 <-
  -> State: 1.3 <-
    x = 2
  -> Input: 1.4 <-
  -> State: 1.4 <-
    x = 3
    last = TRUE
-- the run ends after 3 steps: state 4 has no successor
"""
    )


def test_the_seed_decides(symag: Symag) -> None:
    runs = [symag("simulate", ARBITER, "--seed", seed, "--json").json for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0]["trace"] != runs[2]["trace"]
    assert (runs[0]["steps"], runs[0]["ending"], runs[0]["seed"]) == (10, None, 1)


@pytest.mark.parametrize("suffix", NAMES)
def test_a_run_in_a_file_is_replayed_and_guides(symag: Symag, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run.{suffix}"
    made = symag("simulate", ARBITER, "--seed", "5", "--steps", "4", "--trace", path)
    ran = symag("replay", ARBITER, path, "--json")
    assert (ran.status, ran.json["certified"], ran.json["refuted"]) in ((0, True, []), (10, True, [1]))
    again = symag("simulate", ARBITER, "--seed", "6", "--guide", path)
    assert again.out == made.out


def test_questions(symag: Symag, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("0\nx\n7\n1\nr\nq\n"))
    ran = symag("simulate", model, "-i")
    assert ran.status == 0
    assert ran.out.endswith("-- the run ends after 2 steps: stopped\n")
    assert "state 2: 2 choices\n" in ran.err
    assert "    1  go = TRUE -> x = 1\n" in ran.err
    assert "'7' is none of 0 to 1, r and q" in ran.err
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert symag("simulate", model, "-i").status == 130


def test_questions_about_a_large_model(symag: Symag, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = tmp_path / "large.smv"
    large.write_text(
        "MODULE main\nVAR x : 0..3; p : unsigned word[80];\nIVAR a : unsigned word[80]; b : unsigned word[80];\n"
        "ASSIGN init(x) := {1, 2}; init(p) := 0ud80_0; next(p) := a * b; next(x) := x;\n"
        "TRANS x = 1 -> a = 0ud80_3 & (b = 0ud80_5 | b = 0ud80_6)\nTRANS p != 0ud80_18\n"
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("9\nq\n"))
    ran = symag("simulate", large, "-i")
    assert (ran.status, ran.out) == (0, "-- no run (stopped)\n")
    assert "state 1: 2 choices\n" in ran.err
    assert "'9' is none of 0 to 1, r and q" in ran.err
    one = ran.err.index("x = 1") > ran.err.index("x = 2")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{int(one)}\n0\nr\nq\n"))
    ran = symag("simulate", large, "-i", "--seed", "0")
    assert "state 2: 2 choices\n" in ran.err
    assert ran.err.count("a = 0ud80_3, b = 0ud80_5 -> p = 0ud80_15") >= 1
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{int(not one)}\nr\nq\n"))
    ran = symag("simulate", large, "-i", "--seed", "0")
    assert "state 2: 20 choices, drawn from more\n" in ran.err
    assert ran.out.endswith("-- the run ends after 1 step: stopped\n")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--constraint", "x = 9 &"], 3, "<constraint>:1:8: unexpected"),
        (["--constraint", "y"], 3, "<constraint>:1:1: 'y' is not declared"),
        (["--constraint", "x"], 2, "the constraint 'x' is not boolean"),
        (["--constraint", "x = 3"], 2, "no initial state agrees with the constraint"),
        (["--guide", "nowhere.txt"], 3, "nowhere.txt: no such file"),
        (["--steps", "-1"], 2, "--steps"),
        (["--trace", "no/such/folder/t.txt"], 2, "cannot write no/such/folder/t.txt"),
    ],
)
def test_wrong_requests(symag: Symag, model: Path, arguments: list[str], status: int, message: str) -> None:
    ran = symag("simulate", model, *arguments)
    assert ran.status == status
    assert message in ran.err


@pytest.mark.parametrize("model", [ARBITER, "models/lts/mer.lts", "models/lpts/client_server3.nm"])
def test_a_run_that_no_memory_holds_is_refused_at_once(symag: Symag, model: str) -> None:
    ran = symag("simulate", model, "--steps", "99999999999")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "symag: a run has 0 to 1,000,000 steps, not 99999999999\n"
