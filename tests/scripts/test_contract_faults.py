"""Faults seeded into a model with contracts: what becomes of one is told rightly."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.smv.contract_faults import faulty, outcome

MODEL = """MODULE Light(go)
VAR on : boolean;
ASSIGN init(on) := FALSE; next(on) := go & on;
MODULE main
VAR turn : boolean; light : Light(turn);
ASSIGN init(turn) := FALSE;
INVARSPEC !light.on
--@ [light]
--@ guarantee = ["!light.on"]
"""


def test_a_fault_replaces_one_token() -> None:
    versions = list(faulty(MODEL))
    assert [MODEL.replace(*change) for change in (("(on) := FALSE", "(on) := TRUE"), ("go & on", "go | on"))] == (
        versions[:2]
    )
    assert versions[2:] == [MODEL.replace("(turn) := FALSE", "(turn) := TRUE")]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("(on) := FALSE", "(on) := TRUE"), "found"),
        (("(turn) := FALSE", "(turn) := TRUE"), "harmless"),
        # Alone the light may be told to go; turn stays FALSE in the whole.
        (("next(on) := go & on", "next(on) := go"), "harmless, reported"),
        (("go & on", "gone & on"), "not read"),
    ],
)
def test_what_becomes_of_a_fault(tmp_path: Path, change: tuple[str, str], expected: str) -> None:
    version = tmp_path / "version.smv"
    text = MODEL.replace("init(turn) := FALSE;", "init(turn) := FALSE; next(turn) := turn;")
    assert change[0] in text
    version.write_text(text.replace(*change))
    assert outcome(version, None, 20.0) == expected
