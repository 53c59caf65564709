"""Automated assume-guarantee model checking of SMV models.

>>> model = symag.read("counter.smv")               # doctest: +SKIP
>>> for answer in symag.check(model): print(answer) # doctest: +SKIP
invariant x < 3 is violated: monolithic in 0.01 s, trace of 4 states replayed
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symag.engine.answers import Answer
    from symag.limits import Progress
    from symag.smv.flat import FlatSystem

__version__ = "0.1.0"
__all__ = ["__version__", "check", "read"]


def read(path: str | os.PathLike[str]) -> FlatSystem:
    """Read, type-check and flatten an SMV model, or read an AIGER file (``.aag``, ``.aig``) as a flat system.

    Raises ``symag.errors.InputError`` with the position.
    """
    name = os.fspath(path)
    if name.endswith((".aag", ".aig")):
        from symag.aiger import read as read_aiger

        return read_aiger(name)
    from symag.smv import read as read_model

    return read_model(name)


def check(
    model: FlatSystem | str | os.PathLike[str],
    properties: Sequence[str | int] = (),
    method: str = "auto",
    *,
    timeout: float | None = None,
    memory: int | None = None,
    certify: bool = True,
    progress: Progress | None = None,
    **options: Any,
) -> list[Answer]:
    """Decide the properties of a model: the same answers as ``symag check`` gives.

    ``properties`` are names or NuSMV indices (none: all of them); ``timeout`` in seconds and ``memory``
    in MiB bound each property; ``options`` are the fields of ``symag.methods.smv.options.Options``.
    Raises InputError, UsageError or CertificationError of ``symag.errors``.
    """
    from symag.engine.answers import Answer
    from symag.engine.check import check as decide_all
    from symag.engine.check import select
    from symag.errors import UsageError
    from symag.limits import Limits, no_progress
    from symag.methods.smv.options import Options

    system = read(model) if isinstance(model, str | os.PathLike) else model
    try:
        chosen = Options(**options)
    except TypeError as error:
        raise UsageError(str(error).replace("Options.__init__()", "check()")) from None
    limits = Limits(timeout, memory)
    decided = decide_all(system, select(system, properties), method, chosen, limits, certify, progress or no_progress)
    return [Answer(item, result, system=system) for item, result in decided]
