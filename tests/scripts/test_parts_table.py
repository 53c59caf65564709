"""``scripts/smv/parts_table.py``: what counts as a win, and what is told of rows that are not measured to their end."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from scripts.measuring import measurements
from scripts.measuring.measure import Decision
from scripts.measuring.measurements import Measurements, Record

ROOT = Path(__file__).resolve().parent.parent.parent
SETTINGS = {"timeout": 40.0, "repeat": 1, "when": "today", "machine": "here", "tools": [], "models": "dataflow"}
METHODS = ("monolithic --direction forward", "monolithic --direction backward", "bmc", "k-induction", "pdr")


def printed(folder: Path, bits: int, *answers: tuple[str, float]) -> tuple[int, str]:
    """The status and the text of the table about one model; an answer is a verdict with its seconds, parts' first."""
    (folder / "m.smv").write_text(f"MODULE main VAR x : word[{bits}]; INVARSPEC x = x;\n")
    lines: list[object] = [SETTINGS]
    for how, (verdict, seconds) in zip(("parts", *METHODS), answers, strict=False):
        reason = "timeout" if verdict == "unknown" else None
        decision = {"verdict": verdict, "seconds": seconds, "reason": reason, "certified": verdict != "unknown"}
        lines.append({"cell": ["m", "symag", "--method", *how.split()], "decision": decision})
    record = folder / "record.jsonl"
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    command = [sys.executable, "-m", "scripts.smv.parts_table", str(folder), "--record", str(record), "--print-only"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, " ".join(done.stdout.split())


def test_nobody_else_within_ten_times_is_a_win_on_large_models(tmp_path: Path) -> None:
    status, text = printed(tmp_path, 100, ("holds", 1.0), *[("unknown", 10.4)] * 5)
    assert status == 0
    assert "m 100 holds 1.00 > 10.5 > 10.5 > 10.5 > 10.5 > 10.5 > 10" in text
    assert "on 1 of 1 models" in text
    assert "on 0 of 1 models" in printed(tmp_path, 99, ("holds", 1.0), *[("unknown", 10.4)] * 5)[1]


def test_a_loss_is_told_and_what_is_not_measured_is_no_win(tmp_path: Path) -> None:
    lost = printed(tmp_path, 100, ("holds", 2.0), ("holds", 1.0), *[("unknown", 21.0)] * 4)[1]
    assert "2.00 1.00 > 21 > 21 > 21 > 21 0.5" in lost
    assert "on 0 of 1 models" in lost
    assert "on 0 of 1 models" in printed(tmp_path, 100, ("holds", 1.0), ("unknown", 10.4))[1]


def test_a_contradiction_is_told(tmp_path: Path) -> None:
    assert printed(tmp_path, 100, ("holds", 1.0), ("violated", 1.0), *[("unknown", 10.4)] * 4)[0] == 20


def test_engines_of_symag_have_seconds_of_their_processes_not_of_the_clock(tmp_path: Path, monkeypatch) -> None:
    model = tmp_path / "m.smv"
    model.write_text("MODULE main VAR x : boolean; INVARSPEC x;\n")
    record = Record.of(argparse.Namespace(timeout=3.0, repeat=1, record=None, print_only=False), {})
    asked = []

    def noted(path, options, timeout, repeat, processor=False):
        asked.append((timeout, processor))
        return [({}, Decision("violated", 0.1))]

    monkeypatch.setattr(measurements, "check", noted)
    Measurements({"m": (model, None)}, record, {"m": "violated"}).symag("m", "bmc")
    assert asked == [(3.0, True)]
