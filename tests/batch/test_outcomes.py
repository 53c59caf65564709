"""What a job's output becomes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symag.core.values import replace
from symag.process.supervision import CommandExit
from symag.suites.jobs import Job, may_be_mended
from symag.suites.outcomes import outcome_of
from symag.suites.store import JobOutcome

COUNT = Job("m.nm", None, "count", "the states", expected="states=3 choices=3 transitions=3")
PROGRESS = Job("m.lts", "2", "progress", "p", target="SYS")
RESULT = {"value": None, "method": "monolithic", "certified": False, "certificate": None, "statistics": {}}


def outcome(tmp_path: Path, job: Job, status: int, report: dict[str, Any]) -> JobOutcome:
    output = tmp_path / "out"
    output.write_text(json.dumps(report))
    return outcome_of(CommandExit(status, None, 1.0, 0.9, 20.0), job, str(output), str(tmp_path / "errors"))


@pytest.mark.parametrize(("reason", "limit"), [("timeout", "wall"), ("memory", "memory"), ("unsupported: x", None)])
def test_a_count_that_was_stopped_is_undecided_and_never_wrong(tmp_path: Path, reason: str, limit: str | None) -> None:
    found = outcome(tmp_path, COUNT, 30, {"reason": reason})
    assert (found.verdict, found.reason, found.exceeded) == ("unknown", reason, limit)
    assert not found.contradicts(COUNT.expected)


def test_output_that_found_no_room_is_asked_for_again(tmp_path: Path) -> None:
    silent = CommandExit(1, None, 1.0, 0.9, 20.0)
    lost = outcome_of(silent, PROGRESS, str(tmp_path / "gone" / "out"), str(tmp_path / "gone" / "errors"))
    assert lost.reason == "crashed: the folder for temporary files takes no output: No such file or directory"
    assert may_be_mended(lost.reason)
    crashed = outcome_of(silent, PROGRESS, str(tmp_path / "out"), str(tmp_path / "errors"))
    assert crashed.reason == "crashed: exit status 1"
    assert not may_be_mended(crashed.reason)


def test_a_count_is_compared_in_the_form_of_expectations(tmp_path: Path) -> None:
    found = outcome(tmp_path, COUNT, 0, {"transitions": 3, "modules": 1, "choices": 3, "states": 3})
    assert (found.verdict, found.value) == ("computed", COUNT.expected)


def test_what_follows_the_word_of_a_reason_is_kept(tmp_path: Path) -> None:
    unsupported = {**RESULT, "verdict": "unknown", "reason": "unsupported"}
    report = {
        "warnings": ["line 1: unsupported: nothing", "||SYS, property 2: unsupported: ERROR is reached"],
        "results": [unsupported],
    }
    found = outcome(tmp_path, PROGRESS, 30, {**report, "warnings": report["warnings"][1:]})
    assert found.reason == "unsupported: ERROR is reached"
    stopped = {"warnings": report["warnings"], "results": [{**unsupported, "reason": "timeout"}]}
    assert outcome(tmp_path, PROGRESS, 30, stopped).reason == "timeout"


@pytest.mark.parametrize(
    "report", [{"results": [RESULT, RESULT]}, {"models": [{"results": [RESULT]}, {"results": []}]}]
)
def test_options_that_ask_further_questions(tmp_path: Path, report: dict[str, Any]) -> None:
    job = replace(PROGRESS, options=("--property", "1"))
    found = outcome(tmp_path, job, 0, {"warnings": [], **report})
    assert (found.verdict, str(found.reason).partition(":")[0]) == ("unknown", "wrong usage")
