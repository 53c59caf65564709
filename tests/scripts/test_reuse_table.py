"""The table of what earlier proofs save: versions that differ in one value, and a row for each that still holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reuse_table import changed
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


@pytest.mark.long
def test_a_row_has_both_costs_and_what_was_reused(tmp_path: Path) -> None:
    model = tmp_path / "model.smv"
    model.write_text(MODEL)
    command = [sys.executable, "scripts/reuse_table.py", f"{model}:bound", "--changes", "1", "--methods", "monolithic"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    row = done.stdout.splitlines()[-1].split()
    assert row[:3] == ["model", "monolithic", "3"]
    first, fresh, reused, ratio = map(float, row[3:7])
    assert min(first, fresh, reused) > 0
    assert abs(ratio - reused / fresh) < 0.05
    assert row[7:] == ["reused", "the", "whole", "proof"]
