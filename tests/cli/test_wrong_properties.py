"""Properties whose evaluation fails: each is unknown with the place, and the others are decided all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.core.results import PropertyResult, Reason, Verdict
from tests.cli.conftest import Symag

#: The second and the fourth property fail for x = 0; both read the same DEFINE, and the fourth the next state of x.
MODEL = """MODULE main
VAR x : 0..3; y : boolean;
ASSIGN init(x) := 1; next(x) := x < 3 ? x + 1 : 0; init(y) := FALSE; next(y) := y;
DEFINE quotient := 4 / x;
INVARSPEC NAME low := x < 3 | !y
INVARSPEC NAME fails := quotient > 0
INVARSPEC NAME wrong := x != 2
INVARSPEC NAME fails_too := quotient > 1
INVARSPEC NAME still := !y
LTLSPEC NAME often := G F (x = 3)
LTLSPEC NAME fails_again := G F (quotient > 3)
CTLSPEC NAME returns := AG EF (x = 0)
"""
METHODS = ("auto", "monolithic", "k-induction", "pdr", "bmc", "sweeping", "parts", "rule-g", "simulation", "k-liveness")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.smv"
    path.write_text(MODEL)
    return path


@pytest.mark.parametrize("method", METHODS)
def test_the_other_properties_have_the_answers_that_they_have_alone(symag: Symag, model: Path, method: str) -> None:
    bound = ["--bound", "8"] if method in ("bmc", "simulation") else []
    arguments = ("--method", method, "--timeout", "60", "--json", *bound)
    ran = symag("check", model, *arguments)
    model.write_text("".join(line for line in MODEL.splitlines(True) if "NAME fails" not in line))
    alone = symag("check", model, *arguments)
    others = [result for result in ran.json["results"] if not result["name"].startswith("fails")]
    facts = [[each[key] for key in ("name", "verdict", "certified")] for each in others]
    assert facts == [[each[key] for key in ("name", "verdict", "certified")] for each in alone.json["results"]]
    assert [each["reason"] for each in others] == [each["reason"] for each in alone.json["results"]]
    failed = [result for result in ran.json["results"] if result["name"].startswith("fails")]
    assert {result["verdict"] for result in failed} == {"unknown"}
    assert {result["reason"] for result in failed} <= {"bad input", "unsupported"}
    assert ran.status == (3 if any(result["reason"] == "bad input" for result in failed) else alone.status)


def test_what_a_person_reads(symag: Symag, model: Path) -> None:
    ran = symag("check", model, "--quiet")
    assert ran.status == 3
    assert ran.err.splitlines() == [f"symag: {model}:4:22: division by zero"] * 3
    assert f"is unknown (bad input: {model}:4:22: division by zero)" in ran.out
    assert "8 properties: 4 holds, 3 unknown, 1 violated" in ran.out


def test_the_place_is_in_the_json_too(symag: Symag, model: Path) -> None:
    ran = symag("check", model, "--property", "fails", "--property", "still", "--json")
    assert ran.status == 3
    assert ran.json["warnings"] == [f"property 4: bad input: {model}:4:22: division by zero"]
    assert ran.json["results"][0]["race"][-1]["outcome"] == f"bad input: {model}:4:22: division by zero"
    alone = symag("check", model, "--property", "fails", "--json")
    assert alone.status == 3
    assert alone.json["error"] == {"message": "division by zero", "file": str(model), "line": 4, "column": 22}


def test_an_error_of_the_model_is_one_line(symag: Symag, model: Path) -> None:
    """Every property has it, so that there is no other answer to lose."""
    model.write_text(MODEL.replace("next(y) := y", "next(y) := y & quotient > 0"))
    ran = symag("check", model)
    assert (ran.status, ran.out, ran.err) == (3, "", f"symag: {model}:4:22: division by zero\n")


def test_a_model_that_may_fail_by_its_form_and_does_not(symag: Symag, model: Path) -> None:
    """The form of z := 4 / (x + 1) leaves it open that the model fails: the circuit says that it does not."""
    model.write_text(MODEL.replace("DEFINE", "VAR z : 0..4; ASSIGN z := 4 / (x + 1);\nDEFINE"))
    ran = symag("check", model, "--property", "fails", "--property", "still", "--json")
    assert [result["verdict"] for result in ran.json["results"]] == ["unknown", "holds"]
    assert ran.status == 3


def test_the_status_of_wrong_properties() -> None:
    from symag.cli.status import of_results

    violated = PropertyResult(Verdict.VIOLATED, "pdr")
    wrong = PropertyResult(Verdict.UNKNOWN, "pdr", reason=Reason.BAD_INPUT.text("m.smv:1:2: division by zero"))
    refused = PropertyResult(Verdict.UNKNOWN, "pdr", reason=Reason.REFUSED.text("why"))
    assert of_results([violated, wrong]) == 3
    assert of_results([violated, wrong, refused]) == 1


PRISM = """dtmc
const int K;
module m
 s : [0..2] init 0;
 [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
 [] s>0 -> true;
endmodule
"""
PROPERTIES = """P>=0.5 [ F s=1 ]
P=? [ F s=1/K ]
P=? [ F<=-1 s=1 ]
P>=0.2 [ F "none" ]
P<0.7 [ F s=2 ]
"""


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    path = tmp_path / "m.prism"
    path.write_text(PRISM)
    path.with_suffix(".props").write_text(PROPERTIES)
    return path


def test_properties_of_prism(symag: Symag, chain: Path) -> None:
    file = chain.with_suffix(".props")
    ran = symag("check", chain, "--properties", file, "--const", "K=0", "--json")
    assert [result["verdict"] for result in ran.json["results"]] == ["holds", "unknown", "unknown", "unknown", "holds"]
    assert ran.status == 3
    assert ran.err.splitlines() == [
        f"symag: {file}:2:12: division by zero",
        f"symag: {file}:3:7: the number of steps is -1, expected a whole number of 0 or more",
        f'symag: {file}:4:12: there is no label "none", expected "init", "deadlock"',
    ]
    for only in ("1", "2", "3"):
        alone = symag("check", chain, "--properties", file, "--const", "K=0", "--property", only, "--json")
        assert (alone.status, "error" in alone.json) == (3, True)


def test_values_of_constants_for_which_a_property_or_the_model_is_wrong(symag: Symag, chain: Path) -> None:
    formula = symag("check", chain, "--formula", "P=? [ F s=1/K ]", "--const", "K=-1:1", "--json")
    assert [result["value"] for result in formula.json["results"]] == [0, None, 0.5]
    assert formula.status == 3
    chain.write_text(PRISM.replace("[0..2]", "[0..1+K]"))
    model = symag("check", chain, "--formula", "P=? [ F s=1 ]", "--const", "K=-2:1", "--json")
    assert [result["value"] for result in model.json["results"]] == [None, None, None, 0.5]
    assert model.status == 3
    assert [result["reason"] for result in model.json["results"]] == ["bad input"] * 3 + [None]


def test_one_line_where_every_value_is_wrong(symag: Symag, chain: Path) -> None:
    ran = symag("check", chain, "--formula", "P=? [ F s=1/0 ]", "--const", "K=0:5")
    assert (ran.status, ran.out, ran.err) == (3, "", "symag: --formula:1:12: division by zero\n")
