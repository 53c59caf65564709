"""Which package of decision diagrams a context uses."""

from __future__ import annotations

import importlib.util
from typing import Literal

from symag.bdd.context import BddContext
from symag.core.errors import UnsupportedError

#: ``dd``: CUDD where dd has it, else pure Python. ``auto``: :func:`faster_engine`.
Engine = Literal["auto", "dd", "oxidd"]

ENGINES: tuple[Engine, ...] = ("auto", "dd", "oxidd")


def new_context(engine: Engine = "auto", memory: int | None = None) -> BddContext:
    """An empty context; ``memory`` in MiB bounds its tables.

    Raises UnsupportedError for ``oxidd`` where it is not installed, MemoryExhausted where the tables do not fit.
    """
    if engine == "auto":
        engine = faster_engine()
    # Imported when needed: each package takes a good part of the time of a small check.
    if engine == "oxidd":
        if not oxidd_is_there():
            raise UnsupportedError("--bdd oxidd: the package oxidd is not installed (pip install oxidd)")
        # Of the packages only the one that is used is imported, and one may be missing.
        from symag.bdd.oxidd_context import OxiddContext

        return OxiddContext(memory)
    # Of the packages only the one that is used is imported, and one may be missing.
    from symag.bdd.dd_context import DdContext

    return DdContext(memory)


def faster_engine() -> Engine:
    """The engine that is likely the faster one: dd where it has CUDD, else OxiDD where it is installed.

    OxiDD takes half of CUDD's time for the same images under the same order, but some whole checks are slower with it
    (``guidance_sp3`` of the paper's suite: 4.9 s of CPU with CUDD, undecided in 5 s with OxiDD).
    """
    from symag.bdd.dd_context import cudd_is_there  # dd takes a good part of the time of a small check

    return "dd" if cudd_is_there() or not oxidd_is_there() else "oxidd"


def oxidd_is_there() -> bool:
    """Whether the package is installed."""
    return importlib.util.find_spec("oxidd") is not None
