"""Several models, a model on standard input, and answers as JUnit XML and SARIF."""

from __future__ import annotations

import io
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from symag.cli.checking import suffix_of
from symag.cli.status import of_models
from tests.cli.conftest import Symag

GOOD = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := x;\nINVARSPEC NAME zero := x = 0\n"
BAD = GOOD.replace("next(x) := x", "next(x) := (x + 1) mod 4").replace(
    "INVARSPEC NAME zero := x = 0", "INVARSPEC x < 2\nINVARSPEC NAME low := x < 3"
)
FSP = "A = (a -> STOP).\n||S = A.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model that holds, one that is violated, a composite with a deadlock, and one that cannot be read."""
    (tmp_path / "good.smv").write_text(GOOD)
    (tmp_path / "bad.smv").write_text(BAD)
    (tmp_path / "p.lts").write_text(FSP)
    (tmp_path / "wrong.smv").write_text("MODULE main\nVAR x")
    return tmp_path


def test_each_model_is_decided_and_one_failure_loses_no_other_answer(symag: Symag, folder: Path) -> None:
    names = [folder / each for each in ("good.smv", "wrong.smv", "bad.smv", "p.lts", "none.smv")]
    ran = symag("check", *names, "--json")
    assert ran.status == 3
    models = ran.json["models"]
    assert [each["model"] for each in models] == [str(name) for name in names]
    assert [len(each.get("results", ())) for each in models] == [1, 0, 2, 2, 0]
    assert (models[1]["error"]["line"], models[4]["error"]["message"]) == (2, "no such file")
    shown = symag("check", *names[:1], *names[2:4])
    assert shown.status == 10
    assert [line for line in shown.out.splitlines() if line.endswith((".smv:", ".lts:"))] == [
        f"{names[k]}:" for k in (0, 2, 3)
    ]
    assert shown.out.endswith("\n-- 3 models, 5 properties: 2 holds, 3 violated\n")
    assert symag("check", names[0], names[0]).status == 0


def test_options_and_methods_of_one_kind_of_models(symag: Symag, folder: Path) -> None:
    """What does not fit one of the models is an error for that model only."""
    ran = symag("check", folder / "good.smv", folder / "p.lts", "--target", "S", "--json")
    assert ran.status == 2
    assert "--target is for labelled transition systems" in ran.json["models"][0]["error"]["message"]
    assert len(ran.json["models"][1]["results"]) == 2


def test_statuses() -> None:
    assert of_models([0, 0]) == 0
    assert of_models([0, 30]) == 30
    assert of_models([30, 10, 0]) == 10
    assert of_models([10, 3]) == 3
    assert of_models([3, 1, 10]) == 1
    assert of_models([1, 130]) == 130


def test_evidence_files_tell_models_apart(symag: Symag, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "bad.smv").write_text(BAD)
    ran = symag("check", folder / "bad.smv", folder / "p.lts", folder / "sub" / "bad.smv", "--trace", f"{folder}/t/")
    assert ran.status == 10
    found = sorted(each.name for each in (folder / "t").iterdir())
    assert found == ["bad-0.0.json", "bad-0.low.json", "bad-2.0.json", "bad-2.low.json", "p.deadlock.json"]
    symag("check", folder / "bad.smv", folder / "p.lts", "--trace", folder / "x.txt")
    assert sorted(each.name for each in folder.glob("x*")) == ["x-bad.0.txt", "x-bad.low.txt", "x-p.deadlock.txt"]


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        (GOOD, ".smv"),
        ("-- a comment\n" + GOOD, ".smv"),
        (FSP, ".lts"),
        ("/* MODULE */ const N = 3\nA(K=N) = STOP.\n", ".lts"),
        ("A(N=3) = STOP.\n", ".lts"),
        ("||S = (A || B).\n", ".lts"),
        ('des (0, 1, 2)\n(0, "a", 1)\n', ".aut"),
        ("aag 0 0 0 0 0\n", ".aig"),
        ("aig 0 0 0 0 0\n", ".aig"),
        ("; BTOR2\n1 sort bitvec 1\n", ".btor2"),
        ("// model\nmdp\nmodule m endmodule\n", ".prism"),
        ("dtmc\n", ".prism"),
        ("", ".smv"),
    ],
)
def test_the_language_of_standard_input(text: str, suffix: str) -> None:
    assert suffix_of(text.encode()) == suffix


def test_standard_input(symag: Symag, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    given(BAD)
    ran = symag("check", "-", "--json")
    assert (ran.status, ran.json["model"]) == (10, "-")
    given(FSP)
    assert "deadlock" in symag("check", "-").out
    given("MODULE main\nVAR x")
    ran = symag("check", "-")
    assert (ran.status, ran.err) == (3, "symag: -:2:6: unexpected end of file, expected ':'\n")
    given(BAD)
    ran = symag("check", folder / "good.smv", "-", "--trace", f"{folder}/t/")
    assert ran.status == 10
    assert sorted(each.name for each in (folder / "t").iterdir()) == [
        "standard-input.0.json",
        "standard-input.low.json",
    ]


def test_junit(symag: Symag, folder: Path) -> None:
    names = [folder / each for each in ("good.smv", "bad.smv", "wrong.smv")]
    file = folder / "answers.xml"
    assert symag("check", *names, "--junit", file, "--property", "0").status == 3
    suites = ElementTree.parse(file).getroot().findall("testsuite")
    assert [each.get("name") for each in suites] == [str(name) for name in names]
    assert [(each.get("tests"), each.get("failures"), each.get("errors")) for each in suites] == [
        ("1", "0", "0"),
        ("1", "1", "0"),
        ("1", "0", "1"),
    ]
    failure = suites[1].find("testcase/failure")
    assert failure is not None
    assert failure.text is not None
    assert "-> State: 1.3 <-" in failure.text
    error = suites[2].find("testcase/error")
    assert error is not None
    assert "unexpected end of file" in str(error.get("message"))
    symag("check", names[0], "--junit", file, "--timeout", "0.000001")
    (case,) = ElementTree.parse(file).getroot().iter("error")
    assert case.get("type") == "timeout"
    assert symag("check", names[2], "--junit", file).status == 3
    assert "unexpected end of file" in file.read_text()


def test_sarif(symag: Symag, folder: Path) -> None:
    names = [folder / each for each in ("good.smv", "bad.smv", "wrong.smv")]
    file = folder / "answers.sarif"
    assert symag("check", *names, "--sarif", file).status == 3
    document = json.loads(file.read_text())
    (run,) = document["runs"]
    rules = {each["id"] for each in run["tool"]["driver"]["rules"]}
    found = [
        (each["ruleId"], each["kind"], each["level"], each["locations"][0]["physicalLocation"]["region"]["startLine"])
        for each in run["results"]
    ]
    assert found == [
        ("holds", "pass", "none", 4),
        ("violated", "fail", "error", 4),
        ("violated", "fail", "error", 5),
        ("not-read", "fail", "error", 2),
    ]
    assert {each[0] for each in found} <= rules
    violated = run["results"][2]
    assert violated["properties"] == {"name": "low"}
    region = violated["locations"][0]["physicalLocation"]["region"]
    assert region["snippet"]["text"] == "INVARSPEC NAME low := x < 3"
    steps = violated["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [each["location"]["message"]["text"] for each in steps][-1] == "state 4: x = 3"
    symag("check", "models/counter.smv", "--property", "below_five", "--sarif", file)
    assert '"state 1: digit = 0, odd = FALSE"' in file.read_text()


def test_files_that_cannot_be_written(symag: Symag, folder: Path) -> None:
    ran = symag("check", folder / "good.smv", "--junit", "/nosuch/folder/x.xml")
    assert (ran.status, ran.out) == (2, "")  # before the work
    assert "cannot write /nosuch/folder/x.xml" in ran.err


def test_one_is_not_several(symag: Symag, tmp_path: Path) -> None:
    (tmp_path / "empty.smv").write_text("MODULE main\nVAR x : boolean;\n")
    ran = symag("check", "models/junction.smv", tmp_path / "empty.smv")
    assert ran.out.splitlines()[-1] == "-- 2 models, 1 property: 1 violated"
    ran = symag("batch", "models/junction.smv", "--output", tmp_path / "r.sqlite")
    assert ran.err.splitlines()[0] == "1 job to run"
    assert ran.out.splitlines()[0] == "1 job: 1 violated"
