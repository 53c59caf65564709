"""The methods for probabilistic systems by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from symag.core.limits import Progress

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lpts.methods.problem import LptsOptions, SimulationOutcome, SimulationProblem

AUTO = "auto"
MONOLITHIC = "monolithic"

#: By name of the method its module and function. Adding one is one line here.
FUNCTIONS: Mapping[str, tuple[str, str]] = {
    MONOLITHIC: ("symag.lpts.methods.monolithic", "decide"),
    "cegar": ("symag.lpts.methods.agar", "cegar"),
    "agar": ("symag.lpts.methods.agar", "agar"),
    "agar-n": ("symag.lpts.methods.agar", "agar_n"),
}
ENGINES = ("worklist", "textbook", "smt")


class Decide(Protocol):
    """Decides one problem; runs in a child process."""

    def __call__(self, problem: SimulationProblem, options: LptsOptions, progress: Progress) -> SimulationOutcome: ...


@dataclass(frozen=True, slots=True)
class ChosenLptsMethod:
    """A method and what it is told; ``groups`` and ``order`` name components, as in ``--group`` and ``--order``."""

    method: str = AUTO
    engine: str = "worklist"
    groups: tuple[str, ...] = ()
    order: str | None = None
    functions: Mapping[str, tuple[str, str]] = field(default_factory=lambda: dict(FUNCTIONS))

    @property
    def name(self) -> str:
        """The method that decides."""
        return MONOLITHIC if self.method == AUTO else self.method

    def function(self) -> Decide:
        """The function that decides. KeyError for a name that is not registered."""
        module, name = self.functions[self.name]
        found: Decide = getattr(importlib.import_module(module), name)
        return found
