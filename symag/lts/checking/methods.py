"""The assume-guarantee methods for labelled transition systems by name.

A method is a module with ``decide(problem, options, progress)``. ``monolithic`` is not among them: it decides
every kind of question, these decide whether ERROR can be reached.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symag.core.limits import Progress
from symag.lts.methods.options import LtsOptions

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lts.methods.outcome import Outcome
    from symag.lts.safety_problem import SafetyProblem

#: Decides one problem; runs in a child process.
Decide = Callable[["SafetyProblem", LtsOptions, Progress], "Outcome"]

MONOLITHIC = "monolithic"
AUTO = "auto"

#: Adding a method is one file and one line here. Modules are imported when a method is first asked for.
MODULES: Mapping[str, str] = {
    "lstar": "symag.lts.methods.lstar",
    "agar": "symag.lts.methods.agar",
    "quotient": "symag.lts.methods.quotient.method",
    "circular": "symag.lts.methods.circular.method",
}


#: The methods to which an option says nothing.
IGNORING: Mapping[str, tuple[str, ...]] = {
    "--group": (MONOLITHIC,),
    "--order": (MONOLITHIC,),
    "--balance": (MONOLITHIC,),
    "--no-alphabet-refinement": (MONOLITHIC, "quotient"),
    "--steps": (MONOLITHIC, "lstar", "agar", "circular"),
    "--abstraction": (MONOLITHIC, "lstar", "agar", "circular"),
    "--guarantees": (MONOLITHIC, "lstar", "agar", "quotient"),
    "--selectors": (MONOLITHIC, "lstar", "agar", "quotient"),
}


@dataclass(frozen=True, slots=True)
class LtsMethods:
    """Finds the function that decides by a method's name."""

    modules: Mapping[str, str | Decide] = field(default_factory=lambda: dict(MODULES))

    def names(self) -> tuple[str, ...]:
        """Every method, ``monolithic`` and ``auto`` (which is monolithic) included."""
        return (AUTO, MONOLITHIC, *self.modules)

    def decide(self, method: str) -> Decide:
        """The method's function; KeyError for a name that is not registered."""
        entry = self.modules[method]
        if isinstance(entry, str):
            function: Decide = importlib.import_module(entry).decide
            return function
        return entry


@dataclass(frozen=True, slots=True)
class ChosenMethod:
    """A method and what it is told. ``groups`` and ``order`` name components (see ``lts_safety.numbers``);
    ``balance`` replaces both by the most balanced two parts (see ``symag.lts.methods.balance``).
    """

    method: str = AUTO
    options: LtsOptions = field(default_factory=LtsOptions)
    groups: tuple[str, ...] = ()
    order: str | None = None
    balance: bool = False
    methods: LtsMethods = field(default_factory=LtsMethods)

    @property
    def name(self) -> str:
        """The method that decides."""
        return MONOLITHIC if self.method == AUTO else self.method

    def unread(self) -> str | None:
        """What the user asks for and the method does not read, as options; None if there is nothing."""
        asked = {
            "--group": bool(self.groups),
            "--order": self.order is not None,
            "--balance": self.balance,
            "--no-alphabet-refinement": not self.options.alphabet_refinement,
            "--steps": self.options.steps is not None,
            "--abstraction": self.options.abstraction is not None,
            "--guarantees": self.options.guarantee_sets != "maximal",
            "--selectors": self.options.selectors,
        }
        return next((option for option, given in asked.items() if given and self.name in IGNORING[option]), None)
