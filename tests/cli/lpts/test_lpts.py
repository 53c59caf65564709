"""``info``, ``convert`` and ``simulate`` on PRISM models, as a user runs them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Symag = Callable[..., Ran]

COIN = """
mdp
const double p = 1/3;
module coin
  side : [0..2]; thrown : bool;
  [throw] !thrown -> p : (side'=1) & (thrown'=true) + 1-p : (side'=2) & (thrown'=true);
  [again] thrown & side=1 -> (side'=0) & (thrown'=false);
endmodule
module player
  throws : [0..2];
  [throw] throws<2 -> (throws'=throws+1);
endmodule
label "heads" = side=1;
"""


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.nm"
    path.write_text(COIN)
    return str(path)


def test_info_counts_self_loops_of_deadlocks_and_says_so(symag: Symag, coin: str) -> None:
    said = symag("info", coin, "--json")
    found = json.loads(said.out)
    assert said.status == 0
    assert {key: found[key] for key in ("type", "modules", "states", "choices", "transitions")} == {
        "type": "mdp",
        "modules": 2,
        "states": 7,
        "choices": 7,
        "transitions": 9,
    }
    assert (found["schema"], found["model"]) == (1, coin)
    assert (found["deadlock_states"], found["deadlock_self_loops_counted"]) == (3, True)
    assert found["labels"] == {"heads": 2}
    assert "a self-loop counted for each of 3 deadlock states" in symag("info", coin).out


def test_info_says_what_it_counts_and_how_many(symag: Symag, coin: str, tmp_path: Path) -> None:
    one, listed = tmp_path / "one.nm", tmp_path / "one.tra"
    one.write_text('module m x:[0..1]; endmodule label "zero" = x=0;')
    listed.write_text("1 1 1\n0 0 0 1.0 a\n")
    _, counts, label = symag("info", one).out.splitlines()
    assert counts.startswith("1 reachable state, 1 choice, 1 transition (")
    assert label == 'label "zero": 1 state'
    assert "7 reachable states, 7 choices, 9 transitions (" in symag("info", coin).out
    assert "1 state, 1 choice, 1 transition (" in symag("info", listed).out


def test_info_of_components_from_several_files(symag: Symag, coin: str, tmp_path: Path) -> None:
    other = tmp_path / "limit.nm"
    other.write_text("module limit n:[0..1]; [again] n=0 -> (n'=1); endmodule")
    found = json.loads(symag("info", coin, "--component", other, "--json").out)
    assert [(each["name"], each["states"]) for each in found["components"]] == [("coin", 7), ("limit", 2)]
    blocked = json.loads(symag("info", coin, "--component", other, "--alphabet", "limit=throw", "--json").out)
    assert blocked["states"] == 1
    assert symag("info", coin, "--component", "x.aut").status == 2
    assert symag("info", coin, "--alphabet", "nobody=throw").status == 2
    assert symag("info", coin, "--const", "q=1").status == 2
    assert symag("info", coin, "--const", "p=2").status == 3


def test_explicit_files_make_the_same_system(symag: Symag, coin: str, tmp_path: Path) -> None:
    for suffix in ("tra", "lab", "sta", "drn", "dot"):
        assert symag("convert", coin, tmp_path / f"x.{suffix}").status == 0
    found = json.loads(symag("info", tmp_path / "x.tra", "--json").out)
    assert [found[key] for key in ("states", "choices", "transitions")] == [7, 7, 9]
    assert "0 0 1 1/3 throw" in (tmp_path / "x.tra").read_text()
    assert (tmp_path / "x.sta").read_text().splitlines()[:2] == ["(side,thrown,throws)", "0:(0,false,0)"]
    assert (tmp_path / "x.lab").read_text().startswith('0="init" 1="deadlock" 2="heads"\n0: 0\n1: 2\n')
    drn = (tmp_path / "x.drn").read_text()
    assert "\taction throw\n\t\t1 : 1/3\n\t\t2 : 2/3\n" in drn
    assert "@nr_choices\n7\n" in drn
    assert 'd0 -> 1 [label="1/3"];' in (tmp_path / "x.dot").read_text()
    assert "0 0 1 0.3333333333333333 throw" in symag("convert", coin, "-", "--to", "tra", "--decimals").out
    assert symag("convert", coin, tmp_path / "x.aig").status == 2


def test_walks_are_seeded_guided_and_written(symag: Symag, coin: str, tmp_path: Path) -> None:
    first = symag("simulate", coin, "--seed", "3", "--json", "--trace", tmp_path / "walk.json")
    again = symag("simulate", coin, "--seed", "3", "--json")
    assert first.status == 0
    assert first.out == again.out
    found = json.loads(first.out)
    assert found["ending"] == "a deadlock"
    steps = found["trace"]["steps"]
    assert steps[0] == {"state": {"side": 0, "thrown": False, "throws": 0}, "input": {}, "action": "throw"}
    assert Fraction(found["probability"]) == Fraction(found["probabilities"][0]) * (
        Fraction(found["probabilities"][2]) if len(found["probabilities"]) > 1 else 1
    )
    for seed in range(8):
        guided = symag("simulate", coin, "--seed", seed, "--guide", tmp_path / "walk.json", "--json")
        assert json.loads(guided.out)["trace"] == found["trace"]
    (tmp_path / "actions").write_text("throw\nagain\n-\n")
    sides = set()
    for seed in range(20):
        done = json.loads(symag("simulate", coin, "--seed", seed, "--guide", tmp_path / "actions", "--json").out)
        sides.add(done["trace"]["steps"][1]["state"]["side"])
        assert done["ending"] in (None, "the guide's step is not possible", "a deadlock")
    assert sides == {1, 2}


def test_a_walk_of_ones_own_choice(symag: Symag, coin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n0\nq\n"))
    said = symag("simulate", coin, "-i", "--steps", "3")
    assert said.status == 0
    assert "[throw] 1/3: side = 1, thrown = true, throws = 1" in said.err
    assert "-- the run ends after 2 steps: stopped" in said.out


def test_trees_show_variables_by_the_names_of_the_model(symag: Symag) -> None:
    folder = "models/lpts"
    said = symag(
        "check", f"{folder}/client_server3.nm", "--specification", f"{folder}/client_server3_wrong.nm", "--json"
    )
    steps = json.loads(said.out)["results"][0]["trace"]["steps"]
    assert steps[0]["state"] == {"s": 0, "i": 0, "j": 0, "c1": 3, "c2": 0, "c3": 0}


def test_walks_through_several_files_tell_equal_names_apart(symag: Symag, coin: str, tmp_path: Path) -> None:
    other = tmp_path / "limit.nm"
    other.write_text("module limit side:[0..1]; [again] side=0 -> (side'=1); endmodule")
    found = json.loads(symag("simulate", coin, "--component", other, "--steps", "1", "--json").out)
    state = {"coin.side": 0, "thrown": False, "throws": 0, "limit.side": 0}
    assert found["trace"]["steps"][0]["state"] == state


def test_a_smallest_system_keeps_labels(symag: Symag, tmp_path: Path) -> None:
    """Two throws that differ in name only are one; the state with a label of its own stays."""
    model = tmp_path / "twins.nm"
    model.write_text(
        "mdp\nmodule m\n x : [0..4];\n [go] x=0 -> 1/3:(x'=1) + 1/6:(x'=2) + 1/2:(x'=3);\n"
        ' [end] x>0 & x<4 -> (x\'=4);\nendmodule\nlabel "left" = x=3;\n'
    )
    assert symag("convert", model, tmp_path / "x.tra", "--minimise", "strong").status == 0
    lines = (tmp_path / "x.tra").read_text().splitlines()
    assert sorted(lines[1:]) == ["0 0 1 0.5 go", "0 0 2 0.5 go", "1 0 3 1 end", "2 0 3 1 end"]
    assert symag("convert", model, tmp_path / "x.lab", "--minimise", "strong").status == 0
    assert (tmp_path / "x.lab").read_text() == '0="init" 1="deadlock" 2="left"\n0: 0\n2: 2\n3: 1\n'
    assert symag("convert", model, tmp_path / "x.sta", "--minimise", "strong").status == 0
    assert (tmp_path / "x.sta").read_text() == "(x)\n0:(0)\n1:(1)\n2:(3)\n3:(4)\n"
    assert symag("convert", model, tmp_path / "x.tra", "--minimise", "weak").status == 2
