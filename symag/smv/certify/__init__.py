"""Separate code that re-checks every verdict: it replays traces, proves the premises of certificates, reads files."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symag.smv.certify.acceptance import accept, check_certificate
    from symag.smv.certify.kinds import read_certificate, read_trace, write_certificate, write_trace

__all__ = ["accept", "check_certificate", "read_certificate", "read_trace", "write_certificate", "write_trace"]

#: The module that defines each name. It is imported when the name is first used: code that needs only the interpreter
#: does not wait for a SAT solver.
_MODULES = {
    "accept": "acceptance",
    "check_certificate": "acceptance",
    "read_certificate": "kinds",
    "read_trace": "kinds",
    "write_certificate": "kinds",
    "write_trace": "kinds",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
