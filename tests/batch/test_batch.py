"""Whole batches through the command line, and what must not stop or spoil them."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symag.core.limits import JobLimits
from symag.suites.jobs import Job
from symag.suites.run import Batch, JobEvent
from symag.suites.store import Results, Row
from tests.batch.batches import ROOT, expected_verdicts, rows, symag, verdicts, wait_until_quiet


@pytest.mark.long
def test_a_folder_from_start_to_end(models: Path, tmp_path: Path) -> None:
    (models / "broken.smv").write_text("MODULE main VAR x : boolean INVARSPEC x")
    output = tmp_path / "r.sqlite"
    done = symag(
        "batch", models, "--output", output, "--timeout", "30", "--memory", "2000", "--evidence", tmp_path / "e"
    )
    assert done.returncode == 3, done.stderr  # one model cannot be read
    found = rows(output)
    assert verdicts(output) == {**expected_verdicts(), "broken.smv": "unknown"}
    assert all(row.outcome.certified for row in found if row.outcome.verdict != "unknown")
    assert [row.outcome.reason for row in found if row.outcome.verdict == "unknown"] == [
        f"bad input: {models}/broken.smv:1:29: unexpected 'INVARSPEC', expected ';'"
    ]
    assert done.stdout.splitlines() == [
        f"FAILED: 1 job: bad input: {models}/broken.smv:1:29: unexpected 'INVARSPEC', expected ';'",
        f"    symag check {models}/broken.smv --timeout 30 --memory 2000 --json",
        "9 jobs: 5 holds, 1 unknown (bad input), 3 violated",
        f"0 wrong, 0 as expected; {sum(row.outcome.cpu_seconds for row in found):.0f} s of CPU time",
    ]
    for row in found:
        assert row.outcome.cpu_seconds > 0
        assert row.outcome.memory_mib > 10
        if row.outcome.verdict == "holds":
            assert row.outcome.certificate is not None
            assert Path(row.outcome.certificate).is_file()
        if row.outcome.verdict == "violated":
            assert row.outcome.trace is not None
            assert Path(row.outcome.trace).is_file()
    # The command of a row repeats the job alone.
    words = found[1].command.split()
    assert words[0] == "symag"
    assert symag(*words[1:]).returncode in (0, 10)


@pytest.mark.long
def test_a_wrong_verdict_is_shouted(models: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(
        """
[[models]]
files = ["models/m0[12].smv"]
methods = ["monolithic", "auto"]
options = ["", "--direction forward"]
expected = "holds"
[[models]]
files = ["models/m00.smv"]
properties = ["0", "nothing"]
expected = "holds"
"""
    )
    output = tmp_path / "r.sqlite"
    done = symag("batch", suite, "--output", output)
    assert done.returncode == 20
    first = done.stdout.splitlines()[0]
    assert first.startswith("WRONG VERDICT: models/m00.smv: s < 3 [auto]: WRONG violated instead of holds")
    assert len(rows(output)) == 2 * 4 + 2
    missing = next(row for row in rows(output) if row.job.property == "nothing")
    assert (missing.outcome.reason or "").startswith("wrong usage: no property")


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_keeps_what_is_done_and_leaves_nothing(
    models: Path, tmp_path: Path, number: signal.Signals
) -> None:
    output = tmp_path / "r.sqlite"
    batch = subprocess.Popen(
        [sys.executable, "-m", "symag", "batch", models, "--output", output],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert batch.stderr is not None
    for line in batch.stderr:
        if line.startswith("[3/"):
            break
    batch.send_signal(number)
    _, errors = batch.communicate(timeout=20)
    assert batch.returncode == 130
    assert "interrupted; symag batch with --resume" in errors
    assert "Traceback" not in errors
    wait_until_quiet(models)
    assert 3 <= len(rows(output)) < 8
    assert symag("batch", models, "--output", output, "--resume").returncode == 0
    assert verdicts(output) == expected_verdicts()


@pytest.mark.long
def test_killed_at_random_moments_nothing_is_lost_or_run_twice(models: Path, tmp_path: Path) -> None:
    output = tmp_path / "r.sqlite"
    moments = random.Random(0)
    seen: dict[str, str] = {}
    for _ in range(6):
        batch = subprocess.Popen(
            [sys.executable, "-m", "symag", "batch", models, "--output", output, "--resume", "--quiet"], cwd=ROOT
        )
        time.sleep(moments.uniform(0.2, 2.5))
        batch.kill()
        batch.wait()
        wait_until_quiet(models)
        now = {row.key: row.finished for row in rows(output)} if output.exists() and output.stat().st_size else {}
        assert seen.items() <= now.items()
        seen = now
    assert symag("batch", models, "--output", output, "--resume").returncode == 0
    assert verdicts(output) == expected_verdicts()
    assert seen.items() <= {row.key: row.finished for row in rows(output)}.items()


class Fakes:
    """Jobs that run any program instead of symag."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, programs: dict[str, str]) -> None:
        monkeypatch.setattr(Job, "command", lambda job, *_: [sys.executable, "-c", programs[job.model]])
        self.jobs = {name: Job(name, "0", "INVARSPEC", "p") for name in programs}

    def run(self, path: Path, limits: JobLimits, watcher: object = None) -> dict[str, Row]:
        assert watcher is None or callable(watcher)
        with Results(path, writing=True) as results:
            Batch(results, limits, 2, watcher=watcher).run(self.jobs)
        return {row.job.model: row for row in rows(path)}


def test_each_way_to_go_wrong_costs_one_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fakes = Fakes(
        monkeypatch,
        {
            "sleeps": "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(99)",
            "allocates": "x = []\nwhile True: x.append(bytearray(10**7))",
            "crashes": "import os; os.kill(os.getpid(), 11)",
            "raises": "raise RuntimeError('no such thing')",
            "babbles": "print('{')",
            "forks": "import os\nfor _ in range(5): os.fork()\nimport time; time.sleep(99)",
        },
    )
    found = fakes.run(tmp_path / "r.sqlite", JobLimits(wall=5, memory=300))
    # A limit of its own: on a busy machine other programs take CPU time too before they come to their own end.
    burning = Fakes(monkeypatch, {"burns": "while True: pass"})
    found |= burning.run(tmp_path / "b.sqlite", JobLimits(wall=60, cpu=0.5))
    reasons = {name: (row.outcome.verdict, row.outcome.reason, row.outcome.exceeded) for name, row in found.items()}
    assert reasons == {
        "sleeps": ("unknown", "timeout", "wall"),
        "allocates": ("unknown", "memory", "memory"),
        "crashes": ("unknown", "crashed: signal 11 (SIGSEGV)", None),
        "raises": ("unknown", "crashed: exit status 1: RuntimeError: no such thing", None),
        "babbles": ("unknown", "crashed: exit status 0", None),
        "forks": ("unknown", "timeout", "wall"),
        "burns": ("unknown", "timeout", "cpu"),
    }


def test_a_job_whose_supervisor_dies_is_tried_once_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fakes = Fakes(
        monkeypatch, {"kills": "import os; os.kill(os.getppid(), 9); import time; time.sleep(99)", "fine": ""}
    )
    started: list[str] = []

    def watch(event: JobEvent) -> None:
        if event.outcome is None:
            started.append(event.job.model)

    found = fakes.run(tmp_path / "r.sqlite", JobLimits(wall=20), watch)
    assert started.count("kills") == 2
    assert found["kills"].attempts == 2
    assert found["kills"].outcome.reason == "crashed: the job's supervisor was killed"
    assert found["fine"].attempts == 1
