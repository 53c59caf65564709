"""The life of a child process: it answers requests, under a limit of memory, until its parent is gone."""

from __future__ import annotations

import errno
import faulthandler
import gc
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

from msgspec import Struct

from symag.core.errors import CertificationError, InputError, UnsupportedError, UsageError
from symag.core.limits import DiskExhausted, MemoryExhausted, Progress, ProgressFigures
from symag.core.results import Reason
from symag.core.values import replace
from symag.process import kernel
from symag.process.frames import FrameReader, frame
from symag.process.memory import RoomForLibraries

#: A function that answers a request in a child: it may report progress, and returns a value that can be pickled.
Service = Callable[[Any, Progress], Any]
_SECONDS_BETWEEN_PROGRESS_LINES = 0.1


def serve(
    service: Service,
    memory: int | None,
    parent: int,
    request_end: int,
    write_end: int,
    messages: int,
    mask: set[signal.Signals | int],
) -> NoReturn:
    """The child's whole life."""
    status = 70
    try:
        if not kernel.signal_when_parent_dies(parent, signal.SIGKILL):
            os._exit(status)
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
        reader = FrameReader()
        while data := os.read(request_end, 1 << 16):
            for _, request in reader.feed(data):
                write_all(write_end, frame(("answer", _answer(service, request, _throttled(write_end)))))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


class ChildMessage(Struct, frozen=True):
    """What a child sends back: exactly one of value, error and reason (as in ChildOutcome), and what it cost."""

    value: Any = None
    error: Exception | None = None
    reason: str | None = None
    cpu_seconds: float = 0.0
    memory: float = 0.0


def _answer(service: Service, request: Any, progress: Progress) -> ChildMessage:
    before = time.process_time()
    kind, payload = _judged(service, request, progress)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return replace(
        ChildMessage(**{kind: payload}), cpu_seconds=time.process_time() - before, memory=peak_mebibytes(usage)
    )


def _judged(service: Service, request: Any, progress: Progress) -> tuple[str, Any]:
    try:
        return "value", service(request, progress)
    except (InputError, UsageError, CertificationError) as error:
        return "error", error
    except UnsupportedError as error:
        return "reason", Reason.UNSUPPORTED.text(str(error))
    except DiskExhausted as error:
        return "reason", Reason.DISK.text(str(error))
    except Exception as error:
        return ("reason", Reason.MEMORY.text()) if _out_of_memory(error) else _internal(error)


def _out_of_memory(error: Exception) -> bool:
    match error:
        case MemoryError() | MemoryExhausted():
            return True
        case RuntimeError() | ValueError():
            # These are the two ways in which dd reports that CUDD reached max_memory.
            return "run out of memory" in str(error) or "is `NULL` pointer" in str(error)
        case ImportError():
            # A library that does not fit into the memory that is left.
            return "failed to map segment" in str(error) or "annot allocate memory" in str(error)
        case SystemError():
            # The interpreter raises this when it has no memory left for the exception itself.
            return "without exception set" in str(error) or "without setting an exception" in str(error)
        case OSError():
            return error.errno == errno.ENOMEM
    return False


def peak_mebibytes(usage: resource.struct_rusage) -> float:
    """The peak resident set."""
    return usage.ru_maxrss / 1024 if sys.platform != "darwin" else usage.ru_maxrss / 2**20


def _internal(error: Exception) -> tuple[str, str]:
    traceback.print_exc()
    summary = str(error).split("\n", 1)[0]
    return "reason", Reason.INTERNAL_ERROR.text(f"{type(error).__name__}: {summary}")


def _throttled(write_end: int) -> Progress:
    """Progress that sends at most one line in 0.1 s, with the figures of the lines that it drops."""
    last = 0.0
    figures: dict[str, int | float] = {}

    def report(line: str) -> None:
        nonlocal last
        if isinstance(line, ProgressFigures):
            figures.update(line.figures)
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_PROGRESS_LINES:
            last = now
            write_all(write_end, frame(("progress", ProgressFigures(line, figures) if figures else line)))
            figures.clear()

    return report


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything, however little the pipe takes at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _limit_memory(memory: int) -> None:
    """Bound the address space to its present size plus ``memory`` MiB."""
    # The kernel's numbers end there.
    limit = min(kernel.mapped_bytes() + memory * 2**20, sys.maxsize)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    # A thread of OpenBLAS takes 40 MiB; see ``symag/__main__.py``.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.meta_path.insert(0, RoomForLibraries())
