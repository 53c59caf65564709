"""The table of ``auto`` beside single methods, printed from a record."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

FAST = {"0": "holds", "1": "violated"}


def printed(
    folder: Path, cells: list[tuple[str, str, float, dict[str, str]]], *options: str
) -> subprocess.CompletedProcess[str]:
    """What the script prints of a folder's models with these cells: model, how, seconds, verdicts."""
    record = folder / "record.jsonl"
    for name in {model for model, *_ in cells}:
        (folder / name).write_text("MODULE main")
    lines = [
        {"model": model, "how": how, "seconds": seconds, "verdicts": verdicts, "by": "pdr", "all_properties": 2}
        for model, how, seconds, verdicts in cells
    ]
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    command = [sys.executable, "-m", "scripts.smv.auto_table", str(folder), "--record", str(record), "--print-only"]
    return subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False)


def test_rows_over_the_limit_and_losses_are_named(tmp_path: Path) -> None:
    done = printed(
        tmp_path,
        [
            ("near.smv", "auto", 1.9, FAST),
            ("near.smv", "pdr", 1.0, FAST),
            ("near.smv", "parts", 0.1, {"0": "holds"}),
            ("far.smv", "auto", 2.1, FAST),
            ("far.smv", "pdr", 1.0, FAST),
            ("alone.smv", "auto", 9.0, FAST),
            ("lost.smv", "auto", 9.0, {"0": "holds"}),
            ("lost.smv", "parts", 9.0, FAST),
        ],
    )
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "3 of 4 files (1 of them without a rival)" in text
    assert "Over it: far." in text
    assert "Decided by a single method and not by auto: lost." in text
    assert "near 2 of 2 pdr 1.90 1.00 pdr 1.90" in text


def test_only_rows_over_the_bound_are_printed(tmp_path: Path) -> None:
    cells = [
        ("near.smv", "auto", 1.9, FAST),
        ("near.smv", "pdr", 1.0, FAST),
        ("far.smv", "auto", 2.1, FAST),
        ("far.smv", "pdr", 1.0, FAST),
        ("part.smv", "auto", 3.0, {"0": "holds"}),
    ]
    text = " ".join(printed(tmp_path, cells, "--over").stdout.split())
    assert "far 2 of 2 pdr 2.10 1.00 pdr 2.10" in text
    assert "part 1 of 2" in text
    assert "near" not in text.partition("```")[2]
    assert "2 of 3 files (1 of them without a rival)" in text


def test_a_rival_is_stopped_when_it_cannot_matter(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "a.smv").write_text("MODULE main\nVAR b : boolean;\nASSIGN init(b) := TRUE; next(b) := b;\nINVARSPEC b\n")
    record = tmp_path / "record.jsonl"
    auto = {"model": "a.smv", "how": "auto", "seconds": 0.55, "verdicts": {"0": "holds"}, "by": "pdr"}
    bit = {"model": "", "how": "one bit", "seconds": 0.01, "verdicts": {}}
    record.write_text("".join(f"{json.dumps({**line, 'all_properties': 1})}\n" for line in (auto, bit)))
    command = [sys.executable, "-m", "scripts.smv.auto_table", str(folder), "--record", str(record), "--over"]
    subprocess.run([*command, "--methods", "pdr"], cwd=ROOT, capture_output=True, check=True)
    cells = [json.loads(line) for line in record.read_text().splitlines()]
    (rival,) = [cell for cell in cells if cell["how"] == "pdr"]
    assert rival["verdicts"] == {}


def test_a_contradiction_is_an_error(tmp_path: Path) -> None:
    done = printed(tmp_path, [("a.smv", "auto", 1.0, FAST), ("a.smv", "pdr", 1.0, {"0": "violated"})])
    assert done.returncode == 20
    assert "CONTRADICTION a.smv 0: pdr says violated, auto holds" in done.stdout
