"""Which methods ``auto`` runs, in which order: the cheap one alone first, then a race on all processors."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

from symag.core.tables import Methods
from symag.smv.checking.methods import Decide
from symag.smv.checking.portfolio import Entrant
from symag.smv.methods.options import SmvOptions

#: (method, direction, with facts, weight, seconds after the start as ``race`` counts them: on properties of few state
#: bits, of many, of many in a netlist of gates, of thousands, and of many bits in a system of processes).
#: Most properties are decided before the second line starts, so small problems cost one process only. What a method
#: decides, it mostly decides in 0.1 to 0.4 s of search. So each has 0.15 to 0.4 s until the next one starts, and all
#: take little more than the 0.5 s that ``auto`` may lose: BDDs first; induction, whose base is bounded search, so that
#: it also finds what is violated within few steps; facts, which hardly ever decide netlists; PDR, after random runs.
#: Then they take turns (see ``symag.process.turns``), and the weights tell: they are larger for what alone decides some
#: circuits after seconds.
#: With thousands of bits a violation is near the start or no method finds it, and BDDs only slow down SAT. Processes
#: take turns, so their violations need many steps, which SAT unrolls one by one, and chaining
#: (``symbolic/chaining.py``) few: NuSMV's dme6 (60 steps) by BDDs in 8 s, by ``pdr`` and ``bmc`` not in 20.
#: Sweeping wins on circuits that hold two versions of a design, which all others may fail on. ``bmc`` without the step
#: of induction searches deeper. A property that the first line does not support is supported by no other.
SCHEDULE: tuple[
    tuple[str, Literal["forward", "backward"] | None, bool, float, float, float, float, float, float], ...
] = (
    ("monolithic", "forward", False, 2.0, 0.0, 0.0, 0.0, 20.0, 0.0),
    ("monolithic", "backward", False, 0.7, 0.42, 1.7, 1.4, 25.0, 20.0),
    ("parts", None, True, 2.5, 0.57, 0.4, 1.1, 25.0, 15.0),
    ("pdr", None, False, 4.0, 0.9, 1.0, 0.45, 0.5, 4.0),
    ("k-induction", None, False, 1.5, 0.75, 0.8, 0.3, 6.0, 6.0),
    ("rule-g", None, False, 0.7, 2.2, 12.0, 12.0, 30.0, 25.0),
    ("sweeping", None, False, 2.0, 3.0, 2.2, 1.7, 20.0, 30.0),
    ("bmc", None, False, 1.0, 6.0, 1.5, 0.8, 0.0, 10.0),
    ("k-induction", None, True, 0.5, 8.0, 15.0, 15.0, 15.0, 30.0),
)

#: When the user's own program starts: after what decides most properties at once.
EXTERNAL = (0.5, 0.5, 0.5, 0.5, 0.5)


def entrants(options: SmvOptions, methods: Methods[Decide]) -> tuple[Entrant, ...]:
    """The lines of the schedule whose methods are in the table, and one for the program in ``options.command``.

    With ``options.direction`` other than ``both`` the search is in that direction only, and comes first.
    """
    lines = [
        (name, direction, facts, weight, delays)
        for name, direction, facts, weight, *delays in SCHEDULE
        if name in methods.entries and (direction is None or options.direction in ("both", direction))
    ]
    if options.direction == "backward":
        lines.sort(key=lambda line: line[1] is None)
        lines[:1] = [(*lines[0][:4], [0.0, *lines[0][4][1:]])]
    chosen: list[Entrant] = []
    for name, direction, facts, weight, delays in lines:
        own = options if direction is None else replace(options, direction=direction)
        if name == "pdr":
            # It is the first SAT engine that starts.
            own = replace(own, simulation_first=True)
        if name == "parts":
            # Sets of parts would take processors from the others in the race; whether that pays is not measured.
            own = replace(own, invariants="facts")
        label = name if direction is None else f"{name} ({direction})"
        if name == "k-induction" and facts:
            own, label = replace(own, facts=True), f"{name} (with facts)"
        chosen.append(replace(Entrant(label, name, own, *delays), weight=weight))
    if options.command is not None:
        # It waits for the program, which the kernel does not stop with it.
        chosen.append(replace(Entrant("external", "external", options, *EXTERNAL), weight=math.inf))
    return tuple(chosen)
