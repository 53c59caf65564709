"""Runs symag in a process of its own."""

from __future__ import annotations

import subprocess
import sys


def symag(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command line with these arguments."""
    command = [sys.executable, "-m", "symag", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
