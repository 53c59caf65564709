"""``symag check`` and ``symag certify`` on PRISM models with a specification."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Symag

LINK = """
mdp
module sender
  s : [0..2];
  [input] s=0 -> (s'=1);
  [send] s=1 -> (s'=2);
  [ack] s=2 -> (s'=0);
endmodule
module channel
  c : [0..3];
  [send] c=0 -> (c'=1);
  [output] c=1 -> 0.9:(c'=2) + 0.1:(c'=3);
  [ack] c=2 -> (c'=0);
endmodule
"""
WANTED = """
mdp
const double p;
module wanted
  w : [0..2];
  [input] w=0 -> (w'=1);
  [output] w=1 -> p:(w'=0) + 1-p:(w'=2);
endmodule
"""


@pytest.fixture
def link(tmp_path: Path) -> tuple[Path, Path]:
    system, wanted = tmp_path / "link.nm", tmp_path / "wanted.nm"
    system.write_text(LINK)
    wanted.write_text(WANTED)
    return system, wanted


@pytest.mark.parametrize("method", ["auto", "monolithic", "cegar", "agar", "agar-n"])
def test_methods_and_their_evidence(symag: Symag, link: tuple[Path, Path], tmp_path: Path, method: str) -> None:
    system, wanted = link
    told = ("--specification", wanted, "--const", "p=0.9")
    certificate = tmp_path / "proof.json"
    ran = symag("check", system, *told, "--method", method, "--certificate", certificate, "--json")
    assert (ran.status, ran.err) == (0, "")
    (result,) = ran.json["results"]
    assert (result["kind"], result["verdict"], result["certified"]) == ("simulation", "holds", True)
    assert result["certificate"] == str(certificate)
    ran = symag("certify", system, certificate, *told, "--show")
    assert ran.status == 0
    assert ran.out.endswith("accepted: the property holds\n")
    assert symag("certify", system, certificate, "--specification", wanted, "--const", "p=0.8").status == 3


@pytest.mark.parametrize("method", ["monolithic", "cegar", "agar", "agar-n"])
def test_a_wrong_probability_is_refuted_by_a_tree(
    symag: Symag, link: tuple[Path, Path], tmp_path: Path, method: str
) -> None:
    system, wanted = link
    told = ("--specification", wanted, "--const", "p=17/20")
    certificate = tmp_path / "tree.json"
    ran = symag("check", system, *told, "--method", method, "--certificate", certificate)
    assert ran.status == 10
    assert "tree of 7 nodes replayed" in ran.out
    assert "output  9/10  (s=2, c=2)" in ran.out
    assert symag("certify", system, certificate, *told).out.endswith("accepted: the property is violated\n")
    document = json.loads(certificate.read_text())
    document["evidence"]["nodes"][-1]["action"] = "output"
    certificate.write_text(json.dumps(document))
    ran = symag("certify", system, certificate, *told)
    assert (ran.status, ran.err.count("\n")) == (1, 1)


def test_parts_and_engines(symag: Symag, link: tuple[Path, Path]) -> None:
    system, wanted = link
    told = ("check", system, "--specification", wanted, "--const", "p=0.9", "--json")

    def statistics(*more: str) -> dict[str, int]:
        found = symag(*told, "--method", "agar", *more).json["results"][0]
        assert found["verdict"] == "holds"
        return dict(found["statistics"])

    assert statistics()["second_states"] == 4
    assert statistics("--order", "channel")["second_states"] == 3
    assert statistics("--order", "smallest")["first_states"] == 3
    assert statistics("--group", "sender,1")["system_states"] == 5
    assert statistics("--engine", "textbook")["refinements"] >= 1


def test_several_files(symag: Symag, tmp_path: Path, link: tuple[Path, Path]) -> None:
    _, wanted = link
    sender, channel = LINK.split("module channel")
    one, other = tmp_path / "sender.nm", tmp_path / "channel.nm"
    one.write_text(sender)
    other.write_text(f"mdp\nmodule channel{channel}")
    ran = symag("check", one, "--component", other, "--specification", wanted, "--const", "p=9/10")
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((), 2, "say by --specification FILE what has to simulate it, or by --formula"),
        (("--specification", "wanted.nm"), 3, "p"),
        (("--specification", "wanted.nm", "--const", "p=0.9,q=1"), 2, "no such constant"),
        (("--specification", "wanted.nm", "--const", "p=0.9", "--method", "lstar"), 2, "not for probabilistic systems"),
        (("--specification", "wanted.nm", "--const", "p=0.9", "--group", "sender,x"), 2, "no component 'x'"),
        (("--specification", "wanted.smv"), 2, "a specification is read from"),
        (("--specification", "absent.nm"), 3, "absent.nm"),
    ],
)
def test_what_is_refused(
    symag: Symag, link: tuple[Path, Path], arguments: tuple[str, ...], status: int, message: str
) -> None:
    folder = link[0].parent
    told = [str(folder / each) if each.endswith((".nm", ".smv")) else each for each in arguments]
    ran = symag("check", link[0], *told)
    assert ran.status == status
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert symag("check", "models/counter.smv", "--specification", link[1]).status == 2


@pytest.mark.parametrize("method", ["monolithic", "cegar", "agar", "agar-n"])
def test_formulas(symag: Symag, link: tuple[Path, Path], tmp_path: Path, method: str) -> None:
    """After one input the output is lost, and nothing can follow, with probability 1/10."""
    for bound, status, claim in (("0.9", 0, "holds"), ("0.89", 10, "is violated")):
        formula = f"P<={bound} [send | output | P>0.95 [X send] U ack]"
        certificate = tmp_path / f"{bound}.json"
        ran = symag("check", link[0], "--formula", formula, "--method", method, "--certificate", certificate, "--json")
        assert (ran.status, ran.err) == (status, "")
        (result,) = ran.json["results"]
        assert (result["kind"], result["certified"]) == ("pctl", True)
        ran = symag("certify", link[0], certificate, "--formula", formula, "--show")
        assert ran.out.endswith(f"accepted: the property {claim}\n")
        assert symag("certify", link[0], certificate, "--formula", "P<=0.1 [F ack]").status == 3
    ran = symag("check", link[0], "--formula", "P<=0.1 [F !ack]")
    assert (ran.status, ran.err) == (3, "symag: --formula:1:11: expected an action, found !\n")


def test_a_timeout_is_no_verdict(symag: Symag, link: tuple[Path, Path]) -> None:
    ran = symag("check", link[0], "--specification", link[1], "--const", "p=0.9", "--timeout", "0.001", "--json")
    assert ran.status == 30
    assert ran.json["results"][0]["reason"] == "timeout"


def test_a_tree_is_replayed_from_its_file(symag: Symag, link: tuple[Path, Path], tmp_path: Path) -> None:
    system, wanted = link
    wrong, right = ("--specification", wanted, "--const", "p=0.8"), ("--specification", wanted, "--const", "p=0.9")
    tree = tmp_path / "tree.json"
    assert symag("check", system, *right, "--trace", tree).status == 0
    assert not tree.exists()
    checked = symag("check", system, *wrong, "--method", "agar", "--trace", tree)
    assert checked.status == 10
    ran = symag("replay", system, tree, *wrong)
    assert (ran.status, ran.err) == (10, "")
    *shown, verdict = ran.out.splitlines()
    assert shown
    assert "\n".join(shown) in checked.out
    assert verdict.endswith("accepted: the property is violated")
    assert symag("replay", system, tree, *wrong, "--json").json["certified"]
    assert symag("replay", system, tree, *right).status == 3  # a file about another specification
    document = json.loads(tree.read_text())
    document["evidence"]["nodes"][-1]["local"] = [0, 0]
    tree.write_text(json.dumps(document))
    assert symag("replay", system, tree, *wrong).status == 1


def test_what_replay_and_trace_refuse(symag: Symag, link: tuple[Path, Path], tmp_path: Path) -> None:
    system, wanted = link
    told = ("--specification", wanted, "--const", "p=0.9")
    proof = tmp_path / "proof.json"
    assert symag("check", system, *told, "--certificate", proof).status == 0
    ran = symag("replay", system, proof, *told)
    assert ran.status == 3
    assert "there is no tree in it" in ran.err
    assert symag("replay", system, proof).status == 2
    assert symag("replay", system, proof, *told, "--property", "p").status == 2
    assert symag("check", system, *told, "--trace", tmp_path / "tree.txt").status == 2
