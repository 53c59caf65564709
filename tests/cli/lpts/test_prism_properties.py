"""Formulas of pCTL, rewards and files of properties on the command line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Symag

WALK = """mdp
const int K;
module walk
  x : [0..K] init 1;
  lost : bool;
  [step] x>0 & x<K -> 1/2 : (x'=x+1) + 1/2 : (x'=x-1);
  [risk] x>0 & x<K -> 1/4 : (x'=K) + 3/4 : (x'=0) & (lost'=true);
endmodule
label "top" = x=K;
rewards "steps" [step] true : 1; endrewards
rewards "height" true : x; [risk] x=1 : 1/2; endrewards
"""
PROPERTIES = """// both directions
const int T;
label "end" = x=0 | x=K;
"best": Pmax=? [ F "top" ];
"worst": Pmin=? [ F x=K ]
"soon": P>=1/4 [ "end" | x>0 U<=T "top" ];
"""


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.nm"
    path.write_text(WALK)
    return path


@pytest.mark.long
@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ('Pmax=? [F "top"]', "1/3"),  # steps: 1/3; risk: 1/4; a step, then risk is no better
        ("Pmin=? [F x=K]", "1/8"),  # a step, then the risk
        ('Pmax=? [F<=2 "top"]', "1/4"),
        ("Pmin=? [G x<K]", "2/3"),
        ("Pmax=? [X x=2]", "1/2"),
        ("Pmax=? [x<2 U x=3]", "1/4"),
        ("Pmax=? [x<2 W x=3]", "1"),
        ('R{"steps"}max=? [F x=0 | x=K]', "2"),
        ("Rmin=? [F x=0 | x=K]", "0"),
        ('R{"height"}max=? [C<=1]', "3/2"),
        ("R{2}max=? [I=1]", "1"),
        ('R{"height"}max=? [F "top"]', "infinity"),
    ],
)
def test_values(symag: Symag, walk: Path, tmp_path: Path, formula: str, value: str) -> None:
    certificate = tmp_path / "c.json"
    arguments = (walk, "--const", "K=3", "--formula", formula)
    ran = symag("check", *arguments, "--json", "--certificate", certificate)
    assert (ran.status, ran.err) == (0, "")
    (result,) = ran.json["results"]
    assert (result["verdict"], result["certified"]) == ("computed", True)
    assert result["bounds"] == [value, value]
    assert result["value"] == (value if value == "infinity" else pytest.approx(float(Fraction(value)), abs=1e-15))
    accepted = symag("certify", walk, certificate, "--const", "K=3", "--formula", formula, "--show")
    assert accepted.status == 0
    assert "accepted: the property is " in accepted.out
    assert symag("certify", walk, certificate, "--const", "K=4", "--formula", formula).status == 3


@pytest.mark.parametrize(
    ("formula", "status"),
    [
        ('P>=0.33 [F "top"]', 10),  # some scheduler takes the risk
        ('P>=0.25 [F<=5 x=K | lost] & P<0.34 [F "top"]', 0),
        ("P>0 [F x=3] & !lost", 0),
        ('R{"steps"}<=2 [F x=0 | x=3]', 0),
        ('R{"steps"}>2 [F x=0 | x=3]', 10),
        ("P>=1 [F P>=1 [G x=0 | x=3]]", 0),
    ],
)
def test_verdicts(symag: Symag, walk: Path, formula: str, status: int) -> None:
    ran = symag("check", walk, "--const", "K=3", "--formula", formula, "--json")
    (result,) = ran.json["results"]
    assert ran.status == status
    assert result["certified"]


def test_files_of_properties_and_ranges_of_constants(symag: Symag, walk: Path, tmp_path: Path) -> None:
    file, certificates = tmp_path / "walk.props", tmp_path / "certificates"
    file.write_text(PROPERTIES)
    arguments = (walk, "--properties", file, "--const", "K=2:3,T=2")
    ran = symag("check", *arguments, "--json", "--certificate", f"{certificates}/")
    assert ran.status == 10
    results = ran.json["results"]
    assert [(each["name"], each["line"], each["text"].rpartition(" with ")[2]) for each in results] == [
        ("best", 4, "K=2"),
        ("worst", 5, "K=2"),
        ("soon", 6, "K=2"),
        ("best", 4, "K=3"),
        ("worst", 5, "K=3"),
        ("soon", 6, "K=3"),
    ]
    assert [each["value"] for each in results[:2]] == [pytest.approx(1 / 2), pytest.approx(1 / 4)]
    assert [each["verdict"] for each in results[2::3]] == ["holds", "violated"]
    table = tmp_path / "t.csv"
    one = symag("check", *arguments, "--property", "worst", "--csv", table)
    assert one.status == 0
    assert "Pmin=? [ F x=K ] with K=3" in one.out
    head, *rows = [line.rpartition(",")[0] for line in table.read_text().splitlines()]
    assert head == "model,index,property,K,verdict,value,lower,upper,certified"
    assert rows == [
        f"{walk},1,worst,2,computed,0.25,1/4,1/4,true",
        f"{walk},4,worst,3,computed,0.125,1/8,1/8,true",
    ]
    for each in results:
        assert symag("certify", walk, each["certificate"], *arguments[1:]).status == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('P>=1 [F "top"];\nfilter(max, P=? [F x=1]);', "p.pctl:2:1: filter(...) is not supported"),
        ("P=? [F x=1]", "p.pctl:1:1: P=? has no value where schedulers choose, expected Pmax=? or Pmin=?"),
        ("Pmax=? [F G x=1]", "p.pctl:1:11: the path operator G stands only at the beginning of P [..]"),
        ('R{"none"}max=? [F x=1]', 'p.pctl:1:1: there is no reward structure none, expected "steps", "height"'),
        ("P<2 [F x=1]", "p.pctl:1:1: the bound is 2, expected a probability from 0 to 1"),
        ("P<0.1 [F y=1]", "p.pctl:1:10: 'y' is not defined"),
        ('P<0.1 [F "topp"]', 'p.pctl:1:10: there is no label "topp", expected "top"'),
        ("S>0.1 [x=1]", "p.pctl:1:1: the steady-state operator S is not supported"),
        ("<<1>> P>=1 [F x=1]", "p.pctl:1:1: the coalitions <<..>> of games are not supported, expected P or R"),
        ("Pmax=? [F>=3 x=1]", "p.pctl:1:10: of bounds on steps, <= and < are supported"),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(
    symag: Symag, walk: Path, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "p.pctl"
    file.write_text(text)
    ran = symag("check", walk, "--properties", file, "--const", "K=2")
    assert ran.status == 3
    assert message in ran.err


def test_several_initial_states(symag: Symag, tmp_path: Path) -> None:
    """A bound holds if it does in all of them; a value would be that of one."""
    model = tmp_path / "two.nm"
    model.write_text("mdp\nmodule m x : [0..3]; [a] x=1 -> 1/2:(x'=2) + 1/2:(x'=3); endmodule\ninit x<2 endinit\n")
    for formula, status in (("P<=1/2 [F x=2 & x<3]", 0), ("P>=1/2 [F x=2 & x<3]", 10), ("Pmax=? [F x=2]", 30)):
        ran = symag("check", model, "--formula", formula, "--json")
        assert ran.status == status
        assert ran.json["results"][0]["certified"] == (status != 30)


@pytest.mark.parametrize("formula", ["P>=0.3 [F x=2]", "Pmax=? [F x=2]"])
def test_methods_by_parts_do_not_decide_these(symag: Symag, walk: Path, formula: str) -> None:
    ran = symag("check", walk, "--const", "K=3", "--formula", formula, "--method", "agar", "--json")
    assert ran.status == 30
    assert ran.json["results"][0]["reason"] == "unsupported"
