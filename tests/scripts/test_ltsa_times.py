"""The script that times LTSA beside symag notices verdicts that differ, and finds LTSA where it is told to look."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.lts import ltsa_times


def _result(kind: str, verdict: str, states: int = 3) -> dict[str, object]:
    return {"target": "S", "kind": kind, "verdict": verdict, "statistics": {"states": states}}


@pytest.mark.parametrize(
    ("expected", "deadlock", "safety", "said"),
    [
        ("ok", "holds", "holds", "agrees"),
        ("ok", "violated", "holds", "WRONG: S not ok"),
        ("ok", "holds", "unknown", "WRONG: S not ok"),
        ("deadlock", "violated", "violated", "agrees"),
        ("deadlock", "holds", "violated", "WRONG: S not deadlock"),
        ("violation", "holds", "violated", "agrees"),
        ("violation", "violated", "holds", "WRONG: S not violation"),
    ],
)
def test_verdicts_are_compared(expected: str, deadlock: str, safety: str, said: str) -> None:
    targets = [{"name": "S", "verdict": expected, "product": {}}, {"name": "T", "verdict": "ok"}]
    results = [_result("deadlock", deadlock), _result("safety", safety)]
    assert ltsa_times.judged(targets, results) == said
    assert ltsa_times.states(results) == 3


def test_where_ltsa_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LTSA_COMMAND", "java -cp 'a b' Check")
    assert ltsa_times.ltsa() == ["java", "-cp", "a b", "Check"]
    monkeypatch.delenv("LTSA_COMMAND")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ltsa_times.ltsa() is None
    program = tmp_path / "ltsa-check"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert ltsa_times.ltsa() == [str(program)]
