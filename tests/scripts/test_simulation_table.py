"""The script that prints Table 1 of agar-lpts-2012 beside ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.lpts import simulation_table
from tests.conftest import ROOT


def table(*told: str) -> tuple[subprocess.CompletedProcess[str], list[dict[str, str]]]:
    ran = subprocess.run(
        [sys.executable, "-m", "scripts.lpts.simulation_table", *told],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    lines = (line for line in ran.stdout.splitlines() if line.startswith("|"))
    header, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
    return ran, [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.long
@pytest.mark.parametrize("wrong", [False, True])
def test_a_row(wrong: bool) -> None:
    told = ["--row", "CSN(2)", "--method", "ASym", "--method", "Mono", *(["--wrong"] if wrong else [])]
    ran, (by_parts, whole) = table(*told)
    assert (ran.returncode, ran.stderr) == (0, "")
    answer = f"{'violated' if wrong else 'holds'}, certified"
    assert [each["answer"] for each in (by_parts, whole)] == [answer, answer]
    assert (by_parts["L1"], by_parts["L2"], by_parts["P"], whole["L"]) == ("25 / 25", "9 / 9", "15 / 15", "34 / 34")
    assert (by_parts["paper s"], by_parts["paper AM"], whole["paper s"]) == ("0.7", "7", "0.1")
    assert int(by_parts["AM"]) <= 9
    assert float(by_parts["CPU s"]) > 0


@pytest.mark.long
def test_a_killed_run_goes_on_from_its_record(tmp_path: Path) -> None:
    record = tmp_path / "cells.jsonl"
    known = {"row": "CSN(2)", "method": "Mono", "wrong": False, "timeout": 7, "verdict": "unknown"}
    known |= {"reason": "timeout", "certified": False, "statistics": {"cpu_seconds": 12.5}}
    record.write_text(json.dumps(known) + '\n{"row": "CSN(2)", "meth')
    told = ["--row", "CSN(2)", "--method", "Mono", "--method", "Textbook", "--record", str(record), "--resume"]
    for _ in range(2):
        ran, (kept, fresh) = table(*told)
        assert ran.returncode == 0
        assert (kept["CPU s"], kept["answer"]) == ("12.5", "timeout at 7 s")
        assert fresh["answer"] == "holds, certified"
    first, _, last = record.read_text().splitlines()
    assert (json.loads(first)["method"], json.loads(last)["method"]) == ("Mono", "Textbook")


@pytest.mark.long
def test_auto_beside_the_methods() -> None:
    ran, (row, other) = table("--auto", "--row", "CSN(2)", "--method", "Mono", "--method", "agar", "--orders", "1")
    assert list(row) == [
        "model",
        "agar",
        "Mono",
        "auto",
        "auto is",
        "best",
        "MiB of best",
        "MiB of auto",
        "auto / best",
    ]
    assert (row["model"], other["model"]) == ("CSN(2)", "CSN(2), order 1")
    assert (row["auto is"], other["auto is"]) == ("monolithic", "monolithic")
    assert float(row["auto"]) > 0
    assert (ran.returncode == 0) == (ran.stderr == "")


@pytest.mark.parametrize(("wrong", "status"), [(True, 0), (False, 1)])
def test_auto_is_asked_about_the_wrong_specification_too(
    wrong: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(row: object, method: str, timeout: float, memory: int, is_wrong: bool, order: int) -> dict[str, object]:
        figures = {"cpu_seconds": 1.0, "memory_mib": 30.0}
        return {"verdict": "violated", "certified": is_wrong is wrong, "statistics": figures, "by": "monolithic"}

    monkeypatch.setattr(simulation_table, "asked", asked)
    row = simulation_table.Row("CSN(2)", (), (), "", "")
    assert simulation_table.auto_table([row], 0, ("Mono", "auto"), 1.0, 1, wrong) == status
