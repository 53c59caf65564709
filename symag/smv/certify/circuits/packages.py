"""The packages that make certify's decision diagrams, of which a re-check uses one."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from symag.core.errors import UsageError

#: ``dd``: CUDD where dd has it, else pure Python. ``auto``: CUDD where it is, else OxiDD, else pure Python.
Package = Literal["auto", "dd", "oxidd"]


@dataclass(frozen=True, slots=True)
class Manager:
    """An empty manager with the names of dd's, without reordering.

    ``product`` conjoins two formulas and quantifies the variables with the given names away existentially.
    """

    diagrams: Any
    product: Callable[[Any, Any, set[str]], Any]


def check_package(package: Package) -> None:
    """Raises UsageError for a package that is not installed."""
    if package == "oxidd" and not _oxidd_is_there():
        raise UsageError("--certify-bdd oxidd: the package oxidd is not installed (pip install oxidd)")


# Only the package that is used is imported: each takes a good part of the time of a small re-check, and may be missing.
def new_manager(package: Package) -> Manager:
    """A manager of the package. Raises ImportError for OxiDD where it is missing."""
    if package != "oxidd":
        try:
            from dd import cudd  # wheels with CUDD exist for Linux on x86-64 only
        except ImportError:
            pass
        else:
            manager = cudd.BDD()
            manager.configure(reordering=False)
            return Manager(manager, cudd.and_exists)
    if package == "oxidd" or (package == "auto" and _oxidd_is_there()):
        from symag.smv.certify.circuits.oxidd_manager import OxiddManager

        oxidd = OxiddManager()
        return Manager(oxidd, oxidd.and_exists)
    from dd.autoref import BDD

    plain = BDD()
    plain.configure(reordering=False)
    return Manager(plain, lambda left, right, names: plain.exist(names, left & right))


def _oxidd_is_there() -> bool:
    return importlib.util.find_spec("oxidd") is not None
