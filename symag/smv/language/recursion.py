"""Settings of Python for reading large models: deep recursion, and no search for cyclic garbage."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from symag.core.errors import InputError

_LIMIT = 1_000_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raises Python's recursion limit within the block; a RecursionError there becomes an InputError.

    Python functions that call Python functions use no C stack (CPython 3.11 and later), so the limit bounds only
    memory, by about half a kilobyte for each level.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _LIMIT))
    try:
        yield
    except RecursionError:
        raise InputError("an expression is nested too deeply") from None
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses Python's collector of cyclic garbage: reading makes many objects and no cycles.

    The collector would walk all of them again and again, which more than doubles the time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
