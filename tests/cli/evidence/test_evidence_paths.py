"""One rule for --trace and --certificate of all kinds of models: formats, names of files, refusals before the work."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from symag.core.errors import UsageError
from symag.core.evidence.evidence_paths import planned, trace_format
from tests.cli.conftest import Symag

SMV = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\n" + "".join(
    f"INVARSPEC{name} x != {value}\n" for name, value in ((" NAME low := ", 1), ("", 2), (" NAME high := ", 3))
)
FSP = "A = (a -> STOP).\nB = (b -> ERROR).\n||S = A.\n||T = B.\nassert M = []!a\n"
PRISM = "mdp\nmodule m x : [0..1]; [go] x=0 -> 1/2:(x'=1)+1/2:true; endmodule\n"
#: Of each kind of model: its text, arguments, the formats of traces, and what messages call it.
KINDS = {
    "smv": (SMV, (), "json, txt, xml, vcd, html, cex, wit", "SMV models"),
    "lts": (FSP, (), "json, txt, html", "labelled transition systems"),
    "nm": (PRISM, ("--formula", "P<=0.1 [F go]"), "json, html", "PRISM models"),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, tuple[str, ...], str, str]:
    """A model with violated properties, arguments, formats, and the name of its kind."""
    text, arguments, formats, name = KINDS[request.param]
    model = tmp_path / f"m.{request.param}"
    model.write_text(text)
    return model, arguments, formats, name


def test_a_format_that_is_not_there_is_refused(
    symag: Symag, kind: tuple[Path, tuple[str, ...], str, str], tmp_path: Path
) -> None:
    model, arguments, formats, name = kind
    for path in ("t.foo", "t"):
        ran = symag("check", model, *arguments, "--trace", tmp_path / path)
        assert (ran.status, ran.out) == (2, "")
        assert f"traces of {name}; there are {formats}, also with --trace-format" in ran.err
    if "vcd" not in formats:
        ran = symag("check", model, *arguments, "--trace", tmp_path / "t.vcd")
        assert (ran.status, ran.out) == (2, "")
        ran = symag("check", model, *arguments, "--trace", tmp_path / "t.json", "--trace-format", "vcd")
        assert (ran.status, ran.out) == (2, "")
        assert f"--trace-format vcd: traces of {name} are written as {formats}" in ran.err
    else:
        ran = symag("check", model, "--trace", tmp_path / "t.cex")
        assert (ran.status, ran.out) == (2, "")
        assert "an AIGER witness can be written of a model in" in ran.err
    ran = symag("check", model, *arguments, "--trace-format", "json")
    assert (ran.status, ran.out) == (2, "")
    assert "--trace-format is for --trace" in ran.err
    ran = symag("simulate", model, "--trace-format", "json")
    assert (ran.status, ran.out) == (2, "")
    assert os.listdir(tmp_path) == [model.name]


def test_what_cannot_be_written_to_is_refused_before_the_work(
    symag: Symag, kind: tuple[Path, tuple[str, ...], str, str], tmp_path: Path
) -> None:
    model, arguments, _, _ = kind
    for option in ("--trace", "--certificate"):
        for path in (tmp_path / "none" / "t.json", model / "t.json", f"{model}/"):
            ran = symag("check", model, *arguments, option, path)
            assert (ran.status, ran.out) == (2, "")
            assert "cannot write" in ran.err or "cannot make the folder" in ran.err
    ran = symag("check", model, *arguments, "--trace", f"{tmp_path}/made/too/")
    assert ran.status == 10
    assert (tmp_path / "made" / "too").is_dir()


def test_files_of_several_properties(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(SMV)
    ran = symag("check", model, "--trace", tmp_path / "t.html", "--json")
    files = [tmp_path / f"t-{name}.html" for name in ("low", "1", "high")]
    assert [each["trace_file"] for each in ran.json["results"]] == [str(each) for each in files]
    assert all("<!DOCTYPE html" in each.read_text() for each in files)
    ran = symag("check", model, "--property", "low", "--trace", tmp_path / "one.vcd")
    assert f"     trace in {tmp_path}/one.vcd\n" in ran.out
    ran = symag("check", model, "--trace", f"{tmp_path}/all/", "--trace-format", "txt")
    assert sorted(os.listdir(tmp_path / "all")) == ["1.txt", "high.txt", "low.txt"]
    other = tmp_path / "m.lts"
    other.write_text(FSP)
    symag("check", other, "--trace", tmp_path / "f.txt")
    assert sorted(each.name for each in tmp_path.glob("f*")) == ["f-S.M.txt", "f-S.deadlock.txt", "f-T.safety.txt"]
    walked = symag("simulate", model, "--trace", f"{tmp_path}/all/")
    assert walked.status == 0
    assert json.loads((tmp_path / "all" / "run.json").read_text())["kind"] == "trace"


def test_names(tmp_path: Path) -> None:
    named = [(0, None), (1, "a.b"), (2, "A.b"), (3, "x/../y z"), (7, ".."), (8, "n" * 300)]
    found = planned(f"{tmp_path}/t.json", "json", named)
    names = [found.of(index).name for index, _ in named]
    assert names[:5] == ["t-0.json", "t-a.b-1.json", "t-A.b-2.json", "t-x_.._y_z.json", "t-7.json"]
    assert len(names[5]) < 100
    assert {found.of(index).parent for index, _ in named} == {tmp_path}
    odd = [(0, "x"), (1, "x"), (2, "x-0"), (3, None), (4, "3"), (5, "3-4")]
    assert [path.stem for path in planned(f"{tmp_path}/", "json", odd).files.values()] == [
        *("x-0-0", "x-1", "x-0-2", "3-3", "3-4-4", "3-4-5")
    ]
    assert planned("/dev/stdout", "json", named).of(3) == Path("/dev/stdout")
    assert trace_format("/dev/stdout", None, ("json", "txt"), "models") == "json"
    assert trace_format("t.TXT", None, ("json", "txt"), "models") == "txt"
    with pytest.raises(UsageError, match="a name without a suffix says no format"):
        trace_format("t", None, ("json",), "models")
