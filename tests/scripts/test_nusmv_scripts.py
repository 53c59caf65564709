"""Lines of NuSMV are matched by kind and text; outputs are compared by verdicts and by form."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.measuring import peers
from scripts.measuring.measure import Run
from scripts.nusmv import compare_with_nusmv, directions_table, nusmv_record


def test_models_are_preprocessed_as_they_were_recorded(tmp_path: Path) -> None:
    plain, macros = tmp_path / "plain.smv", tmp_path / "macros.smv"
    plain.write_text("MODULE main\n")
    macros.write_text("#define x y\nMODULE x\n")
    with nusmv_record.preprocessed(plain) as path:
        assert path == plain
    with nusmv_record.preprocessed(macros) as path:
        assert path == macros or "MODULE y" in path.read_text()


_TRUE = "-- specification AG p  is true\n"
_FALSE = "-- specification AG p  is false\n"
_TRACE = "-- as demonstrated by\n  -> State: 1.1 <-\n    x = 0\n"


@pytest.mark.parametrize(
    ("theirs", "ours", "verdicts", "form"),
    [
        (_TRUE, _TRUE, "", ""),
        (_TRUE, _FALSE, "WRONG: false for true: specification AG p", "'-- specification AG p  is false' for"),
        (_TRUE, "", "0 verdicts for 1", "0 lines for 1"),
        (_TRUE, _TRUE.replace("AG p", "AG q"), "order: specification AG q", "'-- specification AG q"),
        (_FALSE + _TRACE, _FALSE + _TRACE + "  -> State: 1.2 <-\n", "", ""),
        ("*** banner\n\n" + _FALSE + _TRACE, _FALSE, "", "1 lines for 3"),
    ],
)
def test_what_differs(theirs: str, ours: str, verdicts: str, form: str) -> None:
    one, other = Run(0.1, 0, theirs, ""), Run(0.1, 0, ours, "")
    found = compare_with_nusmv.difference(one, other)
    assert found.startswith(verdicts)
    assert bool(found) == bool(verdicts)
    shaped = compare_with_nusmv.form(one, other)
    assert shaped.startswith(form)
    assert bool(shaped) == bool(form)


def test_exit_statuses_and_limits_are_compared() -> None:
    done, failed, stopped = Run(0.1, 0, _TRUE, ""), Run(0.1, 1, _TRUE, ""), Run(9.9, None, "", "")
    assert compare_with_nusmv.difference(done, failed) == "exit 1 for 0"
    assert compare_with_nusmv.difference(done, stopped) == "symag stopped"
    assert compare_with_nusmv.difference(stopped, done) == ""


def test_searches_are_compared_on_invariants_of_any_kind(tmp_path: Path) -> None:
    model = tmp_path / "model.smv"
    model.write_text("MODULE main\nVAR x : boolean;\nCTLSPEC AG (x | !x)\nCTLSPEC EF x\n")
    with directions_table.questions(model) as (copy, names):
        assert names == ["invariant_0"]
        assert "MODULE main\nINVARSPEC NAME invariant_0 := (x | !x);\nVAR x" in copy.read_text()
    model.write_text("MODULE main\nVAR x : boolean;\nCTLSPEC EF x\nINVARSPEC x\n")
    with directions_table.questions(model) as (same, names):
        assert same == model
        assert names == ["1"]


def test_two_searches_with_different_verdicts_are_reported() -> None:
    record = directions_table.Record(None)
    record.keep("m", "forward", "NuSMV", directions_table.Cell(1.0, ["holds", "violated"]))
    record.keep("m", "forward", "symag", directions_table.Cell(1.0, ["violated", "holds"]))
    assert not list(directions_table.differences(record))  # NuSMV prints in an order of its own
    record.keep("m", "forward", "symag", directions_table.Cell(1.0, ["violated", "violated"]))
    assert len(list(directions_table.differences(record))) == 1


def test_nusmv_that_leaves_out_commands_has_not_reached_anything(tmp_path: Path) -> None:
    program = tmp_path / "NuSMV"
    for ending, reached in (("", True), ("echo \"aborting 'source commands'\" >&2", False), ("exit 1", False)):
        program.write_text(f"#!/bin/sh\ngrep -q 'build_model -f' $3 || exit 1\n{ending}\n")
        program.chmod(0o755)
        assert (peers.reach(str(program), Path("m.smv"), "-coi -dynamic", 10) is not None) is reached
