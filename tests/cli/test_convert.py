"""``symag convert``, and AIGER files as models of the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Symag

MODEL = """MODULE main
VAR n : 0..5; s : {idle, busy}; w : process worker(n);
FROZENVAR limit : 1..5;
ASSIGN init(n) := 0; init(s) := idle; next(s) := case n = limit : busy; TRUE : {idle, s}; esac;
INVARSPEC NAME small := n <= limit
INVARSPEC NAME below := n < 4
SPEC AG n < 6
SPEC AF s = busy
MODULE worker(n)
ASSIGN next(n) := case n < 5 : n + 1; TRUE : n; esac;
"""


def _verdicts(symag: Symag, path: Path) -> dict[str | None, str]:
    report = symag("check", path, "--json", "--quiet", "--no-certify").json
    return {each["name"]: each["verdict"] for each in report["results"] if each["kind"] == "INVARSPEC"}


def test_every_format_keeps_the_verdicts(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    expected = {"small": "violated", "below": "violated"}
    assert _verdicts(symag, model) == expected
    for suffix in (".aag", ".aig"):
        output = tmp_path / f"m{suffix}"
        converted = symag("convert", model, output)
        assert converted.status == 0
        assert "left out, as AIGER cannot say it: CTL AF s = busy" in converted.err
        assert _verdicts(symag, output).items() >= expected.items()
    again = tmp_path / "again.smv"
    assert symag("convert", tmp_path / "m.aig", "--to", "smv", again).status == 0
    assert _verdicts(symag, again).items() >= expected.items()
    flat = tmp_path / "flat.smv"
    assert symag("convert", model, flat, "--property", "below").status == 0
    assert _verdicts(symag, flat) == {"below": "violated"}


def test_json_and_dot_name_every_variable(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    document = json.loads(symag("convert", model, "-", "--to", "json").out)
    names = [variable["name"] for variable in document["variables"]]
    assert document["schema"] == 1
    assert {"n", "s", "limit"} <= set(names)
    assert next(each for each in document["variables"] if each["name"] == "s")["values"] == ["idle", "busy"]
    assert [each["name"] for each in document["properties"]] == [None, None, "small", "below"]
    picture = symag("convert", model, "-", "--to", "dot").out
    assert picture.startswith("digraph dependencies {")
    assert '"limit" -> "s";' in picture
    assert all(f'"{name}"' in picture for name in names)


def test_a_counterexample_of_an_aiger_file_is_replayed_and_shows_no_gates(symag: Symag, tmp_path: Path) -> None:
    graph = tmp_path / "m.aig"
    assert symag("convert", "models/counter.smv", graph).status == 0
    checked = symag("check", graph, "--property", "below_five", "--trace", tmp_path / "t.json")
    assert checked.status == 10
    assert "trace of 6 states replayed" in checked.out
    assert "digit = 0ud3_5" in checked.out
    assert "  __a" not in checked.out
    replayed = symag("replay", graph, tmp_path / "t.json")
    assert replayed.status == 10
    assert "  __a" not in replayed.out


def test_wrong_requests(symag: Symag, tmp_path: Path) -> None:
    said = symag("convert", "models/counter.smv", tmp_path / "x.bin")
    assert (said.status, len(said.err.splitlines())) == (2, 1)
    said = symag("convert", "models/counter.smv", tmp_path / "none" / "x.aig")
    assert said.status == 2
    assert "cannot write" in said.err
    broken = tmp_path / "broken.aig"
    broken.write_bytes(b"aig 3 1 1 1 1\n2\n4\n\x01")
    said = symag("check", broken)
    assert said.status == 3
    assert "broken.aig: at byte" in said.err
    assert len(said.err.splitlines()) == 1
    bad = tmp_path / "range.smv"
    bad.write_text("MODULE main VAR x : 0..2; ASSIGN next(x) := x + 1; INVARSPEC x < 2")
    assert symag("convert", bad, tmp_path / "x.aig").status == 3


BUFFER = """
P = (a -> b -> P | c -> ERROR).
||S = (P/{x/a})\\{b}.
||T = (l:P || {k,l}::P).
"""


def test_labelled_transition_systems(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.fsp"
    model.write_text(BUFFER)
    output = tmp_path / "s.aut"
    said = symag("convert", model, output, "--target", "S")
    assert (said.status, said.err) == (0, "symag: warning: ERROR is written as state 2, which has no transitions\n")
    assert output.read_text() == 'des (0, 3, 3)\n(0, "x", 1)\n(0, "c", 2)\n(1, tau, 0)\n'
    plain = symag("convert", model, "-", "--to", "aut", "--target", "S", "--unquoted", "--silent", "i").out
    assert plain == "des (0, 3, 3)\n(0, x, 1)\n(0, c, 2)\n(1, i, 0)\n"
    other = tmp_path / "o.aut"
    other.write_text("des (0, 2, 2)\n(0, x, 1)\n(1, y, 0)")
    assert symag("info", output, "--component", other, "--json").json["composites"] == {
        "DEFAULT": {"states": 6, "transitions": 8, "product": {"states": 6, "transitions": 8}}
    }
    checked = symag("check", output, "--component", other, "--property", "deadlock", "--json").json
    assert [step["action"] for step in checked["results"][0]["trace"]["steps"]] == ["c", None]
    picture = symag("convert", output, "-", "--to", "dot", "--component", other, "--target", "s").out
    assert '  0 -> 1 [label="x"];' in picture
    assert '  1 -> 0 [label="tau", style=dashed];' in picture
    assert "  ERROR [" in symag("convert", model, "-", "--to", "dot", "--target", "P").out


def test_wrong_requests_of_labelled_transition_systems(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text(BUFFER)
    for arguments, message in (
        ((), "choose one process with --target; there are S, T, P"),
        (("--target", "U"), "no process 'U'; there are S, T, P"),
        (("--to", "smv"), "is not written as smv; use --to aut, dot or fsp"),
        (("--component", model), "a component is read from an .aut or .aut.gz file"),
    ):
        said = symag("convert", model, tmp_path / "x.aut", *arguments)
        assert said.status == 2
        assert message in said.err
    said = symag("convert", "models/counter.smv", tmp_path / "x.aut")
    assert (said.status, len(said.err.splitlines())) == (2, 1)
    assert symag("check", "models/counter.smv", "--component", "x.aut").status == 2
    broken = tmp_path / "x.aut"
    broken.write_text("des (0, 1, 1)\n(0, a 0)")
    said = symag("check", broken)
    assert (said.status, said.err) == (3, f"symag: {broken}:2:5: expected a label, found 'a 0)'\n")


LTS_MODEL = """
WORKER = (take -> work -> give -> WORKER).
LOCK = (take -> give -> LOCK).
property SAFE = (a.work -> a.give -> SAFE | b.work -> b.give -> SAFE).
||SYS = ({a, b}:WORKER || {a, b}::LOCK || SAFE).
||BAD = ({a, b}:WORKER || SAFE).
"""


def _is_safe(symag: Symag, path: Path, *arguments: object) -> str:
    (result,) = symag("check", path, "--property", "safety", "--json", "--quiet", *arguments).json["results"]
    verdict: str = result["verdict"]
    return verdict


def test_a_system_with_a_quotient_keeps_the_verdict_in_every_format(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text(LTS_MODEL)
    for target, verdict in (("SYS", "holds"), ("BAD", "violated")):
        for steps in (0, 9):
            output = tmp_path / "q.lts"
            options = ("--target", target, "--quotient", "--steps", steps, "--timeout", 60)
            said = symag("convert", model, output, *options)
            assert said.status == 0, said.err
            assert "||" + target + "_with_quotient = (A_WORKER || SAFE || QUOTIENT)." in output.read_text()
            assert ("stopped before" in said.err) == (steps == 0)
            assert _is_safe(symag, output) == verdict
    said = symag("convert", model, tmp_path / "q.aut", "--target", "SYS", "--quotient", "--order", 2)
    assert "quotient: 5 of 9 states after 0 steps" in said.err
    assert (tmp_path / "q.aut").read_text().startswith("des (0, ")


def test_fsp_text_of_a_composite_keeps_its_components(symag: Symag, tmp_path: Path) -> None:
    model, output = tmp_path / "m.lts", tmp_path / "flat.fsp"
    model.write_text(LTS_MODEL)
    assert symag("convert", model, output, "--target", "SYS").status == 0
    assert "||SYS = (A_WORKER || B_WORKER || A_b_LOCK || SAFE)." in output.read_text()
    assert _is_safe(symag, output) == "holds"
    assert symag("convert", model, output, "--target", "LOCK").status == 0
    assert "||LOCK_2 = (LOCK)." in output.read_text()


def test_what_belongs_to_a_quotient_is_refused_without_it(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text(LTS_MODEL)
    said = symag("convert", model, "-", "--to", "aut", "--target", "SYS", "--steps", 3)
    assert (said.status, "--timeout are for --quotient" in said.err) == (2, True)
    said = symag("convert", "models/counter.smv", "-", "--to", "smv", "--quotient")
    assert (said.status, "--quotient is for labelled transition systems" in said.err) == (2, True)


def test_smallest_equivalent_systems(symag: Symag, tmp_path: Path) -> None:
    """a.(b + tau.b) + a: of 6 states 4 are left strongly, and 3 weakly, where two moves after a are one."""
    model = tmp_path / "m.aut"
    model.write_text("des (0, 6, 6)\n(0, a, 1)\n(1, b, 5)\n(1, tau, 2)\n(2, b, 5)\n(0, a, 3)\n(0, a, 4)\n")
    sizes = {}
    for equivalence in ("strong", "weak", "traces"):
        text = symag("convert", model, "-", "--to", "aut", "--minimise", equivalence).out
        sizes[equivalence] = text.splitlines()[0]
    assert sizes == {"strong": "des (0, 5, 4)", "weak": "des (0, 3, 3)", "traces": "des (0, 2, 3)"}
    deterministic = tmp_path / "d.aut"
    deterministic.write_text("des (0, 3, 3)\n(0, a, 1)\n(1, a, 2)\n(2, a, 0)\n")
    assert "Q0 = (a -> Q0)" in symag("convert", deterministic, "-", "--to", "fsp", "--minimise", "traces").out
    assert symag("convert", "models/counter.smv", "-", "--to", "smv", "--minimise", "weak").status == 2


@pytest.mark.parametrize("suffix", ["aig", "aag"])
def test_a_property_that_is_named_and_cannot_be_written_is_an_error(symag: Symag, tmp_path: Path, suffix: str) -> None:
    """A file without it would be taken for one with it."""
    model, output = tmp_path / "m.smv", tmp_path / f"m.{suffix}"
    model.write_text("MODULE main\nVAR x : boolean;\nCTLSPEC EF x\nINVARSPEC x\n")
    ran = symag("convert", model, output, "--property", "0")
    assert (ran.status, ran.err) == (2, f"symag: {output} is not written: AIGER cannot say it: CTL EF x\n")
    assert not output.exists()
    assert symag("convert", model, output, "--property", "1").status == 0
    ran = symag("convert", model, output)
    assert (ran.status, ran.err) == (0, "symag: warning: left out, as AIGER cannot say it: CTL EF x\n")


def test_symbols_that_repeat_become_names_that_are_read_back(symag: Symag, tmp_path: Path) -> None:
    graph, flat = tmp_path / "m.aag", tmp_path / "m.smv"
    names = ("x[0]", "x[0]", "x_2[0]", "x", "x", "a.b[1][2]", "a.b[1][2]")
    latches = "".join(f"{2 * k} {2 * k}\n" for k in range(1, len(names) + 1))
    symbols = "".join(f"l{k} {name}\n" for k, name in enumerate(names))
    graph.write_text(f"aag {len(names)} 0 {len(names)} 1 0\n{latches}2\n{symbols}")
    assert symag("convert", graph, flat).status == 0
    assert symag("info", flat, "--json").json["variables"] == len(names)


def test_a_certificate_becomes_a_witness_circuit(symag: Symag, tmp_path: Path) -> None:
    model, proof = tmp_path / "m.smv", tmp_path / "p.json"
    model.write_text(MODEL.replace("below := n < 4", "below := n < 6"))
    done = symag("check", model, "--property", "below", "--method", "pdr", "--certificate", proof)
    assert done.status == 0, done.err
    assert symag("convert", model, tmp_path / "w.aag", "--certificate", proof).status == 0
    text = (tmp_path / "w.aag").read_text()
    assert text.startswith("aag ")
    assert "\ni0 = 2\n" in text
    wrong = symag("convert", model, tmp_path / "w.smv", "--certificate", proof)
    assert wrong.status == 2
    assert "a certificate is written as AIGER" in wrong.err
    foreign = tmp_path / "other.smv"
    foreign.write_text(MODEL + "-- another file\n")
    refused = symag("convert", foreign, tmp_path / "w2.aag", "--certificate", proof)
    assert refused.status == 3
    assert "another model" in refused.err
    assert not (tmp_path / "w2.aag").exists()
