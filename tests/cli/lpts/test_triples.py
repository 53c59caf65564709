"""``symag check --triples``: the paper's example from end to end, and what is wrong in a file of triples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Symag
from tests.conftest import ROOT

MODEL, TRIPLES = ROOT / "models/lpts/warning.nm", ROOT / "models/lpts/warning.triples"


def test_the_example_of_the_paper(symag: Symag, tmp_path: Path) -> None:
    ran = symag("check", MODEL, "--triples", TRIPLES, "--json", "--certificate", tmp_path)
    assert (ran.status, ran.err) == (0, "")
    results = ran.json["results"]
    assert [(r["name"], r["verdict"], r["method"], r["value"]) for r in results] == [
        ("sensor", "holds", "monolithic", None),
        ("device", "holds", "monolithic", None),
        ("value", "computed", "monolithic", 0.97),
        ("curve", "computed", "monolithic", "a curve with 2 corners"),
        ("system", "holds", "triples", None),
    ]
    assert {(r["kind"], r["certified"]) for r in results} == {("triple", True)}
    assert results[2]["bounds"] == ["97/100", "97/100"]
    assert results[3]["curve"] == [["0", "0"], ["1", "1/10"]]
    assert "curve" not in results[2]
    results.pop(3)
    assert results[3]["notes"] == ['the triples prove P<=1/5 [F "unwarned"]', 'the triples prove P<=1/50 [F "failed"]']
    ran = symag("certify", MODEL, results[3]["certificate"], "--triples", TRIPLES, "--show")
    assert ran.status == 0
    assert "triple 1: <monitor 0 costs at most 1/5> device <monitor 1 costs at most 1/50>" in ran.out
    document = json.loads(Path(results[3]["certificate"]).read_text())
    document["evidence"]["proven"][0]["most"] = "1/6"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(document))
    assert symag("certify", MODEL, changed, "--triples", TRIPLES).status == 1


def test_evidence_of_a_selected_triple_is_found_again(symag: Symag, tmp_path: Path) -> None:
    certificate = tmp_path / "curve.json"
    ran = symag("check", MODEL, "--triples", TRIPLES, "--property", "curve", "--certificate", certificate, "--json")
    assert [result["index"] for result in ran.json["results"]] == [3]
    ran = symag("certify", MODEL, certificate, "--triples", TRIPLES)
    assert (ran.status, "accepted: the property is a curve with 2 corners" in ran.out) == (0, True)


def with_triple(folder: Path, triple: str, monitors: str = "") -> Path:
    text = TRIPLES.read_text()
    path = folder / "file.triples"
    path.write_text(monitors + text[: text.index("\ntriples\n")] + f"\ntriples\n  {triple}\nendtriples\n")
    return path


def test_what_triples_do_not_prove(symag: Symag, tmp_path: Path) -> None:
    chain = '<> sensor <P<=0.2 [F "unwarned"]>; <P<=0.2 [F "unwarned"]> device <P<=1 [F "failed"]>;'
    path = with_triple(tmp_path, f'{chain} "tight": <> system <P<=0.019 [F "failed"]>; <> system <P=? [F "failed"]>;')
    ran = symag("check", MODEL, "--triples", path, "--method", "triples", "--json", "--property", "2", "--property", 3)
    tight, value = ran.json["results"]
    assert (ran.status, tight["verdict"], value["bounds"]) == (30, "unknown", ["0", "1/50"])
    assert tight["reason"] == "the triples prove 1/50 at best; --method monolithic decides it"
    for method in ("auto", "monolithic"):
        ran = symag("check", MODEL, "--triples", path, "--method", method, "--property", "tight", "--json")
        (tight,) = ran.json["results"]
        assert (tight["verdict"], tight["method"], tight["certified"]) == ("violated", "monolithic", True)
    ran = symag("check", MODEL, "--triples", path, "--method", "agar", "--property", "tight")
    assert (ran.status, "--method monolithic or triples decides triples" in ran.out) == (30, True)
    ran = symag("check", MODEL, "--formula", "P<=0.1 [F fail]", "--method", "triples")
    assert (ran.status, "--method triples is for --triples FILE" in ran.out) == (30, True)


def test_lower_bounds_are_about_fair_schedulers(symag: Symag, tmp_path: Path) -> None:
    model, triples = (ROOT / f"models/lpts/delivery.{suffix}" for suffix in ("nm", "triples"))
    ran = symag("check", model, "--triples", triples, "--json", "--certificate", tmp_path)
    results = ran.json["results"]
    assert [(r["name"], r["verdict"], r["method"], r["bounds"], r["certified"]) for r in results] == [
        ("sender", "holds", "monolithic", None, True),
        ("courier", "holds", "monolithic", None, True),
        ("best", "computed", "monolithic", ["9/20", "9/20"], True),
        ("system", "holds", "triples", None, True),
        ("exact", "computed", "monolithic", ["1", "1"], True),
    ]
    assert all("every component moves infinitely often" in r["notes"][0] for r in results)
    assert results[3]["notes"][1:] == ['the triples prove P>=9/10 [F "sent"]', 'the triples prove P>=9/20 [F "late"]']
    ran = symag("certify", model, results[2]["certificate"], "--triples", triples)
    assert (ran.status, "accepted: the property has the value 9/20 (0.45)" in ran.out) == (0, True)
    certificate = Path(results[3]["certificate"])
    assert symag("certify", model, certificate, "--triples", triples).status == 0
    document = json.loads(certificate.read_text())
    document["evidence"]["proven"][0]["most"] = "-91/100"
    certificate.write_text(json.dumps(document))
    assert symag("certify", model, certificate, "--triples", triples).status == 1
    ran = symag("check", model, "--triples", triples, "--property", "exact", "--method", "triples", "--json")
    assert ran.json["results"][0]["bounds"] == ["9/20", "1"]


@pytest.mark.parametrize(
    ("triple", "bounds"),
    [
        ('<> sender <Pmin=? [F "sent"]>;', ["9/10", "9/10"]),
        ('<> sender <Pmax=? [G !"sent"]>;', ["1/10", "1/10"]),
        ('<> sender <P=? [F "sent"]>; <> sender <P>=0 [F "sent"]>;', ["9/10", "9/10"]),
        ('<P<=0.1 [G !"sent"]> courier <Pmin=? [F "late"]>;', ["9/20", "9/20"]),
    ],
)
def test_lower_bounds_in_all_forms(symag: Symag, tmp_path: Path, triple: str, bounds: list[str]) -> None:
    text = (ROOT / "models/lpts/delivery.triples").read_text()
    path = tmp_path / "file.triples"
    rewards = 'rewards "ways"\n  [send] true : 1;\nendrewards\n'
    path.write_text(rewards + text[: text.index("\ntriples\n")] + f"\ntriples\n  {triple}\nendtriples\n")
    ran = symag("check", ROOT / "models/lpts/delivery.nm", "--triples", path, "--json")
    assert ran.json["results"][0]["bounds"] == bounds


def test_an_infinite_cost_is_above_every_lower_bound(symag: Symag, tmp_path: Path) -> None:
    path = tmp_path / "ways.triples"
    monitor = 'module any\n  [send] true -> true;\nendmodule\nrewards "ways"\n  [send] true : 1;\nendrewards\n'
    text = monitor + "triples\n  {}\nendtriples\n"
    path.write_text(text.format("<> sender <R>=100 [C]>; <> sender <Rmin=? [C]>; <> sender <R<=100 [C]>;"))
    ran = symag("check", ROOT / "models/lpts/delivery.nm", "--triples", path, "--json")
    above, least, below = ran.json["results"]
    assert (above["verdict"], above["certified"]) == ("holds", True)
    assert least["reason"] == "no fair scheduler keeps the assumptions, with a finite cost of a lower bound"
    assert below["verdict"] == "violated"


@pytest.mark.parametrize(
    ("triple", "curve", "notes"),
    [
        (
            '<Pmin=? [F "sent"]> courier <Pmin=? [F "late"]>;',
            [["1", "1/2"], ["0", "0"]],
            ["no fair scheduler keeps", 'P>=1 [F "sent"]: P>=1/2 [F "late"]', 'P>=0 [F "sent"]: P>=0 [F "late"]'],
        ),
        (
            '<P=? [F "late"]> system <Pmin=? [F "sent"]>;',
            [["1", "9/10"]],
            ["no fair scheduler keeps", 'P<=1 [F "late"]: P>=9/10 [F "sent"]'],
        ),
        ('<Pmin=? [G !"sent"]> courier <P=? [F "late"]>; <> sender <P>=0 [F "sent"]>;', [["0", "1"]], ["P<=0 [F"]),
        ('<R{"ways"}min=? [C]> sender <Pmin=? [F "sent"]>;', None, []),
    ],
)
def test_curves_with_lower_bounds(
    symag: Symag, tmp_path: Path, triple: str, curve: list[list[str]] | None, notes: list[str]
) -> None:
    text = (ROOT / "models/lpts/delivery.triples").read_text()
    path, certificate = tmp_path / "file.triples", tmp_path / "c.json"
    rewards = 'rewards "ways"\n  [send] true : 1;\nendrewards\n'
    path.write_text(rewards + text[: text.index("\ntriples\n")] + f"\ntriples\n  {triple}\nendtriples\n")
    arguments = (ROOT / "models/lpts/delivery.nm", "--triples", path)
    ran = symag("check", *arguments, "--property", "0", "--certificate", certificate, "--json")
    result = ran.json["results"][0]
    if curve is None:
        assert (result["verdict"], result["reason"]) == ("unknown", "unsupported")
        return
    assert (result["curve"], result["certified"]) == (curve, True)
    assert all(note.startswith(begin) for note, begin in zip(result["notes"][1:], notes, strict=True))
    assert symag("certify", arguments[0], certificate, *arguments[1:]).status == 0


REWARDS = 'rewards "signals"\n  [warn] o=0 : 1/2;\n  [shutdown] true : 2;\nendrewards\n'


def test_rewards_are_costs_of_actions(symag: Symag, tmp_path: Path) -> None:
    triples = (
        '<> sensor <R{"signals"}=? [C]>; <> device <R{"signals"}=? [C]>; '
        '<R{"signals"}<=1> sensor <R{"signals"}<=1 [C]>;'.replace("<=1>", "<=1 [C]>")
    )
    ran = symag("check", MODEL, "--triples", with_triple(tmp_path, triples, REWARDS), "--json")
    # 4/5 of the runs warn; the device alone is extended by "warn" and "shutdown" only once each.
    assert [r["bounds"] for r in ran.json["results"]] == [["12/5", "12/5"], ["5/2", "5/2"], None]
    assert ran.json["results"][2]["verdict"] == "holds"


@pytest.mark.parametrize(
    ("triple", "monitors", "message"),
    [
        ('<> sensor <P<=0.1 [F "lost"]>;', "", '19:24: there is no label "lost"'),
        ('<> radio <P<=0.1 [F "failed"]>;', "", "19:6: there is no component radio, expected sensor, device"),
        ('<> sensor <P<=1.5 [F "failed"]>;', "", "the bound is 3/2, expected a probability from 0 to 1"),
        ('<> sensor <R{"n"}<=1 [C]>;', "", 'there is no reward structure "n"'),
        ('<> sensor <R{"n"}<=1 [F "failed"]>;', "", "the model has no reward structures"),
        ("<> sensor <R<=1 [failed]>;", "", "19:20: expected F with a formula, C<=k or I=k, found 'failed'"),
        ("<> sensor <P<=0.1 [F<=3 z=1]>;", "", "19:27: there is no z, expected"),
        ('<P<0.1 [F "failed"]> sensor <P<=0.1 [G "lost"]>;', "", '19:42: there is no label "lost"'),
        ("sensor;", "", "expected '<'"),
        ('<> sensor <P<=0 [F "x"]>;', 'label "x" = o<2;\n', 'the label "x" is true at the beginning'),
        ('<> sensor <P<=0 [F "x"]>;', 'label "x" = o=2 & f;\n', "expected those of one module"),
        (
            '<> sensor <P<=0 [F "x"]>;',
            "module m x:[0..2]; [a] x=0 -> 0.5:(x'=1)+0.5:(x'=2); endmodule label \"x\" = x=2;\n",
            "the monitor m is not deterministic",
        ),
        (
            '<> sensor <P<=0 [F "x"]>;',
            'module m x:[0..1]; [] x=0 -> (x\'=1); endmodule label "x" = x=1;\n',
            "the monitor m has a command without an action",
        ),
        (
            "<> sensor <R<=1 [C]>;",
            'rewards "n"\n  true : 1;\nendrewards\n',
            "expected a reward such as [send] true : 1;",
        ),
    ],
)
def test_what_is_wrong_in_a_file(symag: Symag, tmp_path: Path, triple: str, monitors: str, message: str) -> None:
    path = with_triple(tmp_path, triple, monitors)
    ran = symag("check", MODEL, "--triples", path)
    assert (ran.status, ran.out) == (3, "")
    assert message in ran.err
    assert (ran.err.startswith(f"symag: {path}:"), ran.err.count("\n")) == (True, 1)


def test_what_is_not_supported_is_unknown_and_in_no_plan(symag: Symag, tmp_path: Path) -> None:
    unsupported = {
        '<> sensor <P<0.1 [F "failed"]>': "the strict bound <",
        '<> sensor <P<=0.1 [F<=3 "failed"]>': "a bound on steps",
        "<> sensor <P<=0.1 [F f & o=2]>": "a bound that is not",
        '<> sensor <P<=0.1 [X "failed"]>': "a bound that is not",
        '<> sensor <P<=0.1 [F G "failed"]>': "a bound that is not",
        '<P=? [F "failed"]> sensor <P<=0.1 [F "failed"]>': "=? in an assumption asks for a curve",
        '<R{"signals"}<=1 [C<=3]> sensor <P=? [F "failed"]>': "a bound that is not",
    }
    shown = '<> sensor <P=? [F "unwarned"]>; <> system <P<=1 [F "failed"]>'
    path = with_triple(tmp_path, "; ".join([*unsupported, shown]) + ";", REWARDS)
    ran = symag("check", MODEL, "--triples", path, "--json")
    *unknown, exact, system = ran.json["results"]
    assert (ran.status, exact["bounds"], exact["certified"]) == (30, ["1/5", "1/5"], True)
    assert (system["verdict"], system["certified"]) == ("holds", True)
    assert [each["reason"] for each in unknown] == ["unsupported"] * len(unsupported)
    for number, why in enumerate(unsupported.values()):
        assert any(line.startswith(f"property {number}: unsupported: {why}") for line in ran.json["warnings"]), why


def test_a_file_without_triples(symag: Symag, tmp_path: Path) -> None:
    path = tmp_path / "none.triples"
    path.write_text("module m x : bool; [a] true -> (x'=true); endmodule\n")
    ran = symag("check", MODEL, "--triples", path)
    assert (ran.status, "there are no triples, expected: triples ... endtriples" in ran.err) == (3, True)
    assert symag("check", MODEL, "--triples", path, "--formula", "P<=1 [F fail]").status == 2
