"""Automated assume-guarantee model checking.

>>> model = symag.read("counter.smv")               # doctest: +SKIP
>>> for answer in symag.check(model): print(answer) # doctest: +SKIP
invariant x < 3 is violated: monolithic in 0.01 s, trace of 4 states replayed
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symag import errors

if TYPE_CHECKING:
    from symag.core.limits import Progress
    from symag.engine.answers import Answer
    from symag.lts import Model
    from symag.smv.model.flat import FlatSystem

__version__ = "0.1.0"
__all__ = ["__version__", "check", "errors", "read"]

_LABELLED = (".lts", ".fsp", ".aut")
_PROBABILISTIC = (".nm", ".pm", ".prism", ".tra")


def read(path: str | os.PathLike[str], **constants: int) -> FlatSystem | Model:
    """Read a model by its suffix: SMV, AIGER (``.aag``, ``.aig``), BTOR2 (``.btor2``), FSP (``.lts``), ``.aut``.

    ``constants`` are values for constants of FSP. Probabilistic models are read by ``check`` from their files.
    Raises ``symag.errors.InputError`` with the position, UsageError for constants of another language.
    """
    from symag.core.errors import UsageError

    name = os.fspath(path)
    if name.endswith(_LABELLED):
        from symag.lts import read as read_labelled

        return read_labelled(name, constants=constants)
    if constants:
        raise UsageError(f"{name}: constants are for FSP")
    if name.endswith(_PROBABILISTIC):
        raise UsageError(f"{name}: symag.check takes the path of a probabilistic model")
    from symag.smv.checking.flat_models import read_flat_system

    return read_flat_system(name)


def check(
    model: FlatSystem | Model | str | os.PathLike[str],
    properties: str | int | Sequence[str | int] = (),
    method: str = "auto",
    *,
    timeout: float | None = None,
    memory: int | None = None,
    certify: bool = True,
    progress: Progress | None = None,
    **options: Any,
) -> list[Answer]:
    """Decide the properties of a model: the same answers as ``symag check`` gives.

    ``properties`` are names or indices, or one (none: all); ``timeout`` in seconds and ``memory`` in MiB bound each
    property. ``options`` are the fields of ``symag.smv.methods.options.Options``; for FSP ``targets``, ``groups``,
    ``order``, ``balance`` and the fields of ``symag.lts.methods.options.LtsOptions``; for the path of a probabilistic
    model ``specification`` or ``formula``, ``components``, ``constants``, ``alphabets``, ``engine``, ``groups`` and
    ``order``. An answer whose evidence a re-check refuses is unknown; ``result.refused_evidence`` is the file with it.
    Raises InputError or UsageError of ``symag.errors``.
    """
    from symag.core.errors import UsageError
    from symag.core.limits import Limits, no_progress
    from symag.engine.answers import Answer
    from symag.smv.checking.check import check as decide_all
    from symag.smv.checking.check import select
    from symag.smv.methods.options import Options
    from symag.smv.model.flat import FlatSystem

    limits, report = Limits(timeout, memory), progress or no_progress
    wanted = (properties,) if isinstance(properties, str | int) else properties
    if isinstance(model, str | os.PathLike) and os.fspath(model).endswith(_PROBABILISTIC):
        from symag.library import check_probabilistic

        return [check_probabilistic(os.fspath(model), method, limits, certify, report, options)]
    system = read(model) if isinstance(model, str | os.PathLike) else model
    if not isinstance(system, FlatSystem):
        from symag.library import check_labelled

        return check_labelled(system, wanted, method, limits, certify, report, options)
    try:
        chosen = Options(**options)
    except TypeError as error:
        raise UsageError(str(error).replace("Options.__init__()", "check()")) from None
    decided = decide_all(system, select(system, wanted), method, chosen, limits, certify, report)
    return [Answer(item, result, system=system) for item, result in decided]
