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


def read(path: str | os.PathLike[str], **request: Any) -> FlatSystem | Model:
    """Read a model by its suffix: SMV, AIGER or BTOR2 as a flat system, FSP or ``.aut`` as a labelled one.

    ``request`` says what belongs to the system besides its file: for FSP ``components`` and values of constants by
    their names. Probabilistic systems are read by ``check`` from their files. Raises ``symag.errors.InputError`` with
    the position, UsageError for constants of another language.
    """
    from symag.engine.library import read_model

    model: FlatSystem | Model = read_model(os.fspath(path), request)
    return model


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
    property. ``options`` are those of the command line by their keywords: what the model's family declares for its
    requests and its methods (``symag.smv.family``, ``symag.lts.family``, ``symag.lpts.family`` and the ``options``
    modules that they name). Evidence that a re-check refuses makes an unknown answer. Raises InputError and
    UsageError of ``symag.errors``.
    """
    from symag.core.limits import Limits, no_progress
    from symag.engine.library import check_model

    selected = (properties,) if isinstance(properties, str | int) else tuple(properties)
    limits, report = Limits(timeout, memory), progress or no_progress
    return check_model(model, selected, method, limits, certify, report, options)
