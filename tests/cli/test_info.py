"""``symag info`` and ``symag partition``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Symag
from tests.conftest import ROOT


def test_sizes(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(
        "MODULE main\nVAR x : 0..5; w : unsigned word[40];\nIVAR i : {a, b, c};\nFROZENVAR f : boolean;\n"
        "ASSIGN init(x) := 0; next(x) := (x + 1) mod 6; init(w) := 0ud40_0;\n"
        "INVARSPEC NAME small := x < 6\nSPEC AG x < 6\n"
    )
    report = symag("info", model, "--json", "--reachable").json
    assert report == {
        "schema": 1,
        "model": str(model),
        "variables": 4,
        "bits": 46,
        "state_bits": 43,
        "input_bits": 2,
        "frozen_bits": 1,
        "properties": [
            {"index": 0, "kind": "CTL", "name": None, "text": "AG x < 6", "line": 7},
            {"index": 1, "kind": "INVARSPEC", "name": "small", "text": "x < 6", "line": 6},
        ],
        # w is free after the start: 1 + 5 * 2^40 pairs, and again x = 0 with any w; twice for f. No double is exact.
        "reachable_states": 2 * 6 * 2**40,
        "diameter": 7,
    }


def test_reachable_under_a_limit(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(
        "MODULE main\nVAR a : unsigned word[28]; b : unsigned word[28];\n"
        "ASSIGN next(a) := a * b; next(b) := a + b;\nINVARSPEC a != b\n"
    )
    ran = symag("info", model, "--reachable", "--timeout", "0.5")
    assert ran.status == 30
    assert ran.out.endswith("reachable states: unknown (timeout)\n")


def test_the_diameter_where_states_are_found_by_chaining(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(
        "MODULE cell(other)\nVAR n : 0..2;\nASSIGN init(n) := 0;\n"
        "  next(n) := case n < 2 & n <= other : n + 1; TRUE : n; esac;\n"
        "MODULE main\nVAR x : process cell(y.n); y : process cell(x.n);\n"
    )
    report = symag("info", model, "--json", "--reachable").json
    # 00; 10 01; 11; 21 12; 22
    assert (report["reachable_states"], report["diameter"]) == (7, 5)


def test_parts_as_text_json_and_picture(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(
        "MODULE main\nVAR a : boolean; b : boolean; c : boolean; d : boolean;\n"
        "ASSIGN next(a) := !b; next(b) := a; next(c) := d & b; next(d) := c;\nINVARSPEC a | b\n"
    )
    picture = tmp_path / "parts.dot"
    ran = symag("partition", model, "--parts", "2", "--dot", picture)
    assert (ran.status, ran.err) == (0, "")
    assert "part 0: a, b\n  reads:   nothing\n  is read: b\n" in ran.out
    assert picture.read_text().startswith("digraph")
    best = symag("partition", model, "--parts", "2", "--json").json["partition"]
    assert [part["variables"] for part in best["parts"]] == [["a", "b"], ["c", "d"]]
    assert (best["io"], best["io_bits"], best["mx"]) == (["b"], 1, 3)
    cone = symag("partition", model, "--property", "0", "--json").json["partition"]
    assert [part["variables"] for part in cone["parts"]] == [["a", "property"], ["b"]]


def test_a_property_that_depends_on_too_little_to_be_cut(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text("MODULE main VAR a : boolean; b : boolean; INVARSPEC a INVARSPEC b")
    ran = symag("partition", model, "--property", "0")
    assert ran.status == 2
    assert "2 parts are more than the variables on which the property depends (1 of 2)" in ran.err
    assert symag("partition", model, "--property", "0", "--no-cone-of-influence").status == 0
    assert "give --property once" in symag("partition", model, "--property", "0", "--property", "1").err


def test_what_metis_says_is_not_among_the_results() -> None:
    command = [sys.executable, "-m", "symag", "partition", "models/simple8.smv", "--parts", "9", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True)
    assert len(json.loads(done.stdout)["partition"]["parts"]) == 9


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_leaves_the_exit_status(closed: str) -> None:
    for command, status in (("info", 0), ("partition", 0), ("check", 10)):
        line = f"{sys.executable} -m symag {command} models/counter.smv {closed}"
        done = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
        assert (done.returncode, done.stderr) == (status, "")


def test_sizes_of_fsp(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text("P = (a -> b -> P).\nQ = (b -> c -> R).\n||S = (P || Q) \\ {b}.\n||T = (P || Q).\n")
    ran = symag("info", model)
    assert (ran.status, ran.err) == (
        0,
        f"symag: warning: {model}: line 2: the local process R is not defined: it is ERROR\n",
    )
    assert ran.out == (
        "P: 2 states, 2 transitions\nQ: 2 states, 2 transitions\n"
        "||S: 4 states, 5 transitions\n||T: 4 states, 5 transitions\n"
    )
    assert symag("info", model, "--json", "--target", "T").json == {
        "schema": 1,
        "model": str(model),
        "processes": {},
        "composites": {"T": {"states": 4, "transitions": 5, "product": {"states": 4, "transitions": 5}}},
    }
    assert "no composite 'U'; there are S, T" in symag("info", model, "--target", "U").err
    binary = tmp_path / "n.lts"
    binary.write_bytes(b"\0\x8b\xaf\1\2\0\0")
    ran = symag("info", binary)
    assert (ran.status, ran.err) == (
        3,
        f"symag: {binary}: this is an LTS in mCRL2's binary format, expected the text of a model "
        "('ltsconvert' makes an .aut of it)\n",
    )
