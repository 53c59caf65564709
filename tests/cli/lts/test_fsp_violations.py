"""Violations of FSP as LTSA tells them: of which property, by which action; the actions of a terminal set."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Symag

TEXT = """COIN = (toss -> heads -> COIN | toss -> tails -> LAST),
LAST = (toss -> tails -> LAST).
property ALTERNATE = (toss -> heads -> ALTERNATE).
progress HEADS = {heads}
||S = (COIN || ALTERNATE).
||T = COIN.
"""


def test_the_violated_property_and_its_action_are_told(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text(TEXT)
    ran = symag("check", model, "--target", "S", "--property", "safety")
    assert ran.out.endswith(
        "Trace to property violation in ALTERNATE:\n\ttoss\n\ttails\n\ttoss\nThe action toss violates ALTERNATE.\n"
    )
    printed = tmp_path / "printed.txt"
    printed.write_text(ran.out)
    assert symag("replay", model, printed, "--target", "S").status == 10


def test_the_actions_of_a_terminal_set_are_told(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text(TEXT)
    ran = symag("check", model, "--target", "T", "--property", "HEADS")
    assert ran.out.endswith("\ttails\nActions in terminal set:\n\t{tails, toss}\n")
    (result,) = symag("check", model, "--target", "T", "--property", "HEADS", "--json").json["results"]
    assert result["notes"] == ["Actions in terminal set:", "\t{tails, toss}"]
