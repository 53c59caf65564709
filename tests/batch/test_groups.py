"""The jobs of one process: which go together, which answers count, and what happens when a process fails."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.process.supervision import CommandExit
from symag.suites import groups
from symag.suites.groups import grouped, name_of, outcomes_of, scaled
from symag.suites.jobs import ContentHashes, Job, KeptEvidence
from symag.suites.run import Batch, JobEvent
from symag.suites.store import Results, Row
from tests.batch.batches import rows

JOBS = tuple(Job("m.lts", str(number), "assert", f"assert P{number}", f"P{number}", "SYS") for number in range(3))


def answer(job: Job, **fields: Any) -> dict[str, Any]:
    """An answer to a job, as ``symag check --json`` prints it."""
    result = {"verdict": "holds", "value": None, "reason": None, "method": "monolithic", "certified": True}
    result |= {"index": int(job.property or 0), "kind": job.kind, "text": job.text, "name": job.name}
    result |= {"target": job.target, "certificate": None, "trace_file": None, "statistics": {}, "warnings": []}
    result |= {"race": [{"method": "monolithic", "seconds": float(job.property or 0)}]}
    return {**result, **fields}


def outcomes(tmp_path: Path, report: object, jobs: Sequence[Job] = JOBS, limit: Any = None) -> list[Any]:
    output = tmp_path / "out"
    output.write_text(report if isinstance(report, str) else json.dumps(report))
    return outcomes_of(CommandExit(0, limit, 6.0, 3.0, 20.0), jobs, str(output))


def test_jobs_with_the_same_model_target_method_and_options_go_together() -> None:
    first = JOBS[0]
    jobs = {
        "a": first,
        "b": Job("m.lts", None, "model", "?"),
        "c": JOBS[1],
        "d": replace(first, target="OTHER"),
        "e": replace(first, method="agar"),
        "f": replace(first, options=("--partitions", "2")),
        "g": replace(first, model="n.lts"),
        "h": replace(JOBS[1], method="agar", expected="holds"),
        "i": Job("m.nm", None, "count", "the states"),
        "j": Job("m.nm", None, "simulation", "p", options=("--specification", "one.nm")),
        "k": Job("m.nm", None, "simulation", "q", options=("--specification", "one.nm")),
        "l": Job("m.lts", "nothing", "?", "nothing", target="SYS"),
        "m": JOBS[2],
    }
    assert ["".join(group) for group in grouped(jobs)] == ["acm", "b", "d", "eh", "f", "g", "i", "j", "k", "l"]
    assert {name: job for group in grouped(jobs) for name, job in group.items()} == jobs


def test_a_large_group_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "LARGEST", 2)
    assert ["".join(group) for group in grouped(dict(zip("abc", JOBS, strict=True)))] == ["ab", "c"]


def test_names_and_limits_of_a_group() -> None:
    first, *others = JOBS
    assert name_of({"key": first}) == "key"
    assert len({name_of({"a": first, "b": first}), name_of({"a": first, "c": first}), "a"}) == 3
    assert scaled(JobLimits(2.5, 10, 300), 4) == JobLimits(10, 40, 300)
    assert scaled(JobLimits(), 4) == JobLimits()
    words = first.arguments(JobLimits(2.5, 10, 300), KeptEvidence("e", earlier=("p.json", "q.json")), others)
    assert " ".join(words) == (
        "check m.lts --property 0 --property 1 --property 2 --method auto --target SYS --timeout 2.5 --memory 300 "
        "--certificate e/ --trace e/ --reuse p.json --reuse q.json --json"
    )


def test_answers_in_any_order_become_the_outcomes_of_their_jobs(tmp_path: Path) -> None:
    verdicts = ["holds", "violated", "unknown"]
    results = [
        answer(JOBS[0], certificate="e/P0.json", statistics={"seconds": 2.0, "cpu_seconds": 1.0, "states": 4}),
        answer(
            JOBS[1], verdict="violated", trace_file="e/P1.json", statistics={"seconds": 0.5, "certify_seconds": 0.5}
        ),
        answer(JOBS[2], verdict="unknown", reason="timeout", certified=False, warnings=["slow"]),
    ]
    found = outcomes(tmp_path, {"results": results[::-1], "warnings": ["of the model", "slow"]})
    assert [each.verdict for each in found] == verdicts
    assert [(each.reason, each.exceeded) for each in found] == [(None, None), (None, None), ("timeout", "wall")]
    assert [(each.certificate, each.trace) for each in found] == [
        ("e/P0.json", None),
        (None, "e/P1.json"),
        (None, None),
    ]
    assert [each.warnings for each in found] == [("of the model",)] * 2 + [("of the model", "slow")]
    # Of 6 s wall-clock and 3 s of CPU time 3 and 1.5 are told: the others have equal parts of the rest.
    assert [each.wall_seconds for each in found] == [3, 2, 1]
    assert [each.cpu_seconds for each in found] == [1.5, 1, 0.5]
    assert {each.memory_mib for each in found} == {20}
    assert found[0].statistics["states"] == 4


def test_one_search_for_all_is_not_counted_several_times(tmp_path: Path) -> None:
    results = [answer(job, statistics={"seconds": 5.0, "cpu_seconds": 1.0}) for job in JOBS]
    found = outcomes(tmp_path, {"results": results, "warnings": []})
    assert [each.wall_seconds for each in found] == [2, 2, 2]
    assert [each.cpu_seconds for each in found] == [1, 1, 1]


@pytest.mark.parametrize(
    "fields",
    [
        {"index": 7},
        {"kind": "progress"},
        {"text": "assert P"},
        {"name": None},
        {"target": "OTHER"},
        {"verdict": "unknown", "reason": "crashed"},
        {"verdict": "unknown", "reason": "internal error"},
        {"verdict": "unknown", "reason": "interrupted"},
        {"warnings": ["cannot write e/P1.json: No space left on device"]},
    ],
)
def test_an_answer_to_another_question_or_of_a_failed_process_does_not_count(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    results = [answer(job, **(fields if place == 1 else {})) for place, job in enumerate(JOBS)]
    found = outcomes(tmp_path, {"results": results, "warnings": []})
    assert [each is None for each in found] == [False, True, False]


@pytest.mark.parametrize("reason", ["timeout", "memory", "unsupported"])
def test_a_limit_of_one_search_for_several_properties_decides_none(tmp_path: Path, reason: str) -> None:
    """A safety check may need less than the progress check that is made with it."""
    unknown = {"verdict": "unknown", "reason": reason, "race": [{"method": "monolithic", "seconds": 5.0}]}
    results = [
        answer(JOBS[0], **unknown),
        answer(JOBS[1], **unknown),
        answer(JOBS[2], verdict="unknown", reason=reason),
    ]
    found = outcomes(tmp_path, {"results": results, "warnings": []})
    assert [each is None for each in found] == [reason != "unsupported"] * 2 + [False]


@pytest.mark.parametrize("reason", ["bad input", "re-check refused", "unsupported", "memory"])
def test_other_reasons_are_kept_with_their_own_detail(tmp_path: Path, reason: str) -> None:
    unknown = {"verdict": "unknown", "reason": reason, "certified": False}
    results = [
        answer(job, **unknown, warnings=[f"||SYS, property {job.property}: {reason}: {job.name}"]) for job in JOBS
    ]
    warnings = [warning for result in results for warning in result["warnings"]]
    found = outcomes(tmp_path, {"results": results, "warnings": warnings})
    assert [each.reason for each in found] == [f"{reason}: P0", f"{reason}: P1", f"{reason}: P2"]
    assert [len(each.warnings) for each in found] == [1, 1, 1]


@pytest.mark.parametrize(
    "report",
    [
        "",
        "{",
        {"error": {"message": "no such thing"}},
        {"models": [{"results": [answer(job) for job in JOBS]}]},
        {"results": [], "warnings": []},
        {"results": [answer(job) for job in (*JOBS, JOBS[1])], "warnings": []},
        {"results": [answer(job) for job in (*JOBS, replace(JOBS[1], property="9"))], "warnings": []},
    ],
)
def test_output_that_is_not_what_the_jobs_ask_for_has_no_outcomes(tmp_path: Path, report: object) -> None:
    assert outcomes(tmp_path, report) == [None, None, None]


def test_an_answer_given_twice_does_not_count(tmp_path: Path) -> None:
    report = {"results": [answer(JOBS[0]), answer(JOBS[1]), answer(JOBS[1])], "warnings": []}
    assert [each is None for each in outcomes(tmp_path, report)] == [False, True, True]


def test_after_a_limit_there_are_no_outcomes(tmp_path: Path) -> None:
    report = {"results": [answer(job) for job in JOBS], "warnings": []}
    assert None not in outcomes(tmp_path, report)
    assert outcomes(tmp_path, report, limit="memory") == [None, None, None]


Program = Callable[[Job, Sequence[Job]], str]


def printing(*results: dict[str, Any]) -> str:
    return f"print({json.dumps({'results': results, 'warnings': []})!r})"


def right(job: Job, others: Sequence[Job]) -> str:
    """A program that answers all jobs."""
    return printing(*(answer(each, method=f"{1 + len(others)} together") for each in (job, *others)))


class Group:
    """Three jobs of one model in a batch whose processes run any program instead of symag."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: Program) -> None:
        self.begun: list[tuple[str | None, int]] = []
        self.model, self._path = tmp_path / "m.lts", tmp_path / "r.sqlite"
        self.model.write_text("")

        def command(
            job: Job, limits: object, evidence: object, launch: object, others: Sequence[Job] = ()
        ) -> list[str]:
            return [sys.executable, "-c", program(job, others)]

        monkeypatch.setattr(Job, "command", command)
        self.jobs = [replace(job, model=str(self.model)) for job in JOBS]

    def run(self, limits: JobLimits, workers: int = 2, contents: ContentHashes | None = None) -> list[Row]:
        def watch(event: JobEvent) -> None:
            if event.outcome is None:
                self.begun.append((event.job.property, event.others))

        with Results(self._path, writing=True) as results:
            known = contents or ContentHashes()
            batch = Batch(results, limits, workers, watcher=watch, contents=known, together=True)
            batch.run(batch.waiting(self.jobs))
        return rows(self._path)


@pytest.mark.parametrize(
    ("failing", "limits"),
    [
        ("import os; os.kill(os.getpid(), 11)", JobLimits()),
        ("raise RuntimeError('no such thing')", JobLimits()),
        ("print('{')", JobLimits()),
        ("import os, time; os.kill(os.getppid(), 9); time.sleep(99)", JobLimits()),
        ("import time; time.sleep(99)", JobLimits(wall=0.1)),
        ("while True: pass", JobLimits(wall=99, cpu=0.4)),
        ("x = []\nwhile True: x.append(bytearray(10**7))", JobLimits(wall=99, memory=300)),
    ],
)
def test_the_jobs_of_a_group_that_fails_run_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failing: str, limits: JobLimits
) -> None:
    group = Group(monkeypatch, tmp_path, lambda job, others: failing if others else right(job, ()))
    found = group.run(limits)
    assert [row.outcome.decided_by for row in found] == ["1 together"] * 3
    assert [row.attempts for row in found] == [1, 1, 1]
    assert group.begun == [("0", 2), ("0", 0), ("1", 0), ("2", 0)]


def test_only_the_jobs_without_an_answer_run_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def program(job: Job, others: Sequence[Job]) -> str:
        if not others:
            return "import os; os.kill(os.getpid(), 11)"
        return printing(answer(job), answer(others[1], verdict="violated"))

    group = Group(monkeypatch, tmp_path, program)
    found = group.run(JobLimits())
    assert [row.outcome.verdict for row in found] == ["holds", "unknown", "violated"]
    assert found[1].outcome.reason == "crashed: signal 11 (SIGSEGV)"
    assert group.begun == [("0", 2), ("1", 0)]


def test_a_group_has_the_time_of_its_jobs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    group = Group(monkeypatch, tmp_path, lambda *jobs: f"import time; time.sleep(2)\n{right(*jobs)}")
    assert [row.outcome.decided_by for row in group.run(JobLimits(wall=0.5))] == ["3 together"] * 3


def test_a_model_that_is_changed_while_its_group_runs_has_no_verdicts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def program(job: Job, others: Sequence[Job]) -> str:
        return f"open({job.model!r}, 'w').write('changed')\n{right(job, others)}"

    group = Group(monkeypatch, tmp_path, program)
    contents = ContentHashes()
    contents.read([str(group.model)])
    found = group.run(JobLimits(), contents=contents)
    reason = f"bad input: {group.model}: the file has changed since the batch began; --resume decides it again"
    assert [row.outcome.reason for row in found] == [reason] * 3
    # As the content is not known at the start either, no process begins.
    group.begun.clear()
    assert [row.outcome.reason for row in group.run(JobLimits(), contents=contents)] == [reason] * 3
    assert group.begun == [("0", 0), ("1", 0), ("2", 0)]
    assert [row.outcome.decided_by for row in group.run(JobLimits()) if row.is_current] == ["3 together"] * 3
