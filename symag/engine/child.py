"""One computation in a child process, with limits that hold whatever the computation does.

Why ``fork``: the model is a large value with deep expressions; a forked child has it at once, where
``spawn`` would start an interpreter, import everything again and pickle the model (0.3 s and more).
The parent owns no thread and no BDD of the child's, and the child leaves by ``os._exit``, so nothing
inherited is ever torn down. A long CUDD operation holds the GIL and delays signals, therefore the
parent keeps the time and kills with SIGKILL. What comes back are frames (see ``frames``) on a pipe.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from symag.engine.frames import FrameReader, frame
from symag.errors import CertificationError, InputError, UnsupportedError, UsageError
from symag.limits import MemoryExhausted, Progress

#: What a child computes: it may report progress, and returns a value that can be pickled.
Work = Callable[[Progress], Any]

_PR_SET_PDEATHSIG = 1
_SECONDS_BETWEEN_PROGRESS_LINES = 0.1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a child ended: with a value, with an error that is the user's to see, or with a reason for neither.

    ``reason`` is ``timeout``, ``memory``, ``interrupted``, ``unsupported: ...``, ``crashed: ...`` or
    ``internal error: ...``; ``messages`` is what the child wrote to its standard error (a traceback,
    CUDD's last words). ``memory`` is the peak resident set in MiB.
    """

    value: Any = None
    error: Exception | None = None
    reason: str | None = None
    messages: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: float = 0.0


class Child:
    """A running child process; the constructor starts it.

    ``memory`` bounds, in MiB, what the computation may allocate beyond what the parent already holds.
    The owner selects on ``fileno()``, calls ``receive()`` when it is readable until ``ended``, and then,
    or at any earlier moment, ``finish()``, which kills and reaps the process.
    """

    def __init__(self, work: Work, memory: int | None = None) -> None:
        self.started = time.monotonic()
        self.ended = False
        self.progress: list[str] = []
        self._reader = FrameReader()
        self._answer: tuple[str, Any] | None = None
        self._messages: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by finish()
        self._descriptor, write_end = os.pipe()
        parent = os.getpid()
        # No signal may arrive between the fork and the moment when the parent knows whom to kill.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _run(work, memory, parent, write_end, self._messages.fileno(), masked)
        finally:
            os.close(write_end)
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)

    def fileno(self) -> int:
        """The pipe's read end, for a selector."""
        return self._descriptor

    def receive(self) -> None:
        """Read what the pipe holds now; to be called when it is readable."""
        data = os.read(self._descriptor, 1 << 20)
        if not data:
            self.ended = True
        for kind, payload in self._reader.feed(data):
            if kind == "progress":
                self.progress.append(payload)
            else:
                self._answer = (kind, payload)
                self.ended = True

    def kill(self) -> None:
        """End the process now; to be followed by ``finish``."""
        os.kill(self.pid, signal.SIGKILL)

    def finish(self, reason: str | None = None) -> Outcome:
        """Kill and reap the process. ``reason`` says why it was killed before it had ``ended``."""
        self.kill()  # changes nothing about a process that is dying already
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self._descriptor)
        with self._messages as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 10_000))
            messages = file.read().decode("utf-8", "replace")
        value, error = None, None
        match self._answer:
            case ("value", payload):
                value, reason = payload, None
            case ("error", payload):
                error, reason = payload, None
            case ("reason", payload):
                reason = payload
            case _:
                reason = reason or reason_of_death(os.waitstatus_to_exitcode(status), messages)
        return Outcome(
            value,
            error,
            reason,
            messages,
            time.monotonic() - self.started,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024 if sys.platform != "darwin" else usage.ru_maxrss / 2**20,
        )


def reason_of_death(exit_code: int, messages: str) -> str:
    """The reason for an unknown verdict when a child dies without an answer (exit code as in subprocess).

    CUDD ends the process with status 1 when it cannot allocate; C++ libraries abort.
    """
    if exit_code == 1 or any(sign in messages for sign in ("out of memory", "bad_alloc", "MemoryError")):
        return "memory"
    if exit_code == -signal.SIGINT:
        return "interrupted"
    if exit_code < 0:
        return f"crashed: signal {-exit_code} ({signal.Signals(-exit_code).name})"
    return f"crashed: exit status {exit_code}"


def _run(
    work: Work, memory: int | None, parent: int, write_end: int, messages: int, mask: set[signal.Signals | int]
) -> NoReturn:
    """The child's whole life."""
    status = 70
    try:
        _die_with(parent)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.dup2(messages, 1)
        os.dup2(messages, 2)
        sys.stdout = sys.stderr = open(2, "w", closefd=False, buffering=1)  # noqa: SIM115 - for the child's whole life
        faulthandler.enable(2)  # a crash in C leaves its Python stack among the messages
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        gc.freeze()  # a later collection must not copy every page of the parent's objects
        if memory is not None:
            _limit_memory(memory)
        _write(write_end, frame(_answer(work, _throttled(write_end))))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _answer(work: Work, progress: Progress) -> tuple[str, Any]:
    try:
        return "value", work(progress)
    except (InputError, UsageError, CertificationError) as error:
        return "error", error
    except UnsupportedError as error:
        return "reason", f"unsupported: {error}"
    except (MemoryError, MemoryExhausted):
        return "reason", "memory"
    except (RuntimeError, ValueError) as error:
        # These are the two ways in which dd reports that CUDD reached max_memory.
        if "run out of memory" in str(error) or "is `NULL` pointer" in str(error):
            return "reason", "memory"
        return _internal(error)
    except Exception as error:
        return _internal(error)


def _internal(error: Exception) -> tuple[str, str]:
    traceback.print_exc()
    summary = str(error).split("\n", 1)[0]
    return "reason", f"internal error: {type(error).__name__}: {summary}"


def _throttled(write_end: int) -> Progress:
    last = 0.0

    def report(line: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_PROGRESS_LINES:
            last = now
            _write(write_end, frame(("progress", line)))

    return report


def _write(descriptor: int, data: bytes) -> None:
    """Write everything, however little the pipe takes at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _die_with(parent: int) -> None:
    """Ask Linux to kill this process when its parent dies; also when it died before the request."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(70)


def _limit_memory(memory: int) -> None:
    """Bound the address space to what is mapped already plus ``memory`` MiB."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        mapped = 0
    limit = mapped + memory * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
