"""The file of a database as a file: its lock, its identity, what lies beside it."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from symag.core.errors import UsageError


def identity(path: Path) -> tuple[int, int] | None:
    """What is the same as long as a path names the same file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def locked(path: Path) -> IO[bytes]:
    """The lock file, locked; the processes of jobs do not inherit POSIX locks."""
    if path.is_dir():
        raise UsageError(f"{path}: this is a folder, expected a file of results")
    try:
        # Not a "with": the lock is held as long as the results are open.
        lock = open(path.with_name(path.name + ".lock"), "ab")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"{path}: cannot write there: {error.strerror}") from error
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise UsageError(f"{path}: another batch is writing to it") from error
    return lock


def remove(path: Path) -> None:
    """Remove the files that an attempt to create the results has left."""
    for suffix in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
