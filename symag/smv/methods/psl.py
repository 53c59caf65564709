"""Decides PSL with sequences: LTL of the system with the automata of its sequences beside it."""

from __future__ import annotations

from dataclasses import replace

from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.smv.methods import ltl
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_space import StateSpaces
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.temporal.sequences import sequence_product
from symag.smv.traversal.deadends import is_total


def decide(checked: Property, system: FlatSystem, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide ``checked.sequences`` on every fair run from an initial state.

    ``holds`` comes with a certificate about the product, ``violated`` with a fair lasso of the system. Raises
    InputError, MemoryExhausted, and UnsupportedError for a sequence that is too large.
    """
    assert checked.sequences is not None
    product = sequence_product(system, checked.sequences)
    spaces = StateSpaces(product.system, replace(options, order_file=None, order_output=None))
    stated = replace(checked, kind="LTL", expression=product.formula, sequences=None)
    result = ltl.decide(spaces, stated, product.formula, options, progress)
    warnings = result.warnings
    if is_total(system):
        # Only the automata's constraints end runs here; the system alone has no dead ends.
        warnings = tuple(warning for warning in warnings if "successor" not in warning and "dead end" not in warning)
    trace = result.trace
    if trace is not None:
        trace = ltl.without_added(trace, frozenset(system.by_name))
    return replace(result, method="monolithic (sequences)", trace=trace, warnings=warnings)
