"""What a result may depend on besides its job: the machine and the versions of the programs on it."""

from __future__ import annotations

import contextlib
import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from symag.core.version import VERSION

#: Libraries whose versions may change a result.
_LIBRARIES = ("dd", "oxidd", "pymetis", "python-sat", "numpy", "scipy", "pyparsing")


def machine() -> dict[str, Any]:
    """This machine: processor, cores, memory in MiB, system, and the versions of Python, symag and libraries."""
    processor = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    versions = {}
    for name in _LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return {
        "host": platform.node(),
        "processor": processor,
        "cores": os.cpu_count(),
        "memory_mib": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        "system": platform.platform(),
        "python": platform.python_version(),
        "symag": VERSION,
        "libraries": versions,
    }
