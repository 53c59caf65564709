"""The sizes of the tables of an OxiDD manager. They are reserved at once, and filled as needed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
from typing import Any

from msgspec import Struct

from symag.core.limits import MemoryExhausted
from symag.process.kernel import mapped_bytes

_MEBIBYTE = 1 << 20
#: Bytes of a node, with its share of the unique tables while one of them doubles.
_BYTES_PER_NODE = 64
#: Bytes of an entry of the operation cache.
_BYTES_PER_ENTRY = 20
#: The most entries of the operation cache. All of them are touched when the manager is made.
_CACHE = 1 << 20
#: The most nodes that an index can number.
_MOST_NODES = (1 << 31) - 1
#: The most and the least of a worker's stack in MiB; operations recur once a level.
_STACK, _LEAST_STACK = 256, 8
#: With fewer MiB a worker's thread may not start, and OxiDD waits for it for ever.
_LEAST = 48
#: The parameter of glibc's mallopt for the number of arenas: one for each thread reserves 64 MiB of addresses.
_ARENA_MAX = -8
#: The environment variable for the size of OxiDD's stacks.
_STACK_VARIABLE = "OXIDD_STACK_SIZE"


class TableSizes(Struct, frozen=True):
    """``nodes``, entries of the operation ``cache``, and the worker's ``stack`` in MiB."""

    nodes: int
    cache: int
    stack: int

    @classmethod
    def within(cls, memory: int | None) -> TableSizes:
        """The sizes for this many MiB, at most the machine's memory; None: half of it, within this process's limit.

        Raises MemoryExhausted if that is too little for a manager.
        """
        available = min(_physical() // 2, _mappable()) if memory is None else min(memory * _MEBIBYTE, _physical())
        if available < _LEAST * _MEBIBYTE:
            raise MemoryExhausted(f"OxiDD takes at least {_LEAST} MiB")
        stack = min(_STACK, max(_LEAST_STACK, available // _MEBIBYTE // 8))
        cache = min(_CACHE, 1 << (available // 8 // _BYTES_PER_ENTRY).bit_length() - 1)
        nodes = (available - stack * _MEBIBYTE - cache * _BYTES_PER_ENTRY) // _BYTES_PER_NODE
        return cls(min(nodes, _MOST_NODES), cache, stack)

    def manager(self, make: Any) -> Any:
        """A manager of the class ``make`` with one worker. Raises MemoryExhausted if the tables do not fit."""
        with contextlib.suppress(OSError, AttributeError):  # other C libraries have no arenas
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)
        before = os.environ.get(_STACK_VARIABLE)
        os.environ[_STACK_VARIABLE] = str(self.stack * _MEBIBYTE)
        try:
            return make(self.nodes, self.cache, 1)
        except MemoryError as error:
            raise MemoryExhausted("out of memory") from error
        except BaseException as error:
            # Rust panics when the worker's stack cannot be mapped.
            if type(error).__name__ == "PanicException":
                raise MemoryExhausted("out of memory") from error
            raise
        finally:
            if before is None:
                del os.environ[_STACK_VARIABLE]
            else:
                os.environ[_STACK_VARIABLE] = before


def _physical() -> int:
    """The machine's memory in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _mappable() -> int:
    """The bytes that this process may still map under its limit of address space."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return _physical()
    return max(0, limit - mapped_bytes())
