"""The descendants of a process, and what they use together. Linux only.

``/proc/PID/task/TID/children`` names the children of a thread at once, where a process library would read the
status of every process of the machine several times a second.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Collection
from pathlib import Path

#: Looked up once: every job's supervisor calls it.
_prctl = ctypes.CDLL(None).prctl
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
#: Fields of /proc/PID/stat behind the process's name: user and system time, the same of its reaped children.
_TIMES = slice(11, 15)
_RESIDENT = 21


def be_subreaper(on: bool) -> bool:
    """Set whether orphaned descendants become children of this process; returns the setting before."""
    before = ctypes.c_int()
    _prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(before))
    _prctl(_PR_SET_CHILD_SUBREAPER, int(on))
    return bool(before.value)


def signal_when_parent_dies(parent: int, number: signal.Signals) -> bool:
    """Ask for a signal at the death of the parent; False if ``parent`` is not the parent any more."""
    _prctl(_PR_SET_PDEATHSIG, number)
    return os.getppid() == parent


def children(process: int) -> list[int]:
    """The children of all threads of a process; empty if it is gone."""
    processes: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{process}/task/{thread}/children", "rb") as listing:
                processes.extend(map(int, listing.read().split()))
    return processes


def descendants(process: int) -> list[int]:
    """All descendants, zombies included, parents before children."""
    processes = children(process)
    for parent in processes:
        processes.extend(children(parent))
    return processes


def cpu_seconds(processes: Collection[int]) -> float:
    """User and system time of these processes and of the children that they have waited for."""
    ticks = 0
    for process in processes:
        fields = _status(process)
        ticks += sum(map(int, fields[_TIMES])) if fields else 0
    return ticks / _TICKS


def resident_mib(processes: Collection[int]) -> float:
    """The sum of their resident sets in MiB; pages that several share count several times."""
    pages = sum(int(fields[_RESIDENT]) for process in processes if (fields := _status(process)))
    return pages * _PAGE / 2**20


def proportional_mib(processes: Collection[int]) -> float:
    """The memory that they hold together in MiB: shared pages count once. Costs milliseconds for a GiB."""
    kibibytes = 0
    for process in processes:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    kibibytes += int(line.split()[1])
    return kibibytes / 1024


def kill_descendants(process: int) -> None:
    """End all descendants of this process and wait for them; more are looked for until there are none."""
    while processes := children(process):
        kill_trees(processes)


def kill_trees(roots: Collection[int]) -> None:
    """End these children of this process, a subreaper, with all that descends from them, and wait for them.

    What a dying process leaves behind becomes a child of this process.
    """
    for root in roots:
        for process in [root, *descendants(root)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    for root in roots:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(root, 0)


def _status(process: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name, which may hold anything; empty if the process is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
