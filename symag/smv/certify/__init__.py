"""Separate code that re-checks every verdict: replay of traces, premises of certificates, and their files."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symag.smv.certify.acceptance import accept, check_certificate
    from symag.smv.certify.files import read_certificate, read_trace, write_certificate, write_trace

__all__ = [
    "accept",
    "check_certificate",
    "read_certificate",
    "read_trace",
    "write_certificate",
    "write_trace",
]

#: Where each name is defined. It is imported when it is asked for: a module that needs only the interpreter does
#: not wait for a SAT solver.
_PLACES = {
    "accept": "acceptance",
    "check_certificate": "acceptance",
    "read_certificate": "files",
    "read_trace": "files",
    "write_certificate": "files",
    "write_trace": "files",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
