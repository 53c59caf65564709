"""Which methods ``auto`` runs, in which order: the cheap one alone first, then a race on all processors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from symag.core.tables import Methods
from symag.core.values import replace
from symag.smv.checking.methods import Decide
from symag.smv.checking.portfolio.shapes import Shape
from symag.smv.checking.portfolio.starts import Delays, Entrant
from symag.smv.methods.options import SmvOptions

#: (method, direction, variant, weight, seconds of a fast machine (see ``symag.process.pace``) after the start, as
#: ``race`` counts them, by ``Shape``: few state bits,
#: few in a netlist of gates, many, many in a netlist, thousands, many in a system of processes, in which all variables
#: may wait, or of which only TRANS says what follows a state, many in components with interactions, few in a circuit of
#: bits and DEFINEs, many in wide words of which only TRANS says what follows, many in enumerations and small ranges;
#: None: it does not run).
#: What a method has for itself is the time until the next one starts. What a method decides, it mostly decides in 0.1
#: to 0.4 s of search, and ``auto`` may lose 0.5 s and half of the best method's time. The first steps of k-induction,
#: whose base is bounded search, cost 0.01 to 0.2 s and decide a third of the netlists, so they come first there, and
#: end by themselves. Where few bits matter BDDs come first, which decide most in less; steps backward are part of that
#: search while they are easy, and another one takes the hard ones. PDR comes after random runs. Where many bits matter
#: ``pdr`` and ``parts`` decide in 0.2 s or need seconds.
#: Sweeping wins on circuits that hold two versions of a design, which all others may fail on; on others it soon ends
#: by itself. The others wait for it and for first steps (see ``Runner``), whose work would be lost. ``parts``
#: decides no netlist of the public suites. ``bmc`` without the step of induction searches deeper. In circuits of bits
#: and DEFINEs, with few bits, sweeping and ``parts`` decide in 0.1 to 1.6 s what BDDs do not in 0.6, ``pdr`` few: it
#: starts 0.86 s after ``parts``, else it takes a processor from it (miter_pipe_6 3.4 instead of 2.4 s).
#: When all have had their trial, they take turns (see ``symag.process.turns``), and the weights tell: they are larger
#: for what alone decides some circuits after seconds.
#: With thousands of bits a violation is near the start or no method finds it, and BDDs only slow down SAT. Processes,
#: and components with interactions, take turns, so their violations need many steps, which SAT unrolls one by one, and
#: chaining (``symbolic/chaining.py``) few: NuSMV's dme5 by BDDs in 7 s, by ``pdr`` and ``bmc`` not in 12. So BDDs lead
#: (see ``turns``) where processes take turns, all may wait, or TRANS alone says what follows, and on CTL that is no
#: invariant. Where TRANS alone says it, forward comes first, and steps backward, which have a line of their own, later:
#: they take as long as those forward, and with the sets of both in one order those take twice as long (queue: in both
#: directions 14 s, forward 7).
#: Wide words of which only TRANS says what follows are those of programs (nuXmv's examples from SystemC and SV-COMP):
#: k-induction decides most that are decided in 6 s, and nearly as soon as ``bmc`` does; BDDs few.
#: Where most bits are those of enumerations and small ranges, as in puzzles, bounded search decides a third, BDDs most
#: of the others, and sweeping few: BDDs lead once the others have had their trials (see ``starts``), sweeping comes
#: late.
#: Sets of every two components decide in 1 to 3 s what BDDs need 4 to 23 s for (see models/TABLES.md). They hardly take
#: turns, as they soon end by themselves where pairs do not suffice (Quorum22ERROR 1.0 s, quorum4-2er 2.5 s).
#: A property that the first line does not support is supported by no other.
SCHEDULE: tuple[tuple[str, Literal["forward", "backward", "both"] | None, str | None, float, Delays], ...] = (
    ("monolithic", "both", None, 2.0, (0.0, 0.3, 0.4, 0.7, 20.0, 0.0, 1.2, 0.0, 3.0, 0.4)),
    ("k-induction", None, "all invariants", 4.0, (0.38, 0.0, 0.0, 0.0, 6.0, 3.5, 3.5, 0.62, 2.0, 0.0)),
    ("k-induction", None, "first steps", 2.0, (0.38, 0.0, 0.0, 0.0, None, 3.5, 3.5, 0.62, None, 0.0)),
    ("monolithic", "backward", None, 0.7, (1.7, 0.82, 3.1, 2.6, 25.0, 20.0, 20.0, 3.76, 6.0, 3.1)),
    ("parts", None, None, 6.0, (0.48, 4.0, 0.9, 5.0, 25.0, 15.0, 15.0, 0.7, 0.5, 0.9)),
    ("parts", None, "sets", 30.0, (None, None, None, None, None, None, 0.0, None, None, None)),
    ("pdr", None, None, 4.0, (0.9, 0.7, 0.7, 0.4, 0.5, 4.0, 4.0, 1.56, 0.3, 0.7)),
    ("sweeping", None, None, 20.0, (1.45, 1.5, 1.1, 0.88, 20.0, 30.0, 30.0, 0.66, 20.0, 4.0)),
    ("k-induction", None, None, 1.5, (2.5, 2.0, 2.7, 2.05, 6.0, 6.0, 6.0, 4.16, 0.0, 2.7)),
    ("rule-g", None, None, 0.7, (2.7, 2.5, 12.0, 12.0, 30.0, 25.0, 25.0, 4.56, 25.0, 12.0)),
    ("bmc", None, None, 4.0, (6.0, 6.0, 2.4, 1.45, 0.0, 10.0, 10.0, 6.0, 4.0, 1.1)),
    ("k-induction", None, "with facts", 0.5, (8.0, 8.0, 15.0, 15.0, 15.0, 30.0, 30.0, 8.0, 8.0, 15.0)),
)

#: For how many CPU seconds the others wait for a method, or a variant of one, that soon ends by itself. Sweeping that
#: goes on after some tenths has seen that many latches are equal: then it decides most circuits soon. In the
#: AIGER, BTOR2 and elastic suites it ends by itself within 0.5 s, or decides (miter_d_4 after 1.0 to 1.4 s), but for
#: 6s54 and b12_p2.btor2.
BRIEF: Mapping[str, float] = {"first steps": 0.4, "sweeping": 2.0}

#: For how many CPU seconds they wait for each invariant besides: half of what simultaneous induction takes in vain.
BRIEF_EACH: Mapping[str, float] = {"all invariants": 0.36}

#: How entrants say their direction.
_DIRECTIONS = {"forward": "forward", "backward": "backward", "both": "both directions"}

#: When the user's own program starts: after what decides most properties at once.
EXTERNAL: Delays = (0.5,) * len(Shape)


def entrants(options: SmvOptions, methods: Methods[Decide], *, forward: bool = False) -> tuple[Entrant, ...]:
    """The lines of the schedule whose methods are in the table, and one for the program in ``options.command``.

    With ``options.direction`` other than ``both`` the search is in that direction only, and comes first. ``forward``:
    what is in both directions by the schedule is forward only.
    """
    both: Literal["forward", "both"] = "forward" if forward else "both"
    others = {"both": None, "forward": "backward", "backward": "both"}[options.direction]
    lines = [line for line in SCHEDULE if line[0] in methods.entries and (line[1] is None or line[1] != others)]
    if options.direction == "backward":
        lines.sort(key=lambda line: line[1] is None)
        lines[:1] = [(*lines[0][:4], (0.0, *lines[0][4][1:]))]
    chosen: list[Entrant] = []
    for name, direction, variant, weight, delays in lines:
        own = options
        if direction is not None:
            scheduled = both if direction == "both" else direction
            own = replace(options, direction=scheduled if options.direction == "both" else options.direction)
        if name == "pdr":
            # It is the first SAT engine that searches deeply.
            own = replace(own, simulation_first=True)
        if name == "parts":
            # Sets of parts would take processors from the others in the race; whether that pays is not measured, but
            # for those of components, which end by themselves.
            own = replace(own, invariants="facts" if variant is None else "sets")
        if name == "sweeping":
            # Where few latches are equal it would do what PDR does.
            own = replace(own, brief=True)
        if variant is not None:
            own = replace(own, brief=variant in ("first steps", "sets"), facts=variant == "with facts")
        detail = variant if direction is None else _DIRECTIONS[own.direction]
        title = name if detail is None else f"{name} ({detail})"
        kind = variant or name
        waits = BRIEF.get(kind, 0.0), BRIEF_EACH.get(kind, 0.0)
        chosen.append(Entrant(title, name, own, delays, weight, *waits, is_for_all=variant == "all invariants"))
    if options.command is not None:
        # It waits for the program, which the kernel does not stop with it.
        chosen.append(Entrant("external", "external", options, EXTERNAL, math.inf))
    return tuple(chosen)
