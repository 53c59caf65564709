"""Every command, and every family with the commands that take it: what ``scripts/run-tests --smoke`` runs first."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from symag.cli.commands import COMMANDS
from symag.engine.families import FAMILIES
from tests.cli.conftest import Ran, Symag

pytestmark = pytest.mark.smoke

COUNTER = "models/counter.smv"
SENSORS = "models/lpts/sensors1.nm"
SPECIFICATION = ("--specification", "models/lpts/sensors1_specification.nm")
WRONG = ("--specification", "models/lpts/sensors1_wrong.nm")
COIN = """
COIN = (toss -> heads -> COIN | pick -> TRICK),
TRICK = (toss -> heads -> TRICK | stop -> STOP).
property ONCE = (pick -> STOP).
||GAME = (COIN || ONCE).
"""


def says(ran: Ran, status: int, text: str) -> None:
    """One command has ended with this status, printed this, and had nothing to complain about."""
    assert (ran.status, ran.err) == (status, "")
    assert text in ran.out


def test_smv(symag: Symag, tmp_path: Path) -> None:
    certificate, trace = tmp_path / "parity_right.json", tmp_path / "below_five.json"
    ran = symag("check", COUNTER, "--certificate", f"{tmp_path}/", "--trace", f"{tmp_path}/")
    says(ran, 10, "-- 2 properties: 1 holds, 1 violated\n")
    says(symag("certify", COUNTER, certificate), 0, "accepted: the property holds\n")
    says(symag("replay", COUNTER, trace), 10, "accepted: the property is violated\n")
    says(symag("info", COUNTER, "--reachable"), 0, "reachable states: 8 (2^3.00), diameter 8\n")
    says(
        symag("simulate", COUNTER, "--steps", "3", "--seed", "1"), 0, "-> State: 1.4 <-\n    digit = 3\n    odd = TRUE"
    )
    says(symag("convert", COUNTER, tmp_path / "counter.aag"), 0, "")
    says(symag("check", tmp_path / "counter.aag"), 10, "-- 2 properties: 1 holds, 1 violated\n")


def test_lts(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "coin.lts"
    model.write_text(COIN)
    ran = symag("check", model, "--quiet", "--certificate", f"{tmp_path}/", "--trace", f"{tmp_path}/")
    says(ran, 10, "-- 2 properties: 1 holds, 1 violated\n")
    says(symag("certify", model, tmp_path / "safety.json"), 0, "accepted: the property holds\n")
    says(symag("replay", model, tmp_path / "deadlock.json"), 10, "accepted: the property is violated\n")
    says(symag("info", model), 0, "GAME")
    says(symag("simulate", model, "--steps", "3", "--seed", "1"), 0, "toss")
    says(symag("convert", model, tmp_path / "game.aut"), 0, "")
    says(symag("info", tmp_path / "game.aut"), 0, "states")


def test_lpts(symag: Symag, tmp_path: Path) -> None:
    proof, tree = tmp_path / "proof.json", tmp_path / "tree.json"
    says(symag("check", SENSORS, *SPECIFICATION, "--certificate", proof), 0, "holds: monolithic")
    says(symag("certify", SENSORS, proof, *SPECIFICATION), 0, "accepted: the property holds\n")
    says(symag("check", SENSORS, *WRONG, "--trace", tree), 10, "is violated")
    says(symag("replay", SENSORS, tree, *WRONG), 10, "accepted: the property is violated\n")
    says(symag("info", SENSORS), 0, "states")
    says(symag("simulate", SENSORS, "--steps", "3", "--seed", "1"), 0, "1")
    says(symag("convert", SENSORS, tmp_path / "sensors.tra"), 0, "")
    says(symag("info", tmp_path / "sensors.tra"), 0, "states")


def test_rules_by_parts(symag: Symag) -> None:
    for method in ("rule-g", "rule-s"):
        ran = symag("check", COUNTER, "--property", "parity_right", "--method", method)
        says(ran, 0, "assume guarantee re-checked")
    ran = symag("check", "models/lts/client_server.lts", "--property", "safety", "--method", "lstar")
    says(ran, 0, "labelled assumptions re-checked")
    says(symag("check", SENSORS, *SPECIFICATION, "--method", "agar"), 0, "re-checked")


def test_smv_commands(symag: Symag) -> None:
    says(symag("partition", COUNTER, "--property", "parity_right"), 0, "part 0: digit\n")
    says(symag("facts", COUNTER), 0, "1 fact, inductive together")
    says(symag("nusmv", COUNTER), 0, "-- invariant digit < 5  is false\n")
    ran = symag("tune", COUNTER, "--property", "parity_right", "--settings", "6", "--budget", "2", "--quiet")
    assert ran.status in (0, 30)  # too little time for some machines
    assert f"-- {COUNTER}, property " in ran.out


def test_contracts(symag: Symag) -> None:
    ran = symag("contracts", "models/token.smv", "models/token.toml")
    says(ran, 0, "all contracts are kept")


def test_batch_and_report(symag: Symag, tmp_path: Path) -> None:
    results, page = tmp_path / "results.sqlite", tmp_path / "page.html"
    says(symag("batch", COUNTER, "--output", results, "--quiet"), 0, "2 jobs: 1 holds, 1 violated\n")
    says(symag("report", results, "--html", page), 0, "auto: 2 of 2 solved")
    assert "odd &lt;-&gt; digit mod 2 = 1" in page.read_text()


def test_schema_and_help(symag: Symag) -> None:
    says(symag("help"), 0, "symag help")
    says(symag("schema", "check"), 0, '"$schema"')


def test_nothing_is_left_out() -> None:
    """Every command stands above, and every family has a test."""
    body = ast.parse(Path(__file__).read_text())
    calls = (node for node in ast.walk(body) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "symag")
    tried = {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)}
    assert tried == set(COMMANDS)
    assert len(FAMILIES) == 3
