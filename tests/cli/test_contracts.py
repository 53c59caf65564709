"""symag contracts: what it prints, and its exit status."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Symag
from tests.conftest import ROOT

MODEL = ROOT / "models" / "token.smv"
CONTRACTS = ROOT / "models" / "token.toml"


def test_kept(symag: Symag) -> None:
    ran = symag("contracts", MODEL, CONTRACTS, "--method", "monolithic")
    assert ran.status == 0
    lines = [line.split(" (monolithic")[0] for line in ran.out.splitlines()]
    assert lines[:4] == [
        "first",
        "  the assumptions can all be true",
        "  guarantee first.state = busy -> arbiter.owner = one holds while the assumptions hold",
        "  assumption arbiter.owner = one & next(first.state) = busy -> next(arbiter.owner) = one follows from arbiter",
    ]
    assert (
        lines[-2] == "property arbiter_knows: (first.state = busy -> arbiter.owner = one) follows from the guarantees"
    )
    assert lines[-1].endswith("all contracts are kept, and every guarantee is true of every run")


def test_not_kept(symag: Symag, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.smv"
    wrong.write_text(MODEL.read_text().replace("state = waiting & token : busy", "state = waiting : busy"))
    ran = symag("contracts", wrong, CONTRACTS, "--method", "monolithic", "--json", "--property", "arbiter_knows")
    assert ran.status == 10
    assert ran.json["verdict"] == "violated"
    missed = [item for item in ran.json["obligations"] if item["verdict"] == "violated"]
    assert {(item["kind"], item["part"]) for item in missed} == {("guarantee", "first"), ("guarantee", "second")}
    assert missed[0]["trace"]["steps"][-1]["state"]["first.state"] == "busy"
    shown = symag("contracts", wrong, CONTRACTS, "--method", "monolithic", "--property", "arbiter_knows")
    assert (
        "guarantee first.state = busy -> arbiter.owner = one is not kept, even while the assumptions hold" in shown.out
    )
    assert "    first.state = busy" in shown.out


def test_contracts_in_the_comments_of_a_model(symag: Symag, tmp_path: Path) -> None:
    lines = CONTRACTS.read_text().splitlines()
    own = tmp_path / "own.smv"
    own.write_text(MODEL.read_text() + "".join(f"  --@ {line}\n" for line in lines))
    read, apart = (
        symag("contracts", *files, "--method", "monolithic", "--json") for files in ((own,), (MODEL, CONTRACTS))
    )
    assert read.status == apart.status == 0
    assert read.json["contracts"] == str(own)
    for item in ("kind", "part", "text", "verdict"):
        assert [entry[item] for entry in read.json["obligations"]] == [
            entry[item] for entry in apart.json["obligations"]
        ]
    refused = symag("contracts", MODEL)
    assert (refused.status, refused.err.count("\n")) == (3, 1)
    assert 'no comment --@ has a contract: expected a table [PART] with guarantee = ["EXPRESSION"]' in refused.err
    own.write_text(MODEL.read_text() + "--@ [first]\n--@ guarantee = first.state\n")
    last = len(own.read_text().splitlines())
    assert f"(at line {last}, column 17)" in symag("contracts", own).err


def test_bad_file(symag: Symag, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[first]\nguarantee = ["first.stat = busy"]\n')
    ran = symag("contracts", MODEL, wrong)
    assert ran.status == 3
    assert ran.err.count("\n") == 1
    assert "[first].guarantee[0]:1:6" in ran.err
    assert symag("contracts", MODEL, tmp_path / "none.toml").status == 3


PAIR = """MODULE cell(other)
VAR out : boolean;
INVAR {constraint};
MODULE main
VAR l : cell(r.out); r : cell(l.out);
INVARSPEC l.out;
INVARSPEC {property}
"""


def test_the_last_line_says_what_is_concluded(symag: Symag, tmp_path: Path) -> None:
    """A circle proves nothing though each step of it does; a property that does not follow breaks no contract."""
    model, contracts = tmp_path / "pair.smv", tmp_path / "pair.toml"
    model.write_text(PAIR.format(constraint="other -> out", property="r.out"))
    contracts.write_text(
        """
[l]
assume = ["r.out"]
guarantee = ["l.out"]
[r]
assume = ["l.out"]
guarantee = ["r.out"]
"""
    )
    circle = symag("contracts", model, contracts)
    assert circle.status == 10
    assert circle.out.splitlines()[-2:] == [
        "these parts wait for each other's guarantees of the same instant: l -> r -> l",
        "2 guarantees, 2 assumptions, 2 properties: parts wait for each other, so nothing is concluded about the model",
    ]
    kept = "1 guarantees, 0 assumptions, 2 properties: all contracts are kept, and every guarantee is true of every run"
    contracts.write_text('[l]\nguarantee = ["l.out"]\n')
    for property_, status in (("!r.out", 10), ("l.out | r.out", 0)):
        model.write_text(PAIR.format(constraint="out", property=property_))
        ran = symag("contracts", model, contracts, "--quiet")
        assert (ran.status, ran.out.splitlines()[-1]) == (
            status,
            kept + ("; of the properties 1 do not follow" if status else ""),
        )
    model.write_text(PAIR.format(constraint="TRUE", property="TRUE"))
    ran = symag("contracts", model, contracts, "--quiet")
    assert (ran.status, ran.out.splitlines()[-1]) == (
        10,
        "1 guarantees, 0 assumptions, 2 properties: 1 questions are not answered as they should be, "
        "so nothing is concluded about the model",
    )
