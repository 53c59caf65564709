"""The initial states of a flat model: one from the variables' values, or all that ``init ... endinit`` allows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symag.lpts.language.prism.columns import Expressions
from symag.lpts.language.prism.flat import FlatModel
from symag.lpts.language.prism.typed import EvaluationError, conjuncts, variables_of
from symag.lpts.lpts import Numbers

_MOST_CANDIDATES = 1 << 23


def initial_states(model: FlatModel) -> Numbers:
    """Rows with a value for each variable, in lexicographic order.

    The variables get their values one after the other; each conjunct of the condition is checked as soon as its
    variables have values. Raises InputError if there is no row, or for more than 2**23 candidates at a time.
    """
    if model.initial is None:
        return np.array([[variable.initial for variable in model.variables]], dtype=np.int64)
    expressions = Expressions(model.variables)
    waiting = [(max(variables_of(part), default=-1), part) for part in conjuncts(model.initial)]
    rows = np.zeros((1, 0), dtype=np.int64)
    position = model.source.text.find("endinit")
    for number, variable in [(-1, None), *enumerate(model.variables)]:
        if variable is not None:
            size = variable.high - variable.low + 1
            if len(rows) * size > _MOST_CANDIDATES:
                raise model.source.error("there are too many candidates for an initial state", position)
            values = np.tile(np.arange(variable.low, variable.high + 1), len(rows))
            rows = np.column_stack((np.repeat(rows, size, axis=0), values))
        for last, part in waiting:
            if last == number:
                try:
                    holds = expressions.compiled(part)(_columns(rows))
                except EvaluationError as error:
                    raise model.source.error(str(error), error.position) from None
                rows = rows[np.broadcast_to(holds, len(rows))]
    if not len(rows):
        raise model.source.error("no state satisfies the condition of the initial states", position)
    return rows


def _columns(rows: Numbers) -> Callable[[int], Numbers]:
    return lambda variable: rows[:, variable]
