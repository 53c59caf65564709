"""What keeps searches without ``--memory`` from using up the machine. Linux only.

A machine that swaps answers nobody any more, and the kernel may end a program that did nothing wrong. Therefore a race
looks now and then at what its processes hold, and ends the largest one when that is too much: its answer is
``unknown (memory)``, as with ``--memory``. The limit is not one of address space, of which libraries reserve more than
they use.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from collections.abc import Callable, Collection
from pathlib import Path

from msgspec import Struct

from symag.process import kernel, tree

#: Seconds between two looks.
INTERVAL = 0.5

#: The share of the machine's memory that the processes of a race hold together at most.
LARGEST_SHARE = 0.75

#: While less than the second share of the machine's memory is available, because of other programs too, they hold at
#: most the first.
SHARE_OF_A_FULL_MACHINE, FULL = 1 / 8, 1 / 16

_MEBIBYTE = 2**20

#: MiB of address space that libraries take when they are imported.
_TAKEN_BY = {"numpy": 88, "scipy": 32, "scipy.linalg": 120}


class MachineMemory(Struct, frozen=True):
    """Memory in MiB: ``total`` is that of the machine or of the container (None: not known), ``available`` what the
    machine can give without swapping. ``part`` of what is allowed is for the processes in question: a race in a
    process of another race ends its largest before that one ends the whole.
    """

    total: float | None
    available: Callable[[], float | None]
    part: float = 1.0

    def exceeded_by(self, processes: Collection[int]) -> bool:
        """Whether these processes and their descendants hold more than they may."""
        if self.total is None:
            return False
        family = [*processes, *(process for root in processes for process in tree.descendants(root))]
        available = self.available()
        full = available is not None and available < FULL * self.total
        most = self.part * self.total * (SHARE_OF_A_FULL_MACHINE if full else LARGEST_SHARE)
        # Pages that several processes share count once; to find that out takes milliseconds.
        return tree.resident_mib(family) > most and tree.proportional_mib(family) > most


def machine_memory(part: float = 1.0) -> MachineMemory:
    """This machine's memory, or the container's if that has less. ``part`` is that of ``MachineMemory``."""
    totals = [limit for limit in (_physical(), *_limits_of_groups()) if limit is not None]
    return MachineMemory(min(totals, default=None), _available, part)


class RoomForLibraries:
    """A finder of modules by which an import of a library raises MemoryError where the library does not fit.

    Else OpenBLAS, which they load, asks for its buffers again for ever, or ends the process.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Finds nothing, so that the other finders look for the module."""
        if name in _TAKEN_BY and _free_address_space() < _TAKEN_BY[name] * _MEBIBYTE:
            raise MemoryError(name)


def _free_address_space() -> int:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return sys.maxsize if limit == resource.RLIM_INFINITY else max(0, limit - kernel.mapped_bytes())


def free_memory() -> int:
    """Bytes that this process may allocate: up to its limit of address space, and half of what the machine has free.

    Of a container it is half of what all processes of a race may hold. ``sys.maxsize`` if nothing is known.
    """
    machine = machine_memory(LARGEST_SHARE)
    available, total = machine.available(), machine.total
    shares = (available, None if total is None else machine.part * total)
    return min(
        _free_address_space(), *(int(share / 2 * _MEBIBYTE) for share in shares if share is not None), sys.maxsize
    )


def _physical() -> float | None:
    names = ("SC_PAGE_SIZE", "SC_PHYS_PAGES")
    if any(name not in os.sysconf_names for name in names):
        return None
    page, pages = map(os.sysconf, names)
    return page * pages / _MEBIBYTE if pages > 0 else None


def _available() -> float | None:
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) / 1024
    return None


def _limits_of_groups(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> list[float]:
    """The limits of the control groups of this process and of those around them; of version 1, the innermost only."""
    limits = []
    try:
        groups = [line.split(":", 2) for line in own.read_text().splitlines()]
    except OSError:
        return []
    for _, controllers, path in groups:
        if controllers == "":
            group = root / path.lstrip("/")
            folders = [group, *group.parents]
            files = [folder / "memory.max" for folder in folders if folder.is_relative_to(root)]
        elif "memory" in controllers.split(","):
            files = [root / "memory" / path.lstrip("/") / "memory.limit_in_bytes"]
        else:
            continue
        for file in files:
            # "max" is no limit; a group outside of the container's view has no file.
            with contextlib.suppress(OSError, ValueError):
                limits.append(int(file.read_text()) / _MEBIBYTE)
    return limits
