"""One command in a process of its own, under limits of wall time, CPU time and memory that hold whatever it does.

Rules of this file:

- Between the caller and the command stands a supervisor, a forked process that is the subreaper of the command
  and of everything that it starts. All of them are dead and waited for before the supervisor reports.
- When the caller dies, by SIGKILL too, the kernel sends SIGTERM to the supervisor, which ends its descendants
  and itself. SIGTERM from the caller does the same.
- The limits are for the command and its descendants together. They are checked every ``_INTERVAL`` seconds; the
  address space of each process is bounded too, so that memory cannot run far ahead.
- The command has its own session, so that a Ctrl-C at the terminal reaches only the caller.
- A function runs in a fork of the caller, under the same rules. It has the modules that the caller has imported, and
  none of its open files. What the caller registered for its own end (atexit) is not run.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn, Protocol

from msgspec import Struct

from symag.core.limits import JobLimits
from symag.process import tree as process_tree
from symag.process.kernel import be_subreaper, mapped_bytes, signal_when_parent_dies

Limit = Literal["wall", "cpu", "memory"]

_INTERVAL = 0.1
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Address space is not memory: threads and libraries reserve more than they use.
_ADDRESS_SPACE_BEYOND_MEMORY = 2048


class CommandExit(Struct, frozen=True):
    """How a command ended: ``status`` as in subprocess (negative: a signal), and the limit that ended it if one did.

    ``cpu_seconds`` are those of all its processes. ``memory_mib`` is the most that they held together whenever it was
    measured, and at least the largest resident set of any of them.
    """

    status: int
    limit: Limit | None
    wall_seconds: float
    cpu_seconds: float
    memory_mib: float


#: The words of a command, or a function that returns the exit status.
Command = Sequence[str] | Callable[[], int]

#: Turns the command's exit into the value that is sent to the caller; runs in the supervisor, after the command.
Digest = Callable[[CommandExit], Any]


class SupervisedCommand:
    """A running command; the constructor starts it. Readable when it has ended; then call ``result``."""

    def __init__(self, command: Command, limits: JobLimits, output: str, errors: str, digest: Digest) -> None:
        """Standard output and error go to the files ``output`` and ``errors``. ``digest`` should be quick."""
        self._read_end, write_end = os.pipe()
        caller = os.getpid()
        everything = signal.valid_signals()
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, everything)
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _supervise(caller, write_end, command, limits, (output, errors), digest)
        finally:
            os.close(write_end)
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)

    def fileno(self) -> int:
        """The pipe's read end, for a selector."""
        return self._read_end

    def result(self) -> Any:
        """What ``digest`` returned; None if the supervisor itself was killed. Waits; to be called once."""
        with open(self._read_end, "rb") as pipe:
            report = pipe.read()
        os.waitpid(self.pid, 0)
        return pickle.loads(report) if report else None

    def stop(self) -> None:
        """End the command and everything that it started; ``result`` is None then."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)


def _supervise(
    caller: int,
    write_end: int,
    command: Command,
    limits: JobLimits,
    files: tuple[str, str],
    digest: Digest,
) -> NoReturn:
    """The supervisor's whole life. All signals are blocked: they are waited for instead."""
    status = 1
    try:
        os.setsid()
        if not signal_when_parent_dies(caller, signal.SIGTERM):
            os._exit(status)
        be_subreaper(True)
        _close_all_but(write_end)
        ending = _watched(command, limits, files)
        if ending is not None:
            report = pickle.dumps(digest(ending))
            with open(write_end, "wb", closefd=False) as pipe:
                pipe.write(report)
        status = 0
    except BaseException:
        with contextlib.suppress(OSError), open(files[1], "a") as errors:
            traceback.print_exc(file=errors)
    finally:
        process_tree.kill_descendants(os.getpid())
        os._exit(status)


def _watched(command: Command, limits: JobLimits, files: tuple[str, str]) -> CommandExit | None:
    """Run the command; None if the supervisor was told to stop."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    here = os.getpid()
    started = time.monotonic()
    process = _forked(command, files) if callable(command) else _spawned(command, files)
    if limits.memory is not None:
        # A fork has all that the caller has mapped: a table of decision diagrams may be gigabytes.
        _bound_address_space(process, limits.memory + (mapped_bytes() >> 20 if callable(command) else 0))
    limit: Limit | None = None
    peak = 0.0
    status: int | None = None
    while status is None:
        received = signal.sigtimedwait((signal.SIGCHLD, signal.SIGTERM), _INTERVAL)
        if received is not None and received.si_signo == signal.SIGTERM:
            return None
        status = _reaped(process)
        if status is None:
            peak = max(peak, _memory(here, peak))
            limit = _exceeded(limits, time.monotonic() - started, here, peak)
            if limit is not None:
                break
    process_tree.kill_descendants(here)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return CommandExit(
        -signal.SIGKILL if status is None else status,
        limit,
        time.monotonic() - started,
        usage.ru_utime + usage.ru_stime,
        max(peak, _largest(usage, peak)),
    )


def _spawned(command: Sequence[str], files: tuple[str, str]) -> int:
    """The process of a command."""
    return os.posix_spawn(
        command[0],
        list(command),
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            *((os.POSIX_SPAWN_OPEN, number, path, _WRITING, 0o600) for number, path in zip((1, 2), files, strict=True)),
        ],
        setsigmask=(),
        setsigdef=(signal.SIGPIPE, signal.SIGXFSZ, *_INTERRUPTS),
    )


def _forked(function: Callable[[], int], files: tuple[str, str]) -> int:
    """The process of a function. It begins as symag does in a new process: an interrupt is a KeyboardInterrupt."""
    process = os.fork()
    if process != 0:
        return process
    status = 1
    try:
        for number, path in zip((1, 2), files, strict=True):
            os.dup2(os.open(path, _WRITING, 0o600), number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        # The caller's objects may hold lines that it has not written yet. 0 is /dev/null already.
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - for the process's whole life
        sys.stdout, sys.stderr = (open(number, "w", errors="backslashreplace", closefd=False) for number in (1, 2))  # noqa: SIM115
        for signal_number in _INTERRUPTS:
            signal.signal(signal_number, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        gc.freeze()  # a later collection must not copy every page of the caller's objects
        status = function()
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _bound_address_space(process: int, memory: int) -> None:
    """Bound the command and its descendants, but not this process: it may be the fork of a larger caller.

    The command has the limit a moment after its start; on systems other than Linux it has none.
    """
    if sys.platform != "linux":
        return
    # The kernel's numbers end there.
    bound = min((memory + _ADDRESS_SPACE_BEYOND_MEMORY) * 2**20, sys.maxsize)
    with contextlib.suppress(ProcessLookupError):
        _, hard = resource.prlimit(process, resource.RLIMIT_AS)
        resource.prlimit(process, resource.RLIMIT_AS, (bound if hard < 0 else min(bound, hard), hard))


def _largest(usage: resource.struct_rusage, peak: float) -> float:
    """The largest memory of one ended process in MiB.

    Linux includes what the parent held when the process was started. Therefore a figure that is no larger than this
    process's own is ignored if ``peak`` was measured.
    """
    largest = usage.ru_maxrss / 1024
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return largest if largest > own or not peak else 0.0


def _reaped(process: int) -> int | None:
    """Reap the processes that have ended; the command's status if it is among them."""
    exit_status: int | None = None
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended == process:
            exit_status = os.waitstatus_to_exitcode(status)
        if ended == 0 or exit_status is not None:
            return exit_status


def _memory(here: int, peak: float) -> float:
    """MiB in use now, or 0 if that cannot be more than ``peak``."""
    running = process_tree.descendants(here)
    return process_tree.proportional_mib(running) if process_tree.resident_mib(running) > peak else 0.0


def _exceeded(limits: JobLimits, seconds: float, here: int, memory: float) -> Limit | None:
    if limits.wall is not None and seconds > limits.wall:
        return "wall"
    if limits.memory is not None and memory > limits.memory:
        return "memory"
    if limits.cpu is not None:
        reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = process_tree.cpu_seconds(process_tree.descendants(here))
        if used + reaped.ru_utime + reaped.ru_stime > limits.cpu:
            return "cpu"
    return None


def _close_all_but(descriptor: int) -> None:
    """Close inherited files (the results, other supervisors' pipes). Standard streams become /dev/null."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.closerange(3, descriptor)
    os.closerange(descriptor + 1, os.sysconf("SC_OPEN_MAX"))


#: The script that starts the module.
_ENTRY = str(Path(__file__).with_name("entry.py"))


class Launch(Protocol):
    """How the commands of many jobs are made: ``python_command``, or functions that do the same in forks."""

    def __call__(self, module: str, *arguments: str) -> Command:
        """The command for ``python -m MODULE ARGUMENT...``."""


def python_command(module: str, *arguments: str) -> list[str]:
    """The command ``python -m MODULE ARGUMENT...`` of this interpreter, which imports nothing of the current folder."""
    return [sys.executable, "-P", _ENTRY, module, *arguments]
