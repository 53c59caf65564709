"""The kernel's services and figures for single processes. On systems other than Linux they do nothing.

``/proc`` is read directly: to list the children of one process, a process library would read the status of every
process of the machine several times a second.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
#: Fields of /proc/PID/stat after the process's name.
_STATE = 0
_TIMES = slice(11, 13)
_TIMES_OF_REAPED = slice(13, 15)
_RESIDENT = 21

#: Looked up once, because the supervisor of every job calls it.
_prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None


def be_subreaper(on: bool) -> bool:
    """Set whether orphaned descendants become children of this process; returns the setting before."""
    before = ctypes.c_int()
    if _prctl is not None:
        _prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(before))
        _prctl(_PR_SET_CHILD_SUBREAPER, int(on))
    return bool(before.value)


def signal_when_parent_dies(parent: int, number: signal.Signals) -> bool:
    """Ask for a signal at the death of the parent; False if ``parent`` is not the parent any more."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, number)
    return os.getppid() == parent


def cpu_seconds(process: int, with_reaped: bool = False) -> float | None:
    """User and system seconds of a process so far, ``with_reaped`` also of the children that it has waited for.

    None if the process is gone.
    """
    fields = _status(process)
    if not fields:
        return None
    times = fields[_TIMES] + (fields[_TIMES_OF_REAPED] if with_reaped else [])
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def resident_bytes(process: int) -> int:
    """The resident set of a process in bytes; 0 if it is gone."""
    fields = _status(process)
    return int(fields[_RESIDENT]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def mapped_bytes() -> int:
    """The size of this process's address space in bytes; 0 if the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def is_runnable(process: int) -> bool:
    """Whether a process runs or waits only for a processor."""
    return _status(process)[_STATE : _STATE + 1] == [b"R"]


def _status(process: int) -> list[bytes]:
    """The fields of /proc/PID/stat after the name, which may contain anything; empty if the process is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []
