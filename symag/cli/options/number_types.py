"""Types of numbers for options."""

from __future__ import annotations

import math
from typing import Any

import click

from symag.core.limits import LONGEST


class FiniteRange(click.FloatRange):
    """A number in a range; nan and infinity are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


#: A limit of time.
SECONDS = FiniteRange(min=0, min_open=True, max=LONGEST)
