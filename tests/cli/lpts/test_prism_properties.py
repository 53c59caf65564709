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
        ("R{K-1}max=? [I=1]", "1"),
        ('R{" height "}max=? [ I=1 ]', "1"),
        ('Pmax=? [F " top "]', "1/3"),
        ("Pmax=? [x=1]", "1"),  # of the first state alone
        ('Pmin=? [!"top" & x<1]', "0"),
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
        ("P=? [F x=1]", "p.pctl:1:1: P=? has no value where schedulers choose, expected Pmax=? or Pmin=?"),
        ('R{"none"}max=? [F x=1]', 'p.pctl:1:1: there is no reward structure none, expected "steps", "height"'),
        ("P<2 [F x=1]", "p.pctl:1:1: the bound is 2, expected a probability from 0 to 1"),
        ("P<0.1 [F y=1]", "p.pctl:1:10: 'y' is not defined"),
        ('P<0.1 [F "topp"]', 'p.pctl:1:10: there is no label "topp", expected "top"'),
        ('P>=1 [F "top"];\nfilter(max, P=? [F y=1]);', "p.pctl:2:20: there is no y, expected"),
        ("filter(max, P=? [F x=1]", "p.pctl:1:24: expected ')', found the end of the file"),
        ("filter(most, P=? [F x=1])", "p.pctl:1:8: expected an operator of filters such as min, found 'most'"),
        ("P<0.1 [F<=2 G z]", "p.pctl:1:15: there is no z, expected"),
        ('S>0.1 ["topp"]', 'p.pctl:1:8: there is no label "topp"'),
        ("Pmax=? [x U<=2]", "p.pctl:1:15: expected an expression, found ']'"),
        ("Pmax=? [U x=1]", "p.pctl:1:9: the path operator U stands only after a formula inside P [..]"),
        ("P<0.1 [F x=1] & G x=1", "p.pctl:1:17: the path operator G stands only inside P [..]"),
        ("P<0.1 [F x=1] + 1 > 2", "p.pctl:1:1: P [..] is true or false, expected a number here"),
        ('R{"none"}max=? [C]', "p.pctl:1:1: there is no reward structure none"),
        ("<<1, P>=1 [F x=1]", "p.pctl:1:7: expected ',' or '>>', found '>='"),
        ("Pmax=? [F[3,] x=1]", "p.pctl:1:13: expected an expression, found ']'"),
        ('"best": Pmax=? [F x=1]; "best" & "bets"', 'p.pctl:1:34: there is no label "bets"'),
        ('"best": Pmax=? [F x=1]; "bets" + 1', 'p.pctl:1:25: there is no label "bets"'),
        ('Pmax=? [F x=1]; "top" + 1', 'p.pctl:1:17: the label "top" is true or false, expected a number here'),
        ("Pmax=? [F x=1 {y=0}]", "p.pctl:1:16: there is no y, expected"),
        ("Pmax=? [F x=1 {x=0}{avg}]", "p.pctl:1:21: expected min or max, found 'avg'"),
        ('R{"steps"}/{"none"}max=? [S]', "p.pctl:1:1: there is no reward structure none"),
        ("R{3}max=? [F x=1]", "p.pctl:1:1: there is no reward structure 3, expected"),
        ("R{x}max=? [F x=1]", "p.pctl:1:3: the number of the reward structure depends on a variable"),
        ('R{"steps"}max=? [C>=3]', "p.pctl:1:18: expected F with a formula, C<=k or I=k, found 'C'"),
        ("x + lots", "p.pctl:1:5: 'lots' is not defined"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    symag: Symag, walk: Path, tmp_path: Path, text: str, message: str
) -> None:
    """Unknown names and wrong syntax are errors inside of what is not supported, too."""
    file = tmp_path / "p.pctl"
    file.write_text(text)
    ran = symag("check", walk, "--properties", file, "--const", "K=2")
    assert ran.status == 3
    assert message in ran.err


UNSUPPORTED = {
    "filter(max, Pmax=? [F x=1])": "filter(..)",
    'filter(print, Pmin=? [F "top"], x<2) >= 1 - 0.5': "filter(..)",
    "filter(forall, x<=K, init)": "filter(..)",
    'S>0.1 ["top"]': "the steady-state operator S",
    "S=? [x=1]": "the steady-state operator S",
    "A [G F x=1]": "the operator A of CTL",
    "E [x<2 U E [F lost]]": "the operator E of CTL",
    'multi(Pmax=? [F "top"], R{"steps"}<=2 [C])': "multi(..)",
    "<<1,walk>> Pmax=? [F x=1]": "coalitions of games",
    "Pmax=? [F G x=1]": "LTL",
    "Pmax=? [(G F x=1) & (x<2 U<=3 lost)]": "LTL",
    "P>0.5 [x<1 U (x=1 W x=2)]": "LTL",
    "P>0.5 [F x=1 & X x=2]": "LTL",
    "Pmax=? [F>=3 x=1]": "a lower bound on steps",
    "Pmax=? [F[1,K] x=1]": "a lower bound on steps",
    "Pmax=? [x<1 U=2 x=1]": "a lower bound on steps",
    "P<=log(2,3) [F x=1]": "the bound is irrational",
    "Pmax=? [F<=1e9 x=1]": "more than 10000000 steps",
    'R{"steps"}max=? [C]': "the reward of all steps",
    'R{"height"}max=? [S]': "the reward of all steps",
    'R{"steps"}max=? [F<=3 x=1]': "a reward until a path ends that is not F",
    'R{"debt"}max=? [F x=0]': "a reward is -1",
    '1 - Pmax=? [F "top"]': "arithmetic with the value of P",
    '"best" & x=1': "a reference to another property",
    'max("best", 1/4)': 'a reference to another property, "best"',
    "x + 1": "a property that is a number without P or R",
    "Pmax=? [F lost {x=1}]": "a filter {..}",
    'R{"steps"}max=? [C<=2 {"top"}{min}{max}]': "a filter {..}",
    "S=? [x=1 {x<2}]": "the steady-state operator S",
    "filter(+, Pmax=? [F x=1], x<2)": "filter(..)",
    "filter(&, P>=0 [F x=1])": "filter(..)",
    'Pmaxmin=? [F "top"]': "optima over intervals of probabilities",
    'R{"steps"} minmax=? [F "top"]': "optima over intervals of probabilities",
    'R{"steps"}max=? [(F x=0) & (F lost)]': "a reward until a path ends that is not F",
    'R{"steps"}max=? [x<2 U lost]': "a reward until a path ends that is not F",
    'R{"steps"}/{"height"}max=? [S]': "a ratio of rewards",
    "<<*>> Pmax=? [F x=1]": "coalitions of games",
    "[[walk]] Pmax=? [F x=1]": "coalitions of games",
}


def test_what_is_not_supported_is_unknown_and_the_others_are_answered(symag: Symag, walk: Path, tmp_path: Path) -> None:
    file, certificates = tmp_path / "p.pctl", tmp_path / "certificates"
    walk.write_text(f'{WALK}rewards "debt" x=1 : -1; endrewards\n')
    file.write_text('"best": Pmax=? [F "top"];\n' + "".join(f"{text};\n" for text in UNSUPPORTED) + "P>=1 [F lost]\n")
    arguments = (walk, "--properties", file, "--const", "K=2")
    ran = symag("check", *arguments, "--json", "--certificate", f"{certificates}/")
    best, *unsupported, last = ran.json["results"]
    assert ran.status == 10
    assert (best["verdict"], best["value"], best["certified"]) == ("computed", 0.5, True)
    assert (last["verdict"], last["certified"]) == ("violated", True)
    assert [each["text"] for each in unsupported] == list(UNSUPPORTED)
    for each, (text, why) in zip(unsupported, UNSUPPORTED.items(), strict=True):
        assert (each["verdict"], each["reason"]) == ("unknown", "unsupported")
        begin = f"property {each['index']}: unsupported: {why}"
        assert any(warning.startswith(begin) for warning in ran.json["warnings"]), text
    assert symag("certify", walk, last["certificate"], *arguments[1:]).status == 0
    for text, why in list(UNSUPPORTED.items())[:2]:
        alone = symag("check", walk, "--formula", text, "--const", "K=2")
        assert (alone.status, alone.err) == (30, "")
        assert f"is unknown (unsupported: {why}" in alone.out


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


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ('R{"nothing"}=? [C<=4]', "0"),
        ('R{"luck"}=? [C<=4]', "3/1000003"),
        ("P=? [F<=4 x=2]", "0"),
        ("P=? [G<=4 x<2]", "1"),
        ("P=? [F<=1 x=1]", "1/1000003"),
        ("P=? [x<2 U<=4 x=2]", "0"),
    ],
)
def test_bounded_steps_over_long_denominators(symag: Symag, tmp_path: Path, formula: str, value: str) -> None:
    """The common denominator of four steps has 80 bits, also where nothing that is reached counts."""
    model = tmp_path / "rare.pm"
    model.write_text(
        "dtmc\nmodule rare\n  x : [0..2] init 0;\n"
        "  [try] x<2 -> 1/1000003 : (x'=1) + 1000002/1000003 : (x'=0);\n  [] x=2 -> true;\nendmodule\n"
        'rewards "nothing" x>1 : 1; endrewards\nrewards "luck" x=1 : 1; endrewards\n'
    )
    ran = symag("check", model, "--formula", formula, "--json")
    (result,) = ran.json["results"]
    assert (ran.status, result["certified"], result["bounds"]) == (0, True, [value, value])
