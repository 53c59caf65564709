"""The descendants of a process, and the time and memory that they use together. Linux only.

``/proc/PID/task/TID/children`` lists the children of a thread.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection
from pathlib import Path

from symag.process import kernel


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
    return sum(kernel.cpu_seconds(process, with_reaped=True) or 0.0 for process in processes)


def resident_mib(processes: Collection[int]) -> float:
    """The sum of their resident sets in MiB; pages that several share count several times."""
    return sum(map(kernel.resident_bytes, processes)) / 2**20


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
    """End all descendants of this process and wait for them, until there are none."""
    while processes := children(process):
        kill_trees(processes)


def kill_trees(roots: Collection[int]) -> None:
    """End these children of this process, a subreaper, with their descendants, and wait for the children.

    Orphans of a dying process become children of this process.
    """
    for root in roots:
        for process in [root, *descendants(root)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    for root in roots:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(root, 0)
