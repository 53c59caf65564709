"""Commands that run a module of symag in a Python of its own."""

from __future__ import annotations

import sys
from pathlib import Path

#: The script that a process begins with.
_ENTRY = str(Path(__file__).with_name("entry.py"))


def python_command(module: str, *arguments: str) -> list[str]:
    """The command for ``python -m MODULE ARGUMENT...`` by this interpreter, with nothing of the current folder."""
    return [sys.executable, "-P", _ENTRY, module, *arguments]
