"""Silences the C libraries of partitioners: METIS prints warnings if a graph has few vertices for its parts."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def libraries_silent() -> Iterator[None]:
    """Discard all that C libraries write to standard output meanwhile."""
    library = ctypes.CDLL(None)
    library.fflush(None)
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        library.fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
