"""PRISM models with several initial states on the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from symag.lpts.language.reading import read_system
from tests.cli.conftest import Symag

SYSTEM = """
mdp
module counter
  x : [0..4];
  [up] x<4 -> 1/2 : (x'=x+1) + 1/2 : true;
  [top] x=4 -> true;
endmodule
module light
  on : bool;
  [top] !on -> (on'=true);
endmodule
"""
WANTED = """
mdp
module wanted
  w : [0..1];
  [up] w=0 -> true;
  [top] w=0 -> (w'=1);
endmodule
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    system, wanted = tmp_path / "system.nm", tmp_path / "wanted.nm"
    system.write_text(SYSTEM)
    wanted.write_text(WANTED)
    return system, wanted


def test_a_model_with_several_initial_states(symag: Symag, files: tuple[Path, Path]) -> None:
    system, wanted = files
    told = ("--specification", wanted, "--method", "agar", "--json")
    assert symag("check", system, *told).json["results"][0]["verdict"] == "holds"
    system.write_text(SYSTEM + "init !on endinit")
    (result,) = symag("check", system, *told).json["results"]
    assert (result["verdict"], result["certified"]) == ("holds", True)
    wanted.write_text(WANTED.replace("[up] w=0", "[up] w=1"))
    (result,) = symag("check", system, *told).json["results"]
    assert (result["verdict"], result["certified"]) == ("violated", True)
    root, first, *_ = result["trace"]["steps"]
    assert (root["action"], first["action"]) == (None, "(init)")
    assert first["state"]["on"] is False
    wanted.write_text(WANTED.replace("[up] w=0", "[up] w=1") + "init w>=0 endinit")
    (result,) = symag("check", system, *told).json["results"]
    assert (result["verdict"], result["certified"]) == ("violated", True)


def test_a_specification_with_several_initial_states(symag: Symag, files: tuple[Path, Path]) -> None:
    system, wanted = files
    wanted.write_text(WANTED.replace("w=0", "w=1").replace("(w'=1)", "(w'=0)"))
    told = ("--specification", wanted, "--json")
    assert symag("check", system, *told).json["results"][0]["verdict"] == "violated"
    wanted.write_text(wanted.read_text() + "init w>=0 endinit")
    (result,) = symag("check", system, *told).json["results"]
    assert (result["verdict"], result["certified"]) == ("holds", True)


def test_a_formula_is_not_decided(symag: Symag, files: tuple[Path, Path]) -> None:
    system, _ = files
    system.write_text(SYSTEM + "init !on endinit")
    ran = symag("check", system, "--formula", "P<=0.5 [F top]", "--json")
    (result,) = ran.json["results"]
    assert (ran.status, result["verdict"], result["reason"]) == (30, "unknown", "unsupported")
    assert "a formula is decided from one initial state, and there are several" in ran.json["warnings"][0]


def test_all_components_start_together(files: tuple[Path, Path]) -> None:
    system, wanted = files
    wanted.write_text(WANTED + "init w>=0 endinit")
    found = read_system(str(system), [str(wanted)])
    assert [each.states for each in found.components] == [7, 3]
    assert np.array_equal(found.values[1].columns[0], [0, 0, 1])
