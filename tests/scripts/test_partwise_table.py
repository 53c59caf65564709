"""The table of facts and part-wise reachability, printed from a record."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT


def printed(
    folder: Path, *cells: tuple[str, str, dict[str, str]], compare: str = "facts"
) -> subprocess.CompletedProcess[str]:
    """What the script prints of models with these cells: model, way, verdicts."""
    record = folder / "record.jsonl"
    lines = [{"model": m, "way": way, "seconds": 1.0, "verdicts": v, "properties": 2} for m, way, v in cells]
    record.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    files = [str(folder / f"{name}.smv") for name in dict.fromkeys(name for name, *_ in cells)]
    command = [
        sys.executable,
        "-m",
        "scripts.smv.partwise_table",
        *files,
        "--record",
        str(record),
        "--print-only",
        "--compare",
        compare,
    ]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_gains_and_losses_are_named(tmp_path: Path) -> None:
    done = printed(
        tmp_path,
        ("gain", "facts", {"0": "holds", "1": "violated"}),
        ("gain", "together", {}),
        ("gain", "separate", {"0": "holds", "1": "violated"}),
        ("loss", "facts", {"0": "holds"}),
        ("loss", "together", {"1": "holds"}),
        ("loss", "separate", {}),
    )
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "gain 2 1 1.00 0 1.00 1 1.00" in text
    assert "Proved by part-wise reachability and not by facts: loss (1)." in text
    assert "Proved by facts and not by part-wise reachability: loss (1)." in text


def test_files_without_properties_have_no_row(tmp_path: Path) -> None:
    (tmp_path / "none.smv").write_text("MODULE main VAR x : boolean;")
    command = [sys.executable, "-m", "scripts.smv.partwise_table", str(tmp_path), "--limit", "20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Proved by part-wise reachability and not by facts: none." in " ".join(done.stdout.split())


def test_a_contradiction_is_an_error(tmp_path: Path) -> None:
    cells = [("a", "facts", {"0": "holds"}), ("a", "together", {"0": "violated"}), ("a", "separate", {})]
    done = printed(tmp_path, *cells)
    assert done.returncode == 20
    assert "CONTRADICTION a 0: together says violated" in done.stdout


def test_what_splits_gain_and_lose_is_named(tmp_path: Path) -> None:
    cells = (("a", "split", {"0": "holds"}), ("a", "whole", {}), ("b", "split", {}), ("b", "whole", {"1": "holds"}))
    done = printed(tmp_path, *cells, compare="splits")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "Proved by sets that are not split and not by sets that are: b (1)." in text
    assert "Proved by sets that are and not by sets that are not split: a (1)." in text
