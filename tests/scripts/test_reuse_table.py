"""The table of what earlier proofs save: versions that differ in one value, and a row for each that still holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.smv.reuse_table import changed, proofs_of
from tests.conftest import ROOT

MODEL = """MODULE main
VAR a : 0..3; on : boolean;
ASSIGN init(on) := TRUE;
  init(a) := case on : 0; TRUE : 1; esac;
  next(a) := on & a < 2 ? a + 1 : 0;
INVARSPEC NAME bound := a < 3
"""


def test_each_constant_of_an_assignment_is_changed_once() -> None:
    versions = list(changed(MODEL))
    assert [line for line, _ in versions] == [3]
    assert versions[0][1] == MODEL.replace("init(on) := TRUE", "init(on) := FALSE")


def test_aiger_and_btor2_differ_in_one_line() -> None:
    aiger = "aag 3 1 1 1 1\n2\n4 6\n6\n6 2 5\n"
    assert [line for line, _ in changed(aiger, ".aag")] == [3, 5]
    assert "4 6 1" in dict(changed(aiger, ".aag"))[3]
    assert "6 3 5" in dict(changed(aiger, ".aag"))[5]
    (version,) = changed("1 sort bitvec 2\n2 const 1 11\n3 state 1\n", ".btor2")
    assert version == (2, "1 sort bitvec 2\n2 const 1 00\n3 state 1\n")


def test_models_of_one_name_and_properties_of_one_model_have_proofs_of_their_own(tmp_path: Path) -> None:
    """Else the second one's cost is that of the first: dme2-16 is in two folders of NuSMV's suite."""
    models = [tmp_path / folder / "model.smv" for folder in ("a", "b")]
    for model, value in zip(models, "01", strict=True):
        model.parent.mkdir()
        model.write_text(MODEL.replace("on : 0", f"on : {value}"))
    asked = [(model, name, method) for model in models for name in (None, "bound") for method in ("auto", "pdr")]
    assert len({proofs_of(*each, tmp_path) for each in asked}) == 8
    assert proofs_of(models[0], None, "pdr", tmp_path) == proofs_of(models[0], None, "pdr", tmp_path)


@pytest.mark.long
def test_a_row_has_both_costs_and_what_was_reused(tmp_path: Path) -> None:
    model = tmp_path / "model.smv"
    model.write_text(MODEL)
    command = [
        sys.executable,
        "-m",
        "scripts.smv.reuse_table",
        f"{model}:bound",
        "--changes",
        "1",
        "--methods",
        "monolithic",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    row = done.stdout.splitlines()[-2].split()
    assert row[:3] == ["model", "monolithic", "3"]
    first, reused = map(float, row[3:5])
    assert min(first, reused) > 0
    assert row[5] == "-"
    # The seconds are rounded to hundredths, the share to whole per cent.
    least, most = (reused - 0.005) / (first + 0.005), (reused + 0.005) / (first - 0.005)
    assert 100 * least - 0.5 <= float(row[6].rstrip("%")) <= 100 * most + 0.5
    assert row[7:] == ["of", "1", "properties:", "1", "whole", "proofs,", "0", "in", "part"]
