"""The choice of the package of decision diagrams for a context."""

from __future__ import annotations

import importlib.util
from typing import Literal

from symag.bdd.context import BddContext
from symag.core.errors import UnsupportedError

#: ``dd``: CUDD if dd has it, else pure Python. ``auto``: :func:`faster_engine`.
Engine = Literal["auto", "dd", "oxidd"]


def new_context(engine: Engine = "auto", memory: int | None = None) -> BddContext:
    """An empty context; ``memory`` in MiB bounds its tables.

    Raises UnsupportedError for ``oxidd`` if it is not installed, MemoryExhausted if the tables do not fit.
    """
    if engine == "auto":
        engine = faster_engine()
    if engine == "oxidd":
        if not oxidd_is_there():
            raise UnsupportedError("--bdd oxidd: the package oxidd is not installed (pip install oxidd)")
        # Of the packages only the one that is used is imported, and one may be missing.
        from symag.bdd.oxidd_context import OxiddContext

        return OxiddContext(memory)
    # Of the packages only the one that is used is imported, and one may be missing.
    from symag.bdd.dd_context import DdContext

    return DdContext(memory)


def import_engine(engine: Engine) -> None:
    """Import the package of an engine, for processes that are forked later. Raises ImportError if it is missing."""
    if engine == "auto":
        engine = faster_engine()
    # Of the packages only the one that is used is imported, and one may be missing.
    if engine == "oxidd":
        import symag.bdd.oxidd_context  # noqa: F401
    else:
        from symag.bdd.dd_context import cudd_is_there  # likewise

        cudd_is_there()


def faster_engine() -> Engine:
    """The engine that is likely faster: dd if it has CUDD, else OxiDD if it is installed, else dd.

    OxiDD takes half of CUDD's time for the same images under the same order, but some whole checks are slower with it
    (``guidance_sp3`` of the paper's suite: 4.9 s of CPU with CUDD, undecided in 5 s with OxiDD).
    """
    from symag.bdd.dd_context import cudd_is_there  # the import of dd is a large part of the time of a small check

    return "dd" if cudd_is_there() or not oxidd_is_there() else "oxidd"


def oxidd_is_there() -> bool:
    """Whether the package oxidd is installed."""
    return importlib.util.find_spec("oxidd") is not None
