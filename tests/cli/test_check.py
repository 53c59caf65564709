"""What ``symag check`` prints, its JSON contract and its exit statuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import symag as library
from tests.cli.conftest import Symag

INVARIANT = "MODULE main\nVAR x : 0..3; f : boolean;\nIVAR go : boolean;\nASSIGN init(x) := 0; init(f) := FALSE;\n"
STEP = "next(x) := case go & x < 3 : x + 1; TRUE : x; esac; next(f) := f;\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.smv"
    path.write_text(INVARIANT + STEP + "INVARSPEC NAME low := x < 2\nINVARSPEC x <= 3\n")
    return path


def without_times(text: str) -> str:
    return re.sub(r" in \d+\.\d+ s", " in T s", text)


def test_golden_output(symag: Symag, model: Path) -> None:
    ran = symag("check", model, "--method", "monolithic", "--direction", "forward")
    assert ran.status == 10
    assert ran.err == ""
    assert (
        without_times(ran.out)
        == """\
-- invariant x < 2  is false
     low is violated: monolithic (forward) in T s, trace of 3 states replayed
-- as demonstrated by the following execution sequence
Trace Description: AG alpha Counterexample
Trace Type: Counterexample
  -> State: 1.1 <-
    x = 0
    f = FALSE
  -> Input: 1.2 <-
    go = TRUE
  -> State: 1.2 <-
    x = 1
  -> Input: 1.3 <-
  -> State: 1.3 <-
    x = 2
-- invariant x <= 3  is true
     holds: monolithic (backward) in T s, inductive set re-checked in T s
-- 2 properties: 1 holds, 1 violated
"""
    )


def test_full_traces_repeat_what_did_not_change(symag: Symag, model: Path) -> None:
    out = symag("check", model, "--method", "monolithic", "--property", "low", "--full").out
    assert out.count("f = FALSE") == 3
    assert out.count("go = TRUE") == 2


def test_json_contract(symag: Symag, model: Path) -> None:
    ran = symag("check", model, "--json", "--method", "monolithic")
    assert ran.status == 10
    report = ran.json
    assert list(report) == ["schema", "model", "seconds", "warnings", "results"]
    assert (report["schema"], report["model"], report["warnings"]) == (1, str(model), [])
    low, bound = report["results"]
    fields = "index name line kind text target verdict value constants bounds reason method certified certificate "
    fields += "refused_evidence trace trace_file notes race statistics warnings"
    assert list(low) == list(bound) == fields.split()
    assert (low["index"], low["name"], low["line"], low["kind"], low["text"]) == (0, "low", 6, "INVARSPEC", "x < 2")
    assert (low["verdict"], low["certified"], low["reason"], low["target"]) == ("violated", True, None, None)
    assert low["trace"]["kind"] == "finite"
    assert [step["state"]["x"] for step in low["trace"]["steps"]] == [0, 1, 2]
    assert [step["input"] for step in low["trace"]["steps"]] == [{"go": True}, {"go": True}, {}]
    assert (low["trace"]["loop"], low["trace"]["steps"][0]["action"]) == (None, None)
    assert (bound["verdict"], bound["certified"], bound["name"], bound["trace"]) == ("holds", True, None, None)
    assert all(isinstance(value, int | float | str) for value in bound["statistics"].values())
    (entry,) = bound["race"]
    assert list(entry) == ["method", "outcome", "seconds", "cpu_seconds", "figures", "last_progress"]
    assert (entry["method"], entry["outcome"]) == ("monolithic", "decided")


def test_exit_status_and_selection(symag: Symag, model: Path) -> None:
    assert symag("check", model, "--property", "1").status == 0
    assert symag("check", model, "--property", "low").status == 10
    assert len(symag("check", model, "--property", "low", "--property", "1", "--json").json["results"]) == 2


def test_without_certification_the_answer_says_so(symag: Symag, model: Path) -> None:
    ran = symag("check", model, "--no-certify")
    assert "     holds (not certified): monolithic (backward) in" in ran.out
    assert ran.out.endswith("-- 2 properties: 1 holds (not certified), 1 violated (not certified)\n")
    assert not any(result["certified"] for result in symag("check", model, "--no-certify", "--json").json["results"])


def test_the_same_command_gives_the_same_answer(symag: Symag, model: Path) -> None:
    first, second = (symag("check", model, "--method", "monolithic").out for _ in range(2))
    assert without_times(first) == without_times(second)


def test_unsupported_properties_are_undecided(symag: Symag, tmp_path: Path) -> None:
    path = tmp_path / "m.smv"
    path.write_text("MODULE main\nVAR x : boolean;\nPSLSPEC always {x[*5000]};\n")
    ran = symag("check", path, "--json")
    assert ran.status == 30
    assert ran.json["results"][0]["reason"] == "unsupported"
    assert ran.json["warnings"][0].startswith("property 0: unsupported: a sequence of more than")
    assert "is unknown (unsupported: a sequence" in symag("check", path).out


def test_a_model_without_initial_states_gets_a_warning(symag: Symag, tmp_path: Path) -> None:
    path = tmp_path / "m.smv"
    path.write_text("MODULE main\nVAR x : boolean;\nINIT x & !x\nINVARSPEC x\n")
    ran = symag("check", path, "--json")
    assert ran.status == 0
    assert any("initial" in warning for warning in ran.json["warnings"])
    assert "warning" in ran.err
    assert symag("check", path, "--quiet").err == ""


def test_words_in_traces(symag: Symag, tmp_path: Path) -> None:
    path = tmp_path / "m.smv"
    path.write_text(
        "MODULE main\nVAR u : unsigned word[4]; s : signed word[4];\nASSIGN init(u) := 0ud4_12; next(u) := u;\n"
        "init(s) := -0sd4_3; next(s) := s;\nINVARSPEC u = 0ud4_0\n"
    )
    out = symag("check", path, "--no-cone-of-influence").out
    assert "    u = 0ud4_12\n    s = -0sd4_3\n" in out


def test_library_gives_the_same_answers(symag: Symag, model: Path) -> None:
    answers = library.check(library.read(model), method="monolithic", direction="forward")
    shown = symag("check", model, "--method", "monolithic", "--direction", "forward", "--json").json["results"]
    for answer, result in zip(answers, shown, strict=True):
        mine = answer.to_json()
        assert {**mine, "statistics": None, "race": None} == {**result, "statistics": None, "race": None}
    expected = "invariant x < 2 is violated: monolithic (forward) in T s, trace of 3 states replayed"
    assert without_times(str(answers[0])) == expected
    with pytest.raises(library.errors.UsageError):
        library.check(model, colour="blue")


def test_a_lasso_says_that_a_state_is_shown_again(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    text = "MODULE main\nVAR s : 0..3;\nASSIGN init(s) := 0; next(s) := s = 3 ? 1 : s + 1;\nLTLSPEC G F s = 0\n"
    model.write_text(text)
    ran = symag("check", model)
    assert ran.status == 10
    assert "trace of 4 states, then state 2 again, replayed" in ran.out
    assert ran.out.count("-> State: ") == 5


def test_a_model_without_properties_says_so(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text("MODULE main\nVAR s : 0..3;\n")
    ran = symag("check", model)
    assert (ran.status, ran.err) == (0, "symag: warning: the model has no properties: nothing is decided\n")
    assert symag("info", model).out.endswith("no properties\n")


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("next(x) := x + 1", "3:21: cannot assign value 4 to variable x"),
        ("next(x) := case x = 3 : 0; esac", "3:19: case conditions are not exhaustive"),
        ("init(x) := 4; next(x) := 6 / x", "3:19: cannot assign value 4 to variable x"),
    ],
)
def test_errors_of_evaluation_are_those_of_a_model_with_properties(
    symag: Symag, tmp_path: Path, rule: str, message: str
) -> None:
    model, fine = tmp_path / "m.smv", tmp_path / "fine.smv"
    text = f"MODULE main\nVAR x : 0..3; b : boolean;\nASSIGN {rule};\n"
    expected = f"symag: {model}:{message}\n"
    for properties in ("INVARSPEC b | !b\n", "", "--INVARSPEC b\n"):
        model.write_text(text + properties)
        ran = symag("check", model)
        assert (ran.status, ran.out, ran.err) == (3, "", expected), properties
    assert symag("check", model, "--json").json["error"]["line"] == 3
    with pytest.raises(library.errors.InputError, match=message[-10:]):
        library.check(model)
    fine.write_text("MODULE main\nVAR x : 0..3;\nASSIGN next(x) := (x + 1) mod 4;\n")
    ran = symag("check", model, fine)
    assert (ran.status, expected in ran.err, "nothing is decided" in ran.err) == (3, True, True)
    assert symag("info", model).status == 0


def test_a_model_without_properties_may_remain_unchecked(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text("MODULE main\nVAR x : 0..3;\nASSIGN next(x) := (x + 1) mod 4;\n")
    ran = symag("check", model, "--timeout", "0.000001", "--json")
    assert (ran.status, ran.json["results"]) == (0, [])
    assert ran.json["warnings"] == [
        "whether the model has errors of evaluation is unknown (timeout)",
        "the model has no properties: nothing is decided",
    ]
