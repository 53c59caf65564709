"""The values of variables that a .sta file beside a .tra file gives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from symag.core.errors import InputError
from symag.core.limits import Limits, no_progress
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.checking.info import info
from symag.lpts.convert.conversion import labels_text, states_text, transitions_text
from symag.lpts.language.reading import named_states, read_system
from symag.lpts.state_values import Value
from tests.conftest import ROOT

MODELS = ROOT / "models" / "lpts"


def files_of(path: Path) -> SimulationFiles:
    return SimulationFiles(str(path), (), None, None, {}, {})


def values(folder: Path, states: str, labels: str | None = None) -> list[dict[str, Value]]:
    (folder / "model.tra").write_text("2 1 1\n1 0 0 1 a\n")
    (folder / "model.sta").write_text(states)
    if labels is not None:
        (folder / "model.lab").write_text(labels)
    (found,) = read_system(str(folder / "model.tra")).values
    return [found.state(state) for state in range(2)]


def test_values_belong_to_their_states(tmp_path: Path) -> None:
    found = values(tmp_path, "(x,on)\n1:(-7,true)\n0:(3,false)\n")
    assert found == [{"x": 3, "on": False}, {"x": -7, "on": True}]
    assert isinstance(found[0]["on"], bool)


def test_they_follow_the_initial_state(tmp_path: Path) -> None:
    found = values(tmp_path, "(x)\n0:(3)\n1:(4)\n", '0="init" 1="deadlock"\n1: 0\n0: 1\n')
    assert found == [{"x": 4}, {"x": 3}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected the names of the variables in parentheses"),
        ("(x)\n0:(1)\n", "there is none for state 1"),
        ("(x)\n0:(1)\n0:(2)\n", "3:1: the state 0 is there twice"),
        ("(x)\n0:(1)\n2:(2)\n", "3:1: the state 2 is not below 2"),
        ("(x)\n0:(1)\n1:(1,2)\n", "3:1: expected a number, true or false for each of 1 variables, found 2 values"),
        ("(x)\n0:(1)\n1:(0.5)\n", "found '0.5'"),
        ("(x)\n0:(1)\n1 2\n", "3:1: expected a state and its values"),
    ],
)
def test_errors_say_where_and_what(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        values(tmp_path, text)
    assert message in str(error.value)


@pytest.mark.long
def test_a_tree_of_what_was_converted_shows_the_variables(tmp_path: Path) -> None:
    def symag(*told: str) -> str:
        command = [sys.executable, "-m", "symag", *told]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout

    for suffix in ("tra", "lab", "sta"):
        symag("convert", str(MODELS / "arbiter2.nm"), str(tmp_path / f"arbiter2.{suffix}"))
    wrong = str(MODELS / "arbiter2_wrong.nm")
    (found,) = json.loads(symag("check", str(tmp_path / "arbiter2.tra"), "--specification", wrong, "--json"))["results"]
    (same,) = json.loads(symag("check", str(MODELS / "arbiter2.nm"), "--specification", wrong, "--json"))["results"]
    assert found["verdict"] == same["verdict"] == "violated"
    assert set(found["trace"]["steps"][0]["state"]) == set(same["trace"]["steps"][0]["state"])


def test_several_initial_states_are_read_back(tmp_path: Path) -> None:
    (tmp_path / "m.nm").write_text(
        "module m x:[0..3]; [a] x<2 -> 1/3:(x'=3) + 2/3:(x'=x+1); [b] x=2 -> (x'=0); endmodule init x=1|x=2 endinit"
    )
    explicit = tmp_path / "m.tra"
    written = named_states(str(tmp_path / "m.nm"))
    explicit.write_text(transitions_text(written))
    (tmp_path / "m.lab").write_text(labels_text(written))
    (tmp_path / "m.sta").write_text(states_text(written))
    read = named_states(str(explicit))
    assert (read.initial_states, read.values.spelled(0)[:2]) == (2, ["1", "2"])
    assert read.lpts.triples() == written.lpts.triples()
    size = info(files_of(explicit), Limits(), no_progress)
    deadlocks = size["deadlock_states"]
    assert (size["states"], size["initial_states"], deadlocks) == (4, 2, 1)
    assert (size["choices"] - deadlocks, size["transitions"] - deadlocks) == (3, 5)
    (system,), (model,) = read_system(str(explicit)).components, read_system(str(tmp_path / "m.nm")).components
    assert system.triples() == model.triples()


def test_initial_states_come_first(tmp_path: Path) -> None:
    (tmp_path / "model.tra").write_text("4 3 3\n0 0 1 1 a\n1 0 2 1 a\n2 0 3 1 a\n")
    (tmp_path / "model.lab").write_text('0="init" 1="deadlock" 2="odd" 3="none"\n3: 0 1 2\n1: 0 2\n')
    (tmp_path / "model.sta").write_text("(x)\n0:(10)\n1:(11)\n2:(12)\n3:(13)\n")
    found = named_states(str(tmp_path / "model.tra"))
    values = [int(each) for each in found.values.spelled(0)]
    assert (found.initial_states, values[:2]) == (2, [11, 13])
    assert [(name, states.tolist()) for name, states in found.labels] == [("odd", [0, 1]), ("none", [])]
    size = info(files_of(tmp_path / "model.tra"), Limits(), no_progress)
    assert size["labels"] == {"odd": 2, "none": 0}
    steps = {(values[s], values[t]) for s, _, mu in found.lpts.triples() for t in mu}
    assert steps == {(10, 11), (11, 12), (12, 13)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('0="init"\n', "1:1: expected a state with the label"),
        ('0="init"\n2: 0\n', "2:1: expected a state below 2, found '2'"),
        ('0="init"\nx: 0\n', "2:1: expected a state below 2, found 'x'"),
        ('0="init"\n0: 0 7\n', "2:1: expected the number of a label, found '7'"),
        ("init\n0: 0\n", "1:1: expected numbers and labels"),
        ('0="deadlock"\n0: 0\n', '1:1: expected the label "init" in the first line'),
    ],
)
def test_what_is_wrong_with_labels(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        values(tmp_path, "(x)\n0:(1)\n1:(2)\n", text)
    assert message in str(error.value)
