"""Computations in a child process, with limits that hold whatever they do.

Why ``fork``: the model is a large value with deep expressions. A forked child has it at once; ``spawn``
would start an interpreter, import everything again and pickle the model (0.3 s and more).
The parent has no threads and no BDDs of the child's, and the child leaves by ``os._exit``, so nothing
inherited is ever torn down. A long CUDD operation holds the GIL and delays signals; therefore the
parent measures the time and kills with SIGKILL. Answers are frames (see ``frames``) on a pipe.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Mapping
from typing import IO, Any

from msgspec import Struct, field

from symag.core.limits import ProgressFigures
from symag.core.results import Reason, kind_of
from symag.process import kernel
from symag.process.frames import FrameReader, frame
from symag.process.serving import ChildMessage, Service, peak_mebibytes, serve, write_all


class ChildOutcome(Struct, frozen=True):
    """How a child ended: with a value, with an error for the user, or with a reason why there is neither.

    ``reason`` is ``timeout``, ``memory``, ``disk: ...``, ``interrupted``, ``unsupported: ...``, ``crashed: ...`` or
    ``internal error: ...``; ``messages`` is what the child wrote to its standard error (a traceback,
    a message of CUDD). ``memory`` is the peak resident set in MiB. ``figures`` are the last figures in
    its lines of progress; ``last_progress`` is the last line.
    """

    value: Any = None
    error: Exception | None = None
    reason: str | None = None
    messages: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: float = 0.0
    figures: Mapping[str, int | float] = field(default_factory=dict)
    last_progress: str = ""


class Child:
    """A running child process that answers requests one after the other; the constructor starts it.

    ``memory`` bounds, in MiB, what the service may allocate beyond what the parent already holds; the child is
    ``limited`` then. The
    owner calls ``ask()``, selects on ``fileno()``, and calls ``receive()`` whenever it is readable, until
    ``ended``; then ``outcome()`` is the answer. ``finish()`` kills and reaps the process at any moment.
    """

    def __init__(self, service: Service, memory: int | None = None) -> None:
        self.ended = False
        self.closed = False
        self._is_paused = False
        self.limited = memory is not None
        self.progress: list[str] = []
        self._figures: dict[str, int | float] = {}
        self._last_progress = ""
        self._started = time.monotonic()
        self._reader = FrameReader()
        self._answer: ChildMessage | None = None
        self._cpu_before = 0.0
        self._cpu_at_request = 0.0
        #: What this request has cost before it was last set aside.
        self._cpu_aside = 0.0
        #: Whether there is a request whose answer the owner has not taken.
        self.is_at_work = False
        self._messages = _unnamed_file()
        self._descriptor, write_end = os.pipe()
        request_end, self._requests = os.pipe()
        parent = os.getpid()
        # No signal may arrive before the parent has the child's number to kill it by.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            self.pid = os.fork()
            if self.pid == 0:
                os.close(self._requests)
                serve(service, memory, parent, request_end, write_end, self._messages.fileno(), masked)
        finally:
            os.close(write_end)
            os.close(request_end)
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)

    def ask(self, request: Any) -> None:
        """Send a request, which the child reads while it is written. The previous one must have been answered."""
        self.ended = False
        self.is_at_work = True
        self._answer = None
        self._cpu_aside = 0.0
        self._figures = {}
        self._last_progress = ""
        self._started = time.monotonic()
        self._cpu_at_request = kernel.cpu_seconds(self.pid) or 0.0
        # A child that has died is noticed when its answer is read.
        with contextlib.suppress(BrokenPipeError):
            write_all(self._requests, frame(("request", request)))

    def fileno(self) -> int:
        """The pipe's read end, for a selector."""
        return self._descriptor

    def receive(self) -> None:
        """Read from the pipe; to be called when it is readable."""
        data = os.read(self._descriptor, 1 << 20)
        if not data:
            self.ended = True
        for kind, payload in self._reader.feed(data):
            if kind == "progress":
                self.progress.append(payload)
                if isinstance(payload, ProgressFigures):
                    self._figures.update(payload.figures)
                self._last_progress = str(payload)
            else:
                self._answer = payload
                self.ended = True

    def outcome(self) -> ChildOutcome:
        """The answer to the last request. A child that died or failed is finished."""
        if self._answer is None or kind_of(self._answer.reason) not in (None, Reason.UNSUPPORTED):
            return self.finish()
        self.is_at_work = False
        used = max(0.0, self._answer.cpu_seconds - self._cpu_aside)
        self._cpu_before += used
        return self._outcome(self._answer, used, self._answer.memory, "")

    def set_aside(self, reason: str) -> ChildOutcome:
        """Pause a process that is at work; the outcome has the ``reason``, and the cost since it was last set aside.

        It keeps its request: after ``proceed`` its answer comes as if nothing had happened.
        """
        self.pause()
        used = self.cpu_seconds() or 0.0
        outcome = self._outcome(ChildMessage(reason=reason), used, 0.0, "")
        self._cpu_aside += used
        self._cpu_before += used
        self._cpu_at_request += used
        self._started = time.monotonic()
        return outcome

    def cpu_seconds(self) -> float | None:
        """The CPU time since the last request, or since it was set aside; None if the system does not report it."""
        used = kernel.cpu_seconds(self.pid)
        return None if used is None else used - self._cpu_at_request

    def is_runnable(self) -> bool:
        """Whether the process runs or waits only for a processor; False if the system does not report it."""
        return kernel.is_runnable(self.pid)

    def pause(self) -> None:
        """Stop the process until ``proceed``; its answer may be there already."""
        if not self._is_paused:
            self._is_paused = True
            os.kill(self.pid, signal.SIGSTOP)

    def proceed(self) -> None:
        """Let a paused process go on."""
        if self._is_paused:
            self._is_paused = False
            os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End the process now; to be followed by ``finish``."""
        os.kill(self.pid, signal.SIGKILL)

    def finish(self, reason: str | None = None) -> ChildOutcome:
        """Kill and reap the process. ``reason`` says why it was killed before it had ``ended``."""
        self.kill()  # no effect on a process that is already dying
        _, status, usage = os.wait4(self.pid, 0)
        self.closed = True
        os.close(self._descriptor)
        os.close(self._requests)
        with self._messages as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 10_000))
            messages = file.read().decode("utf-8", "replace")
        answer = self._answer
        if answer is None:
            answer = ChildMessage(reason=reason or reason_of_death(os.waitstatus_to_exitcode(status), messages))
        return self._outcome(
            answer, usage.ru_utime + usage.ru_stime - self._cpu_before, peak_mebibytes(usage), messages
        )

    def _outcome(self, answer: ChildMessage, cpu_seconds: float, memory: float, messages: str) -> ChildOutcome:
        seconds = time.monotonic() - self._started
        progress = dict(self._figures), self._last_progress
        return ChildOutcome(
            answer.value, answer.error, answer.reason, messages, seconds, cpu_seconds, memory, *progress
        )


def _unnamed_file() -> IO[bytes]:
    """A file that the process and its child share; in memory where the system has such files."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("messages"), "w+b")
    # For start-up: with what it imports it takes 2 ms.
    from tempfile import TemporaryFile

    return TemporaryFile()


#: Messages of libraries that die because they have no memory: CUDD, OxiDD, C++, Rust (also where the system refuses a
#: mapping or the stack of a thread), Python.
_OUT_OF_MEMORY = (
    *("out of memory", "Out of memory", "bad_alloc", "memory allocation of", "MemoryError"),
    *("OutOfMemory", "Cannot allocate memory", "failed to spawn thread"),
)


def reason_of_death(exit_code: int, messages: str) -> str:
    """The reason for an unknown verdict when a child dies without an answer (exit code as in subprocess).

    CUDD ends the process with status 1 when it cannot allocate; libraries in C++ and Rust abort.
    """
    if exit_code == 1 or any(sign in messages for sign in _OUT_OF_MEMORY):
        return Reason.MEMORY.text()
    if exit_code == -signal.SIGINT:
        return Reason.INTERRUPTED.text()
    if exit_code == -signal.SIGXCPU:
        # symag itself sets no limit of CPU time: one of the shell (ulimit -t) or of a harness is reached.
        return Reason.TIMEOUT.text()
    if exit_code < 0:
        return Reason.CRASHED.text(f"signal {-exit_code} ({signal.Signals(-exit_code).name})")
    return Reason.CRASHED.text(f"exit status {exit_code}")
