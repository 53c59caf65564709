"""Jobs on a real scheduler with two real worker processes, over loopback."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from msgspec import convert, structs

from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.process import tree as process_tree
from symag.suites.alone import run_elsewhere
from symag.suites.distributed import SchedulerGoneError
from symag.suites.distributed import run as run_distributed
from symag.suites.jobs import Job
from symag.suites.run import ATTEMPTS, Batch, JobEvent
from symag.suites.store import Results, Row

pytest.importorskip("distributed")
ROOT = Path(__file__).resolve().parent.parent.parent
QUICK = "MODULE main VAR s : 0..3; ASSIGN next(s) := (s + 1) mod 4; INVARSPEC s < {bound};"


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._address = folder / "scheduler.json"
        options = ["--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self._address)]
        self.scheduler = self._start([sys.executable, "-m", "distributed.cli.dask_scheduler", *options])
        end = time.monotonic() + 60
        while not self._address.exists():
            assert time.monotonic() < end
            time.sleep(0.1)
        self.workers = [self.worker() for _ in range(2)]

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT, start_new_session=True)

    def worker(self) -> subprocess.Popen[bytes]:
        """A worker with one thread, not restarted when it dies."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        options += ["--scheduler-file", str(self._address), "--local-directory", str(self.folder)]
        return self._start([sys.executable, "-m", "distributed.cli.dask_worker", *options])

    @property
    def address(self) -> str:
        found: str = json.loads(self._address.read_text())["address"]
        return found

    def close(self) -> None:
        for each in (*self.workers, self.scheduler):
            if each.poll() is None:
                each.kill()
            each.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    found = Cluster(folder)
    yield found
    found.close()


@pytest.fixture
def asked(tmp_path: Path) -> dict[str, Job]:
    """Four jobs that end at once, and one that does not."""
    texts = {f"quick{number}": QUICK.format(bound=3 + number % 2) for number in range(4)}
    barrel = [sys.executable, "barrel.py", "6", "5"]
    texts["slow"] = subprocess.run(
        barrel, cwd=ROOT / "models" / "families", capture_output=True, text=True, check=True
    ).stdout
    found = {}
    for name, text in texts.items():
        (tmp_path / f"{name}.smv").write_text(text)
        found[name] = Job(str(tmp_path / f"{name}.smv"), "0", "INVARSPEC", name)
    return found


def rows(path: Path) -> dict[str, Row]:
    with Results(path, writing=False) as results:
        return {row.job.text: row for row in results.rows()}


@pytest.mark.long
def test_the_command_over_the_workers(cluster: Cluster, asked: dict[str, Job], tmp_path: Path) -> None:
    """The workers run in another folder than the batch, whose paths are relative."""
    options = ["--output", "r.sqlite", "--scheduler", cluster.address, "--timeout", "60"]
    command = [sys.executable, "-m", "symag", "batch", "quick*.smv", *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "4 jobs: 2 holds, 2 violated"


def runs(process: int, text: str) -> bool:
    """Whether a descendant of the process has the text in its command line."""
    for each in process_tree.descendants(process):
        with contextlib.suppress(OSError):
            if text.encode() in Path(f"/proc/{each}/cmdline").read_bytes():
                return True
    return False


@pytest.mark.long
def test_a_job_whose_worker_dies_is_tried_once_more(cluster: Cluster, asked: dict[str, Job], tmp_path: Path) -> None:
    output = tmp_path / "r.sqlite"
    done = threading.Event()

    def kill_whoever_runs_the_slow_one() -> None:
        while not done.wait(0.1):
            for place, each in enumerate(cluster.workers):
                if each.poll() is None and runs(each.pid, "slow.smv"):
                    each.kill()
                    each.wait()
                    cluster.workers[place] = cluster.worker()

    killer = threading.Thread(target=kill_whoever_runs_the_slow_one)
    killer.start()
    try:
        with Results(output, writing=True) as results:
            run_distributed(Batch(results, JobLimits(wall=100), 1), asked, cluster.address)
    finally:
        done.set()
        killer.join()
    found = rows(output)
    assert found["slow"].outcome.reason == "crashed: its worker died"
    assert found["slow"].attempts >= ATTEMPTS
    assert [found[f"quick{number}"].outcome.verdict for number in range(4)] == ["violated", "holds"] * 2


@pytest.mark.long
def test_a_scheduler_that_goes_away(cluster: Cluster, asked: dict[str, Job], tmp_path: Path) -> None:
    output = tmp_path / "r.sqlite"

    def watch(event: JobEvent) -> None:
        if event.outcome is not None and cluster.scheduler.poll() is None:
            cluster.scheduler.kill()
            cluster.scheduler.wait()

    with Results(output, writing=True) as results, pytest.raises(SchedulerGoneError):
        run_distributed(Batch(results, JobLimits(wall=100), 1, watcher=watch), asked, cluster.address)
    assert rows(output)
    assert "slow" not in rows(output)


def test_no_scheduler(tmp_path: Path) -> None:
    with (
        Results(tmp_path / "r.sqlite", writing=True) as results,
        pytest.raises(UsageError, match="no scheduler answers"),
    ):
        run_distributed(Batch(results, JobLimits(), 1), {}, "tcp://127.0.0.1:9")


def test_a_worker_without_the_folder(tmp_path: Path) -> None:
    folder = str(tmp_path / "elsewhere")
    found = run_elsewhere(asdict(Job("m.smv", "0", "INVARSPEC", "p")), structs.asdict(JobLimits()), folder)
    assert found["verdict"] == "unknown"
    assert found["reason"].startswith("bad input: the worker on ")
    assert found["reason"].endswith(f" has no folder {folder}")


def test_jobs_as_plain_values() -> None:
    job = Job("m.smv", "0", "INVARSPEC", "p", options=("--parts", "3"))
    assert convert(json.loads(json.dumps(asdict(job))), Job) == job
