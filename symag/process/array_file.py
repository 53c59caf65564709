"""Arrays that grow in temporary files, for sets that do not fit into memory."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from symag.core.limits import DiskExhausted

Words = NDArray[np.uint64]

#: What is left free on the disk: other programs need some.
RESERVE = 256 * 2**20
_WORD = 8
_MOST_AT_ONCE = 1 << 30


class ArrayFile:
    """Rows of ``width`` words of 64 bits, appended and read by their numbers.

    The file is in the folder for temporary files (TMPDIR) and has no name: the system removes it when the last process
    that has it open ends, however it ends. Processes made by fork may read the rows that were there before.
    All methods raise DiskExhausted: there is no such folder, or less than ``RESERVE`` bytes are free in it.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._rows = 0
        # For start-up: most sets fit into memory.
        from tempfile import TemporaryFile

        try:
            self._file = TemporaryFile(prefix="symag-", buffering=0)  # noqa: SIM115 - open while self is used
        except OSError as error:
            raise DiskExhausted(f"no temporary file can be made: {error.strerror or error}") from error

    def __len__(self) -> int:
        return self._rows

    def append(self, rows: Words) -> None:
        """Add rows at the end."""
        if not len(rows):
            return
        data = np.ascontiguousarray(rows).data.cast("B")
        position = self._rows * self.width * _WORD
        try:
            disk = os.fstatvfs(self._file.fileno())
            if disk.f_bavail * disk.f_frsize < len(data) + RESERVE:
                raise DiskExhausted(f"less than {RESERVE >> 20} MiB would be left in {_folder()}")
            while data:
                written = os.pwrite(self._file.fileno(), data[:_MOST_AT_ONCE], position)
                data, position = data[written:], position + written
        except OSError as error:
            raise DiskExhausted(f"{_folder()}: {error.strerror or error}") from error
        self._rows += len(rows)

    def read(self, begin: int, end: int) -> Words:
        """The rows from number ``begin`` to before ``end``."""
        rows = np.empty((end - begin, self.width), dtype=np.uint64)
        if not len(rows):
            return rows
        data, position = rows.data.cast("B"), begin * self.width * _WORD
        try:
            while data:
                size = os.preadv(self._file.fileno(), [data[:_MOST_AT_ONCE]], position)
                if not size:
                    raise DiskExhausted("a temporary file has lost its end")
                data, position = data[size:], position + size
        except OSError as error:
            raise DiskExhausted(f"{_folder()}: {error.strerror or error}") from error
        return rows


def _folder() -> str:
    # Where the file is already.
    from tempfile import gettempdir

    return gettempdir()
