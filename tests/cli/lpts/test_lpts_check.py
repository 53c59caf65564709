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

    assert statistics()["second_states"] == 3  # the smallest component is abstracted
    assert statistics("--order", "sender")["second_states"] == 4
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
        (
            ("--specification", "wanted.nm", "--const", "p=0.9", "--method", "lstar"),
            2,
            "for labelled transition systems;",
        ),
        (
            ("--specification", "wanted.nm", "--const", "p=0.9", "--method", "agar", "--group", "sender,x"),
            2,
            "no component 'x'",
        ),
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


@pytest.mark.long
@pytest.mark.parametrize("method", ["monolithic", "cegar", "agar", "agar-n"])
def test_formulas(symag: Symag, link: tuple[Path, Path], tmp_path: Path, method: str) -> None:
    """After one input the output is lost, and nothing can follow, with probability 1/10."""
    for bound, status, claim in (("0.9", 0, "holds"), ("0.89", 10, "is violated")):
        formula = f"P<={bound} [send | output | input U ack]"
        certificate = tmp_path / f"{bound}.json"
        ran = symag("check", link[0], "--formula", formula, "--method", method, "--certificate", certificate, "--json")
        assert (ran.status, ran.err) == (status, "")
        (result,) = ran.json["results"]
        assert (result["kind"], result["certified"]) == ("pctl", True)
        ran = symag("certify", link[0], certificate, "--formula", formula, "--show")
        assert ran.out.endswith(f"accepted: the property {claim}\n")
        assert symag("certify", link[0], certificate, "--formula", "P<=0.1 [F ack]").status == 3
    ran = symag("check", link[0], "--formula", "P<=0.1 [F !ack", "--method", method)
    assert (ran.status, ran.err) == (3, "symag: --formula:1:15: expected ']', found the end of the file\n")


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


LABELLED = """mdp
module m
  s : [0..3];
  [go] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=2);
  [back] s=1 -> (s'=0);
  [idle] s=2 -> 1/4 : (s'=3) + 3/4 : true;
endmodule
module n
  t : bool;
  [go] true -> (t'=!t);
endmodule
label "done" = s=3 & t;
"""


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("P<=0.1 [F fial]", "--formula:1:11: there is no action fial, expected an action (back, go, idle) or a label"),
        ("!go & !fial", "--formula:1:8: there is no action fial"),
        ("P<=0.1 [F done]", 'or a label ("init", "deadlock", "done"); the label is written "done"'),
        ("P<=0.1 [F s]", "--formula:1:11: the condition is of type int, expected bool"),
        ('P<=0.1 [F "dne"]', '--formula:1:11: there is no label "dne", expected "init", "deadlock", "done"'),
    ],
)
def test_a_name_that_the_model_does_not_have_is_refused(
    symag: Symag, tmp_path: Path, formula: str, message: str
) -> None:
    """A formula about an action that can never happen would hold, certified, whatever its author meant."""
    model = tmp_path / "m.nm"
    model.write_text(LABELLED)
    ran = symag("check", model, "--formula", formula)
    assert ran.status == 3
    assert message in ran.err


@pytest.mark.long
@pytest.mark.parametrize(
    ("formula", "status"),
    [
        ('P<=2/3 [F "done"]', 0),  # an odd number of times round: 1/2 + 1/2 * 1/4 + ..
        ('P<=0.6 [F "done"]', 10),
        ('P<=0 [F "init" & "deadlock"]', 0),
        ('P<=0.9 [F "deadlock"]', 10),
        ('P<=0.5 [go | idle U "deadlock"]', 0),
        ('P<=0.25 [F idle & P>0.2 [X "done"]]', 10),
        ('!"done" & !"deadlock"', 0),
        ('!"init"', 10),
    ],
)
def test_formulas_with_labels(symag: Symag, tmp_path: Path, formula: str, status: int) -> None:
    model, certificate = tmp_path / "m.nm", tmp_path / "c.json"
    model.write_text(LABELLED)
    ran = symag("check", model, "--formula", formula, "--certificate", certificate, "--json")
    assert (ran.status, ran.err) == (status, "")
    assert ran.json["results"][0]["certified"]
    assert symag("certify", model, certificate, "--formula", formula).status == 0
    # The same from explicit files, where the labels stand in a file of their own.
    explicit = tmp_path / "m.tra"
    assert symag("convert", model, explicit).status == symag("convert", model, tmp_path / "m.lab").status == 0
    assert symag("check", explicit, "--formula", formula).status == status


def test_labels_of_several_files(symag: Symag, tmp_path: Path) -> None:
    one, other = tmp_path / "one.nm", tmp_path / "other.nm"
    one.write_text('mdp\nmodule m s : [0..1]; [a] s=0 -> 1/2:(s\'=1)+1/2:true; endmodule\nlabel "up" = s=1;\n')
    other.write_text('mdp\nmodule n t : [0..1]; [b] t=0 -> (t\'=1); endmodule\nlabel "top" = t=1;\n')
    both = ("check", one, "--component", other, "--formula")
    assert symag(*both, 'P<=0.99 [F "up" & "top"]').status == 10
    assert symag(*both, 'P<=0.4 [F "top" & P>0.4 [X "up"]]', "--method", "agar").status == 10
    assert symag(*both, 'P<=1/2 [X "up"]', "--method", "agar").status == 0
    ran = symag(*both, 'P<=1/2 [F "deadlock"]')
    assert (ran.status, ran.err) == (
        2,
        'symag: the label "deadlock" is in several files; a formula reads labels that are in one only\n',
    )


def test_an_equivalence_holds_with_its_evidence(symag: Symag, link: tuple[Path, Path], tmp_path: Path) -> None:
    system, _ = link
    evidence = tmp_path / "evidence.json"
    given = ("--equivalence", "bisimulation", "--specification", system)
    ran = symag("check", system, *given, "--certificate", evidence, "--json")
    assert ran.status == 0, ran.err
    (result,) = json.loads(ran.out)["results"]
    assert (result["kind"], result["verdict"], result["certified"]) == ("bisimulation", "holds", True)
    assert "accepted: the property holds" in symag("certify", system, evidence, *given).out
    assert symag("replay", system, evidence, *given).status == 3


def test_a_violated_equivalence_has_a_tree(symag: Symag, link: tuple[Path, Path], tmp_path: Path) -> None:
    system, wanted = link
    evidence = tmp_path / "evidence.json"
    given = ("--equivalence", "simulation", "--specification", wanted, "--const", "p=0.9")
    ran = symag("check", system, *given, "--certificate", evidence)
    assert (ran.status, "cannot simulate" in ran.out) == (10, True)
    assert "accepted: the property is violated" in symag("replay", system, evidence, *given).out
    # The evidence is not for the other question.
    assert symag("certify", system, evidence, "--equivalence", "bisimulation", *given[2:]).status == 3


def test_an_equivalence_needs_another_system_and_the_whole(symag: Symag, link: tuple[Path, Path]) -> None:
    system, _ = link
    answer = symag("check", system, "--equivalence", "bisimulation")
    assert (answer.status, "needs the other system" in (answer.out + answer.err)) == (2, True)
    answer = symag("check", system, "--equivalence", "bisimulation", "--specification", system, "--method", "agar")
    assert "decides equivalences" in (answer.out + answer.err)


def test_the_certificate_of_a_selected_property_names_it(symag: Symag, tmp_path: Path) -> None:
    properties, proof = tmp_path / "q.props", tmp_path / "c.json"
    properties.write_text('P<=0.5 [F d=3];\nPmax=? [F s=3];\n"third": P<=0.9 [F d=3];\n')
    asked = ("models/lpts/warning.nm", "--properties", properties)
    ran = symag("check", *asked, "--property", "third", "--certificate", proof, "--json")
    assert json.loads(ran.out)["results"][0]["index"] == 2
    ran = symag("certify", "models/lpts/warning.nm", proof, "--properties", properties)
    assert (ran.status, "accepted: the property holds" in ran.out) == (0, True)
