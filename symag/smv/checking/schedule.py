"""Which methods ``auto`` runs, in which order: the cheap one alone first, then a race on all processors."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from symag.core.tables import Methods
from symag.smv.checking.methods import Decide
from symag.smv.checking.portfolio import Entrant
from symag.smv.methods.options import SmvOptions

#: (method, direction, seconds after the start as ``race`` counts them: on properties of few state bits, of many, of
#: thousands, and of many bits in a system of processes).
#: Most properties are decided before the second line starts, so small problems cost one process only. With few bits
#: BDDs mostly answer first: backward often within some tenths of a second if forward takes longer, Rule-G mostly within
#: a second or two. With many bits SAT does: bugs are near the start, and PDR proves properties whose BDDs are too large
#: (measured: ``scripts/aiger_suite.py``); but circuits of handshakes with 100 bits and more are searched forward in
#: some tenths of a second. With thousands a violation is near the start or no method finds it, and BDDs only slow down
#: SAT. Processes take turns, so their violations need many steps, which SAT unrolls one by one, and chaining
#: (``symbolic/chaining.py``) few: NuSMV's dme6 (60 steps) by BDDs in 8 s, by ``pdr`` and ``bmc`` not in 20.
#: Sweeping wins on circuits that hold two versions of a design, which all others may fail on.
#: A property that the first line does not support is supported by no other.
SCHEDULE: tuple[tuple[str, Literal["forward", "backward"] | None, float, float, float, float], ...] = (
    ("monolithic", "forward", 0.0, 0.4, 20.0, 0.0),
    ("monolithic", "backward", 0.7, 3.0, 25.0, 20.0),
    ("rule-g", None, 0.8, 8.0, 30.0, 25.0),
    ("pdr", None, 1.0, 0.0, 0.5, 4.0),
    ("parts", None, 1.5, 1.0, 25.0, 15.0),
    ("bmc", None, 2.0, 0.5, 0.0, 10.0),
    ("sweeping", None, 4.0, 1.2, 20.0, 30.0),
    ("k-induction", None, 6.0, 6.0, 15.0, 30.0),
)

#: When the user's own program starts: after what decides most properties at once.
EXTERNAL = (0.5, 0.5, 0.5, 0.5)


def entrants(options: SmvOptions, methods: Methods[Decide]) -> tuple[Entrant, ...]:
    """The lines of the schedule whose methods are in the table, and one for the program in ``options.command``.

    With ``options.direction`` other than ``both`` the search is in that direction only, and comes first.
    """
    lines = [
        (name, direction, delays)
        for name, direction, *delays in SCHEDULE
        if name in methods.entries and (direction is None or options.direction in ("both", direction))
    ]
    if options.direction == "backward":
        lines.sort(key=lambda line: line[1] is None)
        lines[:1] = [(name, direction, [0.0, *delays[1:]]) for name, direction, delays in lines[:1]]
    chosen: list[Entrant] = []
    for name, direction, delays in lines:
        own = options if direction is None else replace(options, direction=direction)
        if name == "pdr":
            # It is the first SAT engine that starts.
            own = replace(own, simulation_first=True)
        if name == "parts":
            # Sets of parts would take processors from the others in the race; whether that pays is not measured.
            own = replace(own, invariants="facts")
        if name == "k-induction":
            # It comes late: most properties that are inductive without facts are proved by then.
            own = replace(own, facts=True)
        label = name if direction is None else f"{name} ({direction})"
        chosen.append(Entrant(label, name, own, *delays))
    if options.command is not None:
        chosen.append(Entrant("external", "external", options, *EXTERNAL))
    return tuple(chosen)
