"""Temporary folders that are removed when their process ends, however it ends."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """A folder that is removed at the end, also if SIGKILL ends this process, as a race ends the slower methods."""
    folder = tempfile.mkdtemp(prefix=prefix)
    read_end, write_end = os.pipe()
    remover = os.fork()
    if remover == 0:
        try:
            os.setsid()
            os.close(write_end)
            os.read(read_end, 1)  # ends when no process has the other end open
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os._exit(0)
    os.close(read_end)
    try:
        yield Path(folder)
    finally:
        os.close(write_end)
        os.waitpid(remover, 0)
