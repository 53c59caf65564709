"""Commands that run a module of symag in a Python of its own."""

from __future__ import annotations

import sys
from pathlib import Path

#: The script that starts the module.
_ENTRY = str(Path(__file__).with_name("entry.py"))


def python_command(module: str, *arguments: str) -> list[str]:
    """The command ``python -m MODULE ARGUMENT...`` of this interpreter, which imports nothing of the current folder."""
    return [sys.executable, "-P", _ENTRY, module, *arguments]
