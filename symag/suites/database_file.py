"""The file of a database as a file: its lock, its identity, what lies beside it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
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


def connected(path: Path, writing: bool) -> sqlite3.Connection:
    """The open database, which only a writer creates. Raises sqlite3.Error."""
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if writing else 'ro'}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    if writing:
        return connection
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(path.name + "-wal")
        if os.access(path.parent, os.W_OK) or (log.exists() and log.stat().st_size):
            raise
        # SQLite cannot write its index of the log beside the file; without a log nothing is missed.
        return sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)
    return connection


def remove(path: Path) -> None:
    """Remove the files that an attempt to create the results has left."""
    for suffix in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
