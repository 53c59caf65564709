"""Batches on disks that are full or read-only, and the cost of storing."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from symag.core.limits import JobLimits
from symag.suites.jobs import Job
from symag.suites.run import Batch
from symag.suites.store import Results
from tests.batch.batches import expected_verdicts, rows, symag, verdicts, wait_until_quiet


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
