"""Whole batches through the command line, and what must not stop or spoil them."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.suites.jobs import ContentHashes, Job
from symag.suites.run import Batch, JobEvent
from symag.suites.store import JobOutcome, Results, Row

ROOT = Path(__file__).resolve().parent.parent.parent
SLOW = """
MODULE main
VAR s : 0..3;
ASSIGN next(s) := (s + 1) mod 4;
INVARSPEC s < {bound}
"""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Eight models; every third property is violated."""
    folder = tmp_path / "models"
    folder.mkdir()
    for number in range(8):
        (folder / f"m{number:02}.smv").write_text(SLOW.format(bound=3 if number % 3 == 0 else 4))
    return folder


def symag(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "symag", *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, timeout=120
    )


def rows(path: Path) -> list[Row]:
    with Results(path, writing=False) as results:
        return list(results.rows())


def verdicts(path: Path) -> dict[str, str]:
    return {Path(row.job.model).name: row.outcome.verdict for row in rows(path)}


def expected_verdicts() -> dict[str, str]:
    return {f"m{number:02}.smv": "violated" if number % 3 == 0 else "holds" for number in range(8)}


CHANGING = """MODULE main
VAR a : 0..7; b : 0..7; c : 0..7;
ASSIGN init(a) := 0; init(b) := 0; init(c) := {start}; next(a) := a < 5 ? a + 1 : 0; next(b) := a < 5 ? a + 1 : 0;
INVARSPEC NAME same := a = b
"""


@pytest.mark.long
@pytest.mark.parametrize("method", ["parts", "pdr", "monolithic"])
def test_the_proof_of_the_last_version_is_tried_on_a_changed_model(method: str, tmp_path: Path) -> None:
    model, output = tmp_path / "m.smv", tmp_path / "r.sqlite"
    batch = ("batch", model, "--output", output, "--evidence", tmp_path / "e", "--method", method, "--jobs", "1")
    deciders = []
    for start, more in ((0, ()), (1, ("--resume",)), (2, ("--resume", "--no-reuse"))):
        model.write_text(CHANGING.format(start=start))
        assert symag(*batch, *more).returncode == 0
        deciders.append({row.outcome.decided_by for row in rows(output)})
    first = deciders[0]
    assert method in str(first)
    assert deciders == [first, {*first, "reuse"}, {*first, "reuse"}]
    assert all(row.outcome.certified and Path(str(row.outcome.certificate)).is_file() for row in rows(output))
    assert len(rows(output)) == 3


def running_in(folder: Path) -> list[str]:
    """Command lines of processes that name the folder."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            try:
                line = (each / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if str(folder) in line:
                found.append(line)
    return found


def wait_until_quiet(folder: Path) -> None:
    end = time.monotonic() + 10
    while running_in(folder):
        assert time.monotonic() < end, running_in(folder)
        time.sleep(0.05)


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


def test_a_batch_without_rows_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "a.smv").write_text("MODULE main VAR a : boolean; INVARSPEC a | !a")
    wrong, output = tmp_path / "suite.toml", tmp_path / "r.sqlite"
    wrong.write_text('[[models]]\nfiles = ["a.smv"]\nspecification = "a.nm"')
    assert symag("batch", wrong, "--output", output).returncode == 2
    assert symag("batch", tmp_path / "a.smv", "--output", output).returncode == 0
    assert len(rows(output)) == 1


@pytest.mark.long
def test_resume_runs_only_what_is_missing_or_changed(models: Path, tmp_path: Path) -> None:
    output = tmp_path / "r.sqlite"
    assert symag("batch", models / "m0[0-3].smv", "--output", output).returncode == 0
    before = {row.key: row.finished for row in rows(output)}
    again = symag("batch", models, "--output", output)
    assert again.returncode == 2
    assert again.stderr.splitlines()[-1].endswith("exists already: --resume continues it")
    (models / "m01.smv").write_text(SLOW.format(bound=2))
    resumed = symag("batch", models, "--output", output, "--resume")
    assert resumed.returncode == 0
    assert resumed.stderr.splitlines()[0] == "5 jobs to run"
    assert {row.key for row in rows(output)} >= before.keys()
    assert sum(row.finished == before.get(row.key) for row in rows(output)) >= 3
    changed = [row.outcome.verdict for row in rows(output) if row.job.model.endswith("m01.smv")]
    assert sorted(changed) == ["holds", "violated"]


class Watcher:
    """Changes a model when a job about it begins, or when one about another model ends."""

    def __init__(self, model: Path, text: str, begins: bool) -> None:
        self._model, self._text, self._begins = model, text, begins

    def __call__(self, event: JobEvent) -> None:
        if (event.outcome is None, event.job.model == str(self._model)) == (self._begins, self._begins):
            self._model.write_text(self._text)


@pytest.mark.parametrize("begins", [True, False])
def test_a_model_that_is_changed_while_it_is_decided_has_no_verdict(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, begins: bool
) -> None:
    # A job takes its answer from the content that the model has when the job runs.
    program = (
        "import json; print(json.dumps({'results': [{'verdict': open('MODEL').read(), 'value': None, 'reason': None,"
        "'method': 'm', 'certified': True, 'statistics': {}, 'certificate': None}], 'warnings': []}))"
    )
    names = [str(tmp_path / name) for name in ("a.smv", "b.smv")]
    for name in names:
        Path(name).write_text("holds")
    monkeypatch.setattr(Job, "command", lambda job, *_: [sys.executable, "-c", program.replace("MODEL", job.model)])
    watcher = Watcher(Path(names[1]), "violated", begins)
    contents = ContentHashes()
    contents.read(names)
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        batch = Batch(results, JobLimits(wall=30), 1, watcher=watcher, contents=contents)
        asked = [Job(name, "0", "INVARSPEC", "p") for name in names]
        batch.run(batch.waiting(asked))
        Path(names[1]).write_text("holds")
        # The content is the first one again: the job of the changed model is run again, the other one is not.
        again = Batch(results, JobLimits(wall=30), 1)
        waiting = again.waiting(asked)
        first = [row.outcome for row in results.rows()]
        again.run(waiting)
        second = [row.outcome.verdict for row in results.rows()]
    assert [outcome.verdict for outcome in first] == ["holds", "unknown"]
    assert (
        first[1].reason
        == f"bad input: {names[1]}: the file has changed since the batch began; --resume decides it again"
    )
    assert [job.model for job in waiting.values()] == names[1:]
    assert second == ["holds", "holds"]


def test_results_about_earlier_contents_do_not_count(tmp_path: Path) -> None:
    model, suite, output = tmp_path / "m.smv", tmp_path / "suite.toml", tmp_path / "r.sqlite"
    suite.write_text('[[models]]\nfiles = ["m.smv"]\nexpected = "holds"\n')
    unreadable, wrong, right = "MODULE main VAR x : boolean INVARSPEC x", SLOW.format(bound=3), SLOW.format(bound=4)
    ends = []
    for text in (unreadable, wrong, right, wrong):
        model.write_text(text)
        done = symag("batch", suite, "--output", output, "--resume", "--quiet")
        lines = [line for line in done.stdout.splitlines() if " job" in line and "FAILED" not in line]
        ends.append((done.returncode, [line.partition(" about")[0] for line in lines]))
    assert ends == [
        (3, ["1 job: 1 unknown (bad input)"]),
        (20, ["1 job: 1 violated", "1 job"]),
        (0, ["1 job: 1 holds", "2 jobs"]),
        (20, ["1 job: 1 violated", "2 jobs"]),  # of the second content, not decided again
    ]
    reported = symag("report", output)
    assert (reported.returncode, reported.stdout.splitlines()[2]) == (20, "1 job: 1 violated")
    assert len(rows(output)) == 3


@pytest.mark.parametrize("expected", [("violated", None), (None, "violated")])
def test_an_expectation_of_one_of_two_entries_holds(tmp_path: Path, expected: tuple[str | None, ...]) -> None:
    asked = [Job("m.smv", "0", "INVARSPEC", "p", expected=answer) for answer in expected]
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        batch = Batch(results, JobLimits(), 1)
        ((name, job),) = batch.waiting(asked).items()
        assert job.expected == "violated"
        results.add(name, replace(job, expected=None), JobLimits(), JobOutcome("holds"), 1)
        results.commit()
        assert not batch.waiting(asked)
        assert [row.is_wrong for row in results.rows()] == [True]


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


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.long
def test_a_full_disk_ends_the_batch_and_loses_nothing(models: Path, small_disk: Path, tmp_path: Path) -> None:
    output = small_disk / "r.sqlite"
    assert symag("batch", models / "m0[0-1].smv", "--output", output).returncode == 0
    kept = verdicts(output)
    filler = small_disk / "filler"
    # Enough is left to open the file, not for all results.
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free - 24 * 1024))
    done = symag("batch", models, "--output", output, "--resume")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"symag: {output}: cannot continue: ")
    assert "Traceback" not in done.stderr
    wait_until_quiet(models)
    filler.unlink()
    assert kept.items() <= verdicts(output).items()
    assert symag("batch", models, "--output", output, "--resume").returncode == 0
    assert verdicts(output) == expected_verdicts()


@pytest.mark.parametrize("free", [0, 24, 48])
def test_a_full_disk_at_the_start_leaves_no_files(models: Path, small_disk: Path, free: int) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free - free * 1024))
    done = symag("batch", models, "--output", small_disk / "r.sqlite")
    assert done.returncode == 2
    assert "r.sqlite: not usable as a file of results: d" in done.stderr  # disk I/O error, database or disk is full
    assert done.stderr.count("\n") == 1
    assert list(small_disk.iterdir()) == [filler]


@pytest.mark.long
def test_read_only_results(models: Path, small_disk: Path) -> None:
    output = small_disk / "r.sqlite"
    assert symag("batch", models / "m00.smv", "--output", output).returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    done = symag("batch", models, "--output", output, "--resume")
    assert done.returncode == 2
    assert "cannot write there" in done.stderr
    assert [row.outcome.verdict for row in rows(output)] == ["violated"]


@pytest.mark.long
def test_storing_is_cheap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Issue 6: 5 ms a job beyond the process itself, in processor time; here with much to spare."""
    monkeypatch.setattr(Job, "command", lambda *_: [shutil.which("true")])
    jobs = {f"k{number}": Job(f"m{number}", "0", "INVARSPEC", "p") for number in range(100)}
    before = time.process_time()
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        Batch(results, JobLimits(60, 60, 1000), 2).run(jobs)
    assert (time.process_time() - before) / len(jobs) < 0.015
    with sqlite3.connect(tmp_path / "r.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM job").fetchone() == (100,)
