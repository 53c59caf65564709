"""Settings of Python for reading large models: deep recursion, and no search for cyclic garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from symag.core.errors import InputError
from symag.core.limits import unlimited_recursion


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Unlimited recursion within the block; a RecursionError there becomes an InputError."""
    with unlimited_recursion():
        try:
            yield
        except RecursionError:
            raise InputError("an expression is nested too deeply") from None


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
