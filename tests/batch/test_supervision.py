"""Limits hold for whatever a command does, and nothing of it is left."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from symag.core.limits import JobLimits
from symag.process import tree as process_tree
from symag.process.kernel import be_subreaper
from symag.process.pool import CommandPool
from symag.process.supervision import CommandExit, SupervisedCommand

MARK = 54321.5  # seconds that nothing else here sleeps
NO_LIMITS = JobLimits()
DETACHED = f"""
import os, sys, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep({MARK})
        os._exit(0)
"""


def run(tmp_path: Path, program: str, limits: JobLimits = NO_LIMITS) -> CommandExit:
    ending = started(tmp_path, program, limits).result()
    assert isinstance(ending, CommandExit)
    assert not running(str(MARK))
    return ending


def started(tmp_path: Path, program: str, limits: JobLimits = NO_LIMITS) -> SupervisedCommand:
    command = [sys.executable, "-c", program]
    return SupervisedCommand(command, limits, str(tmp_path / "output"), str(tmp_path / "errors"), lambda ending: ending)


def running(text: str) -> list[int]:
    """The processes of this machine with a text in their command line."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            try:
                if text.encode() in (each / "cmdline").read_bytes():
                    found.append(int(each.name))
            except OSError:
                continue
    return found


def wait_until_gone(text: str) -> None:
    end = time.monotonic() + 10
    while running(text):
        assert time.monotonic() < end, running(text)
        time.sleep(0.05)


def test_output_status_and_cost(tmp_path: Path) -> None:
    ending = run(
        tmp_path, "import sys; print('said'); print('complained', file=sys.stderr); sum(range(10**7)); exit(7)"
    )
    assert (ending.status, ending.limit) == (7, None)
    assert (tmp_path / "output").read_text() == "said\n"
    assert (tmp_path / "errors").read_text() == "complained\n"
    assert 0.05 < ending.cpu_seconds < 20
    # What processes share counts in parts; what the forked parent took before the program began counts too.
    assert 1 < ending.memory_mib < 600


def test_wall_time_of_what_ignores_signals(tmp_path: Path) -> None:
    program = f"import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep({MARK})"
    ending = run(tmp_path, program, JobLimits(wall=0.5))
    assert ending.limit == "wall"
    assert 0.5 < ending.wall_seconds < 5


def test_processor_time_of_all_processes_together(tmp_path: Path) -> None:
    # Each of the two uses half of it, in children that end and in one that runs.
    program = """
import os
for _ in range(2):
    if os.fork() == 0:
        while sum(os.times()[:2]) < 0.4: pass
        os._exit(0)
    os.wait()
while True: pass
"""
    ending = run(tmp_path, program, JobLimits(cpu=1.0, wall=60))
    assert ending.limit == "cpu"
    assert 1.0 <= ending.cpu_seconds < 3


@pytest.mark.parametrize("processes", [1, 3])
def test_memory_of_all_processes_together(tmp_path: Path, processes: int) -> None:
    program = f"""
import os, time
for _ in range({processes - 1}):
    if os.fork() == 0:
        break
held = [bytearray(os.urandom(1 << 20)) for _ in range({330 // processes})]
time.sleep({MARK})
"""
    ending = run(tmp_path, program, JobLimits(memory=250, wall=60))
    assert ending.limit == "memory"
    assert ending.memory_mib > 250


def test_what_forks_share_counts_once(tmp_path: Path) -> None:
    program = """
import os, time
held = bytearray(os.urandom(100 << 20))
for _ in range(4):
    if os.fork() == 0:
        break
time.sleep(1)
"""
    ending = run(tmp_path, program, JobLimits(memory=300, wall=60))
    assert ending.limit is None
    assert 100 < ending.memory_mib < 300


def test_allocation_without_end_is_bounded_by_address_space(tmp_path: Path) -> None:
    ending = run(tmp_path, "x = []\nwhile True: x.append(bytearray(1 << 30))", JobLimits(memory=100, wall=60))
    assert ending.limit == "memory" or (ending.status == 1 and "MemoryError" in (tmp_path / "errors").read_text())


def test_processes_that_detach_are_ended(tmp_path: Path) -> None:
    assert run(tmp_path, DETACHED).status == 0
    assert run(tmp_path, DETACHED + f"time.sleep({MARK})", JobLimits(wall=0.5)).limit == "wall"


def test_a_signal_is_the_status(tmp_path: Path) -> None:
    assert run(tmp_path, "import os; os.kill(os.getpid(), 11)").status == -signal.SIGSEGV


def test_a_supervisor_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    with CommandPool[str]() as pool:
        process = started(tmp_path, DETACHED + f"time.sleep({MARK})")
        pool.add("job", process)
        end = time.monotonic() + 10
        while len(running(str(MARK))) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        assert pool.wait(10) == [("job", None)]
        wait_until_gone(str(MARK))


def test_leaving_the_pool_ends_what_runs(tmp_path: Path) -> None:
    before = process_tree.children(os.getpid())
    with CommandPool[int]() as pool:
        for number in range(3):
            pool.add(number, started(tmp_path, f"import time; time.sleep({MARK})"))
    assert not running(str(MARK))
    assert process_tree.children(os.getpid()) == before
    assert not be_subreaper(False)


def test_the_death_of_the_caller_ends_everything(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        started(tmp_path, DETACHED + f"time.sleep({MARK})")
        time.sleep(60)
        os._exit(0)
    end = time.monotonic() + 10
    while len(running(str(MARK))) < 4 and time.monotonic() < end:
        time.sleep(0.05)
    assert running(str(MARK))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    wait_until_gone(str(MARK))
