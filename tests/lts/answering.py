"""Questions about composites, decided and re-checked as the engine does."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.limits import Limits, no_progress
from symag.core.results import PropertyResult
from symag.core.tables import AUTO, Methods
from symag.lts import Model
from symag.lts.checking.check import inquiries
from symag.lts.methods.options import METHODS, Decide, LtsOptions
from symag.lts.questions import CompositeQuestion
from symag.process.decisions import decisions


def decided(
    model: Model,
    questions: Sequence[CompositeQuestion],
    method: str = AUTO,
    options: LtsOptions | None = None,
    limits: Limits | None = None,
    methods: Methods[Decide] = METHODS,
) -> list[PropertyResult]:
    bounds = limits or Limits()
    asked = inquiries(model, questions, method, options or LtsOptions(), bounds, methods)
    return [result for _, result in decisions(asked, bounds, True, no_progress)]
