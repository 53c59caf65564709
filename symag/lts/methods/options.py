"""What a user can say to the assume-guarantee methods for labelled transition systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: Which assumptions the premise of each part may use: for each part the numbers of others, or a rule for all.
GuaranteeSets = Literal["maximal", "minimal"] | tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class LtsOptions:
    """Each method reads what it needs.

    ``alphabet_refinement``: begin with the property's part of the interface, and add actions when needed.
    ``groups``: numbers of components that are one part together; the others are parts on their own (see
    ``symag.lts.safety_problem.parts``). ``order``: numbers of components, whose parts come first, in this order.
    ``seed``: the same seed gives the same output. ``steps``: how often quotient refines M's abstraction at most.
    ``abstraction``: whether quotient abstracts M at all; None leaves it to the method.
    ``seconds``: the time limit, None for none; the limit itself is kept by whoever calls.
    ``guarantee_sets``: G_i of circular: "maximal": all others, "minimal": those that share an action with it, or given.
    ``selectors``: its disjunctions are encoded by log n selectors, as the paper has it.
    """

    alphabet_refinement: bool = True
    groups: tuple[tuple[int, ...], ...] = ()
    order: tuple[int, ...] = ()
    seed: int = 0
    steps: int | None = None
    seconds: float | None = None
    abstraction: bool | None = None
    guarantee_sets: GuaranteeSets = "maximal"
    selectors: bool = False
