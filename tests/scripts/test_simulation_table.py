"""The script that prints Table 1 of agar-lpts-2012 beside ours."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize("wrong", [False, True])
def test_a_row(wrong: bool) -> None:
    told = ["--row", "CSN(2)", "--method", "ASym", "--method", "Mono", *(["--wrong"] if wrong else [])]
    ran = subprocess.run(
        [sys.executable, "scripts/simulation_table.py", *told],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    header, _, printed, ours = ([cell.strip() for cell in line.split("|")[1:-1]] for line in ran.stdout.splitlines())
    assert len(printed) == len(header)
    assert len(ours) == len(header)
    assert printed[:6] == ["CSN(2)", "paper", "34", "15", "25", "9"]
    assert ours[:6] == ["", "symag", "34", "15", "25", "9"]
    place = header.index("ASym AM")
    assert int(ours[place]) <= 9
