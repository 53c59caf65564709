"""AIGER witnesses of the exported graph are runs of the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.core.errors import InputError
from symag.smv import read, read_text
from symag.smv.convert.aiger import to_aiger
from symag.smv.convert.witness import read_witness
from tests.cli.conftest import Symag

MODEL = """
MODULE main
VAR n : 2..6; s : {idle, busy}; w : boolean; free : -1..1;
IVAR go : boolean;
FROZENVAR k : unsigned word[3];
ASSIGN init(n) := 2; next(n) := case go & n < 6 : n + 1; TRUE : n; esac;
  init(s) := idle; next(s) := {idle, busy}; w := n = 4 & free = -1;
INIT k = 0ud3_5
TRANS next(s) = busy -> go
INVARSPEC !w
SPEC AG !(s = busy & n = 6)
LTLSPEC F n = 6
JUSTICE s = idle
"""


def _witness(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_values_are_those_of_the_model(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    system = read(str(model))
    graph = to_aiger(system, [p for p in system.properties if p.kind != "LTL"]).graph
    names = [graph.symbols["i", number] for number in range(len(graph.inputs))]
    assert names == ["s[0]'", "free[0]", "free[1]", "go"]
    latches = [graph.symbols["l", number] for number in range(len(graph.latches))]
    assert latches == ["n[0]", "n[1]", "n[2]", "s[0]", "k[0]", "k[1]", "k[2]", "_first_", "_ok_", "_seen_0_"]
    start = "000" + "0" + "101" + "110"
    text = _witness("1", "b0", start, "1101", "0001", "x00x", ".")
    trace = read_witness(text, "w.cex", system)
    assert [step.state["n"] for step in trace.steps] == [2, 3, 4]
    assert [step.state["s"] for step in trace.steps] == ["idle", "busy", "idle"]
    assert [step.state["free"] for step in trace.steps] == [0, -1, -1]
    assert [step.state["w"] for step in trace.steps] == [False, False, True]
    assert {step.state["k"] for step in trace.steps} == {5}
    assert [dict(step.inputs) for step in trace.steps] == [{"go": True}, {"go": True}, {}]
    witness = tmp_path / "w.cex"
    witness.write_text(text)
    replayed = symag("replay", model, witness, "--property", "2")
    assert (replayed.status, "accepted" in replayed.out) == (10, True)


def test_a_lasso_for_an_ltl_property(symag: Symag, tmp_path: Path) -> None:
    system = read_text("MODULE main VAR x : boolean; y : boolean; ASSIGN next(x) := y; LTLSPEC G F x LTLSPEC F x")
    graph = to_aiger(system, [system.properties[1]]).graph
    assert len(graph.justice) == 1
    # Nothing is ever true: the tableau's variable says that x will not be.
    zeros = "0" * len(graph.inputs)
    start = "".join("1" if graph.symbols["l", k] in ("_first_", "_ok_") else "0" for k in range(len(graph.latches)))
    trace = read_witness(_witness("1", "j0", start, zeros, zeros, zeros, "."), "w", system, system.properties[1])
    assert trace.kind == "lasso"
    assert trace.loop is not None
    assert not any(step.state["x"] for step in trace.steps)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "w.cex:1: expected a witness: a line with 1"),
        (("0",), "w.cex:1: expected a witness: a line with 1"),
        (("1", "b0", "0"), "w.cex:3: expected the values of 1 latches (0, 1 or x)|the file ends"),
        (("1", "b0", "01", "."), "w.cex:3: expected the values of 1 latches"),
        (("1", "b0", "0", "1", "."), "w.cex:4: expected the values of 0 inputs"),
        (("1", "b0", "0", "."), "w.cex:4: expected at least one step"),
        (("1", "j0", "0", "", "."), "w.cex:5: the latches never repeat"),
    ],
)
def test_what_is_no_witness(lines, message):
    system = read_text("MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := TRUE; INVARSPEC !x")
    with pytest.raises(InputError) as raised:
        read_witness(_witness(*lines), "w.cex", system)
    assert any(part in str(raised.value) for part in message.split("|"))


@pytest.mark.long
@pytest.mark.parametrize("chosen", [(), ("--property", "1"), ("--property", "2")])
def test_a_witness_of_one_property_of_several(symag: Symag, tmp_path: Path, chosen: tuple[str, ...]) -> None:
    """The circuit of one property has fewer latches than that of all, where fairness makes AG a justice property."""
    model, circuit, witness = tmp_path / "m.smv", tmp_path / "m.aig", tmp_path / "w.cex"
    model.write_text(
        "MODULE main\nVAR x : 0..3; b : boolean;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nJUSTICE b;\n"
        "SPEC AG x != 3\nLTLSPEC !(G F x = 2)\nINVARSPEC x != 1\n"
    )
    symag("convert", str(model), str(circuit), *chosen)
    assert symag("check", str(circuit), "--trace", str(witness)).status == 10
    for file in tmp_path.glob("w*.cex"):
        line = file.read_text().splitlines()[1]
        index = chosen[1] if chosen else {"j0": "0", "j1": "1", "b0": "2"}[line]
        assert symag("replay", str(model), str(file), "--property", index).status == 10, line
