"""Limits hold for whatever a command does, and nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from symag.core.limits import JobLimits
from symag.process import tree as process_tree
from symag.process.kernel import be_subreaper
from symag.process.pool import CommandPool
from symag.process.supervision import CommandExit, SupervisedCommand

MARK = 54321.5 + os.getpid()  # seconds that nothing else here sleeps, the tests in another process included
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


Start = Callable[[str, JobLimits], SupervisedCommand]


@pytest.fixture(params=["command", "function"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Start:
    """Starts a program as a command, or as a function in a fork of this process."""
    folder = tmp_path / str(MARK)
    folder.mkdir()

    def in_fork(program: str) -> int:
        os.chdir(folder)  # the mark: the command line is that of this process
        try:
            exec(compile(program, "program", "exec"), {})
        except SystemExit as ending:
            return int(str(ending.code))
        return 0

    def started(program: str, limits: JobLimits) -> SupervisedCommand:
        command = [sys.executable, "-c", program] if request.param == "command" else partial(in_fork, program)
        return SupervisedCommand(command, limits, str(tmp_path / "output"), str(tmp_path / "errors"), lambda end: end)

    return started


def run(start: Start, program: str, limits: JobLimits = NO_LIMITS) -> CommandExit:
    ending = start(program, limits).result()
    assert isinstance(ending, CommandExit)
    assert not running(str(MARK))
    return ending


def running(text: str) -> list[int]:
    """The processes of this machine with a text in their command line or folder."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            try:
                if text.encode() in (each / "cmdline").read_bytes() or text in os.readlink(each / "cwd"):
                    found.append(int(each.name))
            except OSError:
                continue
    return found


def wait_until_gone(text: str) -> None:
    end = time.monotonic() + 10
    while running(text):
        assert time.monotonic() < end, running(text)
        time.sleep(0.05)


def test_output_status_and_cost(start: Start, tmp_path: Path) -> None:
    ending = run(start, "import sys; print('said'); print('complained', file=sys.stderr); sum(range(10**7)); exit(7)")
    assert (ending.status, ending.limit) == (7, None)
    assert (tmp_path / "output").read_text() == "said\n"
    assert (tmp_path / "errors").read_text() == "complained\n"
    assert 0.05 < ending.cpu_seconds < 20
    # What processes share counts in parts; what the forked parent took before the program began counts too.
    assert 1 < ending.memory_mib < 600


def test_wall_time_of_what_ignores_signals(start: Start) -> None:
    program = f"import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep({MARK})"
    ending = run(start, program, JobLimits(wall=0.5))
    assert ending.limit == "wall"
    assert 0.5 < ending.wall_seconds < 5


def test_processor_time_of_all_processes_together(start: Start) -> None:
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
    ending = run(start, program, JobLimits(cpu=1.0, wall=60))
    assert ending.limit == "cpu"
    assert 1.0 <= ending.cpu_seconds < 3


@pytest.mark.parametrize("processes", [1, 3])
def test_memory_of_all_processes_together(start: Start, processes: int) -> None:
    program = f"""
import os, time
for _ in range({processes - 1}):
    if os.fork() == 0:
        break
held = [bytearray(os.urandom(1 << 20)) for _ in range({330 // processes})]
time.sleep({MARK})
"""
    ending = run(start, program, JobLimits(memory=250, wall=60))
    assert ending.limit == "memory"
    assert ending.memory_mib > 250


@pytest.mark.parametrize("start", ["command"], indirect=True)  # a fork of this process may hold much more
def test_what_forks_share_counts_once(start: Start) -> None:
    program = """
import os, time
held = bytearray(os.urandom(100 << 20))
for _ in range(4):
    if os.fork() == 0:
        break
time.sleep(1)
"""
    ending = run(start, program, JobLimits(memory=300, wall=60))
    assert ending.limit is None
    assert 100 < ending.memory_mib < 300


def test_allocation_without_end_is_bounded_by_address_space(start: Start, tmp_path: Path) -> None:
    ending = run(start, "x = []\nwhile True: x.append(bytearray(1 << 30))", JobLimits(memory=100, wall=60))
    assert ending.limit == "memory" or (ending.status == 1 and "MemoryError" in (tmp_path / "errors").read_text())


@pytest.mark.parametrize("memory", [2**43, 10**20])
def test_a_limit_beyond_the_numbers_of_the_kernel_is_none(start: Start, memory: int) -> None:
    ending = run(start, "print('done')", JobLimits(memory=memory))
    assert (ending.status, ending.limit) == (0, None)


def test_processes_that_detach_are_ended(start: Start) -> None:
    assert run(start, DETACHED).status == 0
    assert run(start, DETACHED + f"time.sleep({MARK})", JobLimits(wall=0.5)).limit == "wall"


def test_a_signal_is_the_status(start: Start) -> None:
    assert run(start, "import os; os.kill(os.getpid(), 11)").status == -signal.SIGSEGV


def test_a_supervisor_that_is_killed_leaves_nothing(start: Start) -> None:
    with CommandPool[str]() as pool:
        process = start(DETACHED + f"time.sleep({MARK})", NO_LIMITS)
        pool.add("job", process)
        end = time.monotonic() + 10
        while len(running(str(MARK))) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        assert pool.wait(10) == [("job", None)]
        wait_until_gone(str(MARK))


def test_leaving_the_pool_ends_what_runs(start: Start) -> None:
    before = process_tree.children(os.getpid())
    with CommandPool[int]() as pool:
        for number in range(3):
            pool.add(number, start(f"import time; time.sleep({MARK})", NO_LIMITS))
    assert not running(str(MARK))
    assert process_tree.children(os.getpid()) == before
    assert not be_subreaper(False)


def test_the_death_of_the_caller_ends_everything(start: Start) -> None:
    child = os.fork()
    if child == 0:
        start(DETACHED + f"time.sleep({MARK})", NO_LIMITS)
        time.sleep(60)
        os._exit(0)
    end = time.monotonic() + 10
    while len(running(str(MARK))) < 4 and time.monotonic() < end:
        time.sleep(0.05)
    assert running(str(MARK))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    wait_until_gone(str(MARK))


def test_an_interrupt_of_a_function_is_a_keyboard_interrupt(tmp_path: Path) -> None:
    def function() -> int:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            try:
                os.kill(os.getpid(), number)
                time.sleep(5)
            except KeyboardInterrupt:
                print(signal.Signals(number).name)
        return len(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

    output = tmp_path / "output"
    command = SupervisedCommand(function, NO_LIMITS, str(output), str(tmp_path / "errors"), lambda end: end)
    assert command.result().status == 0
    assert output.read_text().split() == ["SIGINT", "SIGTERM", "SIGHUP"]


def test_what_the_caller_holds_stays_with_it(tmp_path: Path) -> None:
    """A fork neither writes the lines that its caller has not written yet, nor ends what its caller will end."""
    files = str(tmp_path / "output"), str(tmp_path / "errors")
    program = f"""
import atexit, os, sys, tempfile
from symag.core.limits import JobLimits
from symag.process.supervision import SupervisedCommand

def function():
    sys.stdin.read()
    print("of the function")
    print(sum(os.path.exists(f"/proc/self/fd/{{number}}") for number in range(3, 50)), "open files")
    return 5

print("of the caller, kept in memory", end="")
kept = tempfile.TemporaryDirectory()
atexit.register(print, "; at its end")
ended = SupervisedCommand(function, JobLimits(), *{files!r}, lambda end: end)
assert ended.result().status == 5
assert os.path.isdir(kept.name)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "of the caller, kept in memory; at its end\n"
    assert (tmp_path / "output").read_text() == "of the function\n0 open files\n"
    assert (tmp_path / "errors").read_text() == ""
