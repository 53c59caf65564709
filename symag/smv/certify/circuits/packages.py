"""The packages that make certify's decision diagrams; a re-check uses one of them."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from symag.core.errors import UsageError

#: ``dd``: CUDD if it is installed, else dd's pure Python. ``auto``: CUDD, else OxiDD, else dd's pure Python.
Package = Literal["auto", "dd", "oxidd"]

#: The memory that CUDD expects, in bytes, and the entries of its operation cache at first: dd's 1 GiB and 262,144 cost
#: 7 to 18 ms for each manager, these about 1 ms. The cache grows with its use; the nodes up to which tables grow fast
#: are dd's.
_EXPECTED, _CACHE, _FAST_GROWTH = 1 << 26, 1 << 15, 6_710_886


class Manager(Struct, frozen=True):
    """An empty manager with the methods of dd's managers, without reordering.

    ``product`` conjoins two formulas and quantifies the variables with the given names away existentially.
    ``simplified`` gives a formula that is the first one where the second one is true, if possible a smaller one.
    ``limited`` bounds the memory that the manager takes from now on, in bytes (None: not at all): an operation that
    needs more raises RuntimeError or ValueError. Only CUDD has such a bound.
    """

    diagrams: Any
    product: Callable[[Any, Any, set[str]], Any]
    simplified: Callable[[Any, Any], Any] = lambda formula, _: formula
    limited: Callable[[int | None], object] = lambda _: None


def check_package(package: Package) -> None:
    """Raises UsageError for a package that is not installed."""
    if package == "oxidd" and not _has_oxidd():
        raise UsageError("--certify-bdd oxidd: the package oxidd is not installed (pip install oxidd)")


# Only the package that is used is imported: the import takes much of the time of a small re-check, or fails.
def new_manager(package: Package) -> Manager:
    """A manager of the package. Raises ImportError for OxiDD if it is not installed."""
    if package != "oxidd":
        try:
            from dd import cudd  # wheels with CUDD exist for Linux on x86-64 only
        except ImportError:
            pass
        else:
            manager = cudd.BDD(memory_estimate=_EXPECTED, initial_cache_size=_CACHE)
            manager.configure(reordering=False, loose_up_to=_FAST_GROWTH)
            return Manager(manager, cudd.and_exists, cudd.restrict, partial(_limit, manager, manager.configure()))
    if package == "oxidd" or (package == "auto" and _has_oxidd()):
        from symag.smv.certify.circuits.oxidd_manager import OxiddManager

        oxidd = OxiddManager()
        return Manager(oxidd, oxidd.and_exists)
    from dd.autoref import BDD

    plain = BDD()
    plain.configure(reordering=False)
    return Manager(plain, lambda left, right, names: plain.exist(names, left & right))


def _limit(manager: Any, unlimited: dict[str, Any], memory: int | None) -> None:
    if memory is None:
        manager.configure(max_memory=unlimited["max_memory"])
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that "mem" is in bytes since dd 0.5.7
        used = int(manager.statistics()["mem"])
    manager.configure(max_memory=used + memory)


def _has_oxidd() -> bool:
    return importlib.util.find_spec("oxidd") is not None
