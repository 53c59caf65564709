"""Deep recursion over deep expressions, without a RecursionError that reaches the user."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from symag.smv.flat import SourceText


@contextmanager
def deep_recursion(source: SourceText) -> Iterator[None]:
    """Raises Python's recursion limit for a while; an expression too deep even then is an InputError.

    Python functions that call Python functions use no C stack (CPython 3.11 and later), so the limit
    bounds memory only: about half a kilobyte for a level.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1_000_000))
    try:
        yield
    except RecursionError:
        raise source.error("expression nested too deeply", 0) from None
    finally:
        sys.setrecursionlimit(before)
