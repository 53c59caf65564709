"""Contracts: what is concluded is true of the whole system, faults are noticed, circles are refused."""

from __future__ import annotations

import re

import pytest

from symag.core.errors import InputError
from symag.core.limits import Limits, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.smv import read_text
from symag.smv.contracts import checking
from symag.smv.contracts.checking import ContractCheck
from symag.smv.contracts.contract import read_contracts
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from tests.conftest import ROOT

MODEL = (ROOT / "models" / "token.smv").read_text()
CONTRACTS = (ROOT / "models" / "token.toml").read_text()


def report(text, contracts, folder, method="auto"):
    path = folder / "contracts.toml"
    path.write_text(contracts)
    system = read_text(text)
    read = read_contracts(str(path), system)
    return ContractCheck(method).report(system, read, system.properties, no_progress)


def are_true(text, conditions):
    """Whether conditions on states or steps are true of all runs of the whole, by a search of the whole."""
    stated = "".join(f"INVARSPEC NAME condition_{number} := {item};\n" for number, item in enumerate(conditions))
    system = read_text(text.replace("MODULE main\n", f"MODULE main\n{stated}", 1))
    asked = [checked for checked in system.properties if checked.name and checked.name.startswith("condition_")]
    assert len(asked) == len(conditions)
    decide = monolithic.session(system, SmvOptions())
    return all(decide(checked, no_progress).verdict is Verdict.HOLDS for checked in asked)


def test_the_contracts_of_the_arbiter_are_kept(tmp_path):
    kept = report(MODEL, CONTRACTS, tmp_path)
    assert kept.verdict is Verdict.HOLDS
    assert all(obligation.result.certified for obligation in kept.obligations)
    modes = [obligation.mode for obligation in kept.obligations if obligation.kind == "guarantee"]
    assert modes == ["immediate", "immediate", "unconditional", "unconditional"]
    assert [obligation.premises for obligation in kept.obligations if obligation.kind == "assumption"] == [
        ("arbiter",)
    ] * 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("state = waiting & token : busy", "state = waiting : busy"),
        ("state = waiting & token : busy", "state = idle & token : busy"),
        ("init(state) := idle", "init(state) := busy"),
        ("owner = one & first.state = busy & next(first.done) : nobody", "owner = one : nobody"),
        ("owner = two & second.state = busy & next(second.done)", "owner = two & next(second.done)"),
        ("owner = nobody & second.state = waiting : two", "second.state = waiting : two"),
        ("second : User(arbiter.owner = two)", "second : User(arbiter.owner = one)"),
        ("state = busy : {busy, idle}", "state = busy : {busy, idle, waiting}"),
    ],
)
def test_faults_are_noticed(right, wrong, tmp_path):
    assert right in MODEL
    text = MODEL.replace(right, wrong)
    guarantees = re.findall(r'"([^"]+)"', CONTRACTS)
    verdict = report(text, CONTRACTS, tmp_path, "monolithic").verdict
    assert verdict is (Verdict.HOLDS if are_true(text, guarantees) else Verdict.VIOLATED)


def test_what_is_undecided_is_no_circle(tmp_path):
    path = tmp_path / "contracts.toml"
    path.write_text(CONTRACTS)
    system = read_text(MODEL)
    short = ContractCheck(limits=Limits(seconds=1e-6))
    undecided = short.report(system, read_contracts(str(path), system), system.properties, no_progress)
    assert undecided.verdict is Verdict.UNKNOWN
    assert undecided.circle == ()


CIRCLE = """MODULE main VAR a : boolean; b : boolean;
ASSIGN {init} next(a) := {a}; next(b) := {b};
INVARSPEC a = b"""

#: Each part keeps its guarantee while the other does.
MUTUAL = """
[one]
variables = ["a"]
assume = ["b"]
guarantee = ["a"]
[two]
variables = ["b"]
assume = ["a"]
guarantee = ["b"]
"""


def test_a_circle_over_time_is_sound(tmp_path):
    text = CIRCLE.format(init="init(a) := TRUE; init(b) := TRUE;", a="b", b="a")
    kept = report(text, MUTUAL, tmp_path)
    assert kept.verdict is Verdict.HOLDS
    assert [obligation.mode for obligation in kept.obligations if obligation.kind == "guarantee"] == ["delayed"] * 2


def test_a_circle_at_one_instant_is_refused(tmp_path):
    text = CIRCLE.format(init="init(a) := TRUE; init(b) := TRUE;", a="next(b) & a", b="{FALSE, TRUE}")
    contracts = MUTUAL.replace('guarantee = ["b"]', 'guarantee = ["b | !b"]')
    assert report(text, contracts, tmp_path).verdict is Verdict.VIOLATED
    text = """MODULE main VAR a : boolean; b : boolean; INVAR a <-> b;
    INVARSPEC a"""
    refused = report(text, MUTUAL, tmp_path)
    assert refused.circle
    assert refused.verdict is Verdict.VIOLATED


@pytest.fixture
def undecided_over_time(monkeypatch):
    """No question whether guarantees of earlier instants suffice is answered."""

    def decide(system, properties, method, options, limits, certify, progress):
        undecided = PropertyResult(Verdict.UNKNOWN, method, reason="timeout")
        if "assumed" in system.by_name:
            return [(checked, undecided) for checked in properties]
        return [(checked, monolithic.decide(system, checked, SmvOptions(), progress)) for checked in properties]

    monkeypatch.setattr(checking, "check", decide)


@pytest.mark.usefixtures("undecided_over_time")
def test_a_circle_is_none_if_guarantees_may_rest_on_earlier_instants(tmp_path):
    """Once ``violated`` where a limit left open what breaks the circle."""
    kept = report(CIRCLE.format(init="init(a) := TRUE; init(b) := TRUE;", a="b & a", b="a & b"), MUTUAL, tmp_path)
    assert [obligation.mode for obligation in kept.obligations if obligation.kind == "guarantee"] == ["immediate"] * 2
    assert kept.circle
    assert kept.verdict is Verdict.UNKNOWN


@pytest.mark.usefixtures("undecided_over_time")
def test_an_assumption_may_follow_from_guarantees_over_time(tmp_path):
    """Once ``violated``: the part's own guarantee is a premise only if it rests on earlier instants."""
    text = CIRCLE.format(init="init(a) := TRUE; init(b) := TRUE;", a="a & b", b="b")
    contracts = MUTUAL.replace('assume = ["b"]', 'assume = ["a & b"]').replace('assume = ["a"]', "")
    kept = report(text, contracts, tmp_path)
    (assumption,) = (obligation for obligation in kept.obligations if obligation.kind == "assumption")
    assert (assumption.result.verdict, assumption.result.reason) == (Verdict.UNKNOWN, "timeout")
    assert kept.verdict is Verdict.UNKNOWN


def test_monitors_have_names_that_no_constant_has(tmp_path):
    """Once a circle: a formula about the monitor ``assumed`` was read as one about a constant, and refused."""
    text = """MODULE main VAR a : {assumed, stepped, idle}; b : {assumed, idle};
    ASSIGN init(a) := idle; init(b) := idle; next(a) := b = idle ? idle : assumed; next(b) := a = idle ? b : assumed;
    INVARSPEC a = idle"""
    contracts = re.sub('(assume|guarantee) = ."(.)".', r'\1 = ["\2 = idle"]', MUTUAL)
    kept = report(text, contracts, tmp_path, "parts")
    assert kept.verdict is Verdict.HOLDS
    assert [obligation.mode for obligation in kept.obligations if obligation.kind == "guarantee"] == ["delayed"] * 2


@pytest.mark.parametrize(
    ("contracts", "message"),
    [
        ("", "the file has no contract"),
        ("[first", "not a file of contracts"),
        ("[third]\nguarantee = []", "the model has no instance 'third' with variables"),
        ('[first]\nvariables = ["x"]', "the model has no variable 'x'"),
        ('[first]\nguarantee = ["nothing = 1"]', "nothing"),
        ('[first]\nguarantee = ["arbiter.owner"]', "not a boolean expression over states"),
        ('[first]\nguarantee = ["5 mod (arbiter.owner = one ? 0 : 1) = 0"]', "may have no value"),
        ("[first]\nguarantees = []", "unknown key 'guarantees'"),
        ("[first]\nguarantee = 3", "is not a list of texts"),
        ('[first]\n[two]\ninstance = "first"', "is a variable of [first] already"),
    ],
)
def test_what_is_no_contract_is_refused(contracts, message, tmp_path):
    with pytest.raises(InputError, match=re.escape(message)):
        report(MODEL, contracts, tmp_path)


def test_what_nobody_wrote_is_synthesised(tmp_path):
    system = read_text(MODEL)
    alone = ContractCheck(synthesise=True).report(system, (), system.properties, no_progress)
    assert alone.verdict is Verdict.HOLDS
    assert all(obligation.result.certified for obligation in alone.obligations)
    synthesised = [obligation for obligation in alone.obligations if obligation.kind == "guarantee"]
    assert {obligation.part for obligation in synthesised} <= {"first", "second", "arbiter"}
    assert are_true(MODEL, [obligation.text for obligation in synthesised])
    assert [obligation.kind for obligation in alone.obligations].count("property") == 2
    # Without it nothing follows from nothing, and a model without contracts is refused.
    assert ContractCheck().report(system, (), system.properties, no_progress).verdict is Verdict.VIOLATED
    # What is written stays what has to be kept.
    wrong = CONTRACTS.replace('guarantee = ["first.state = busy', 'guarantee = ["first.state = idle', 1)
    (tmp_path / "contracts.toml").write_text(wrong)
    read = read_contracts(str(tmp_path / "contracts.toml"), system)
    assert ContractCheck(synthesise=True).report(system, read, (), no_progress).verdict is Verdict.VIOLATED
