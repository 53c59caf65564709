"""The figures of Tables 1 to 4 of the paper: Nam, Madhusudan, Alur, "Automatic symbolic compositional
verification by learning assumptions", Formal Methods in System Design 32 (2008), pages 230 to 233.

Seconds on a 750 MHz UltraSPARC III; ``-`` is the authors' two hours without an answer.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """One tool's columns: ``mx`` and ``io`` count boolean variables, ``peak`` BDD nodes."""

    time: str
    peak: str = "-"
    mx: str = "-"
    io: str = "-"
    parts: str = "-"
    states: str = "-"
    contributed: str = "-"


#: Names in the paper's order, with tv (boolean variables) and the verdict.
EXAMPLES: dict[str, tuple[int, str]] = {
    "simple8": (69, "holds"),
    "simple9": (78, "holds"),
    "simple10": (86, "holds"),
    "simple11": (94, "holds"),
    "guidance_sp1": (135, "violated"),
    "guidance_sp2": (122, "holds"),
    "guidance_sp3": (122, "holds"),
    "barrel_sp1": (60, "violated"),
    "barrel_sp2": (60, "holds"),
    "msi3": (45, "holds"),
    "msi4": (57, "holds"),
    "msi5": (70, "holds"),
    "robot_sp1": (92, "violated"),
    "robot_sp2": (92, "holds"),
    "syncarb6_sp1": (18, "violated"),
    "syncarb6_sp2": (18, "holds"),
    "syncarb7_sp1": (21, "violated"),
    "syncarb7_sp2": (21, "holds"),
}


def _pair(left: str, right: str) -> tuple[Figures, Figures]:
    """Rule-S's columns ``mx io time peak`` and Rule-G's ``parts mx io time peak contributed``."""
    mx, io, time, peak = left.split()
    parts, mx_g, io_g, time_g, peak_g, contributed = right.split()
    return Figures(time, peak, mx, io), Figures(time_g, peak_g, mx_g, io_g, parts, contributed=contributed)


#: Table 1: ASCV_S and ASCV_G.
TABLE_1: dict[str, tuple[Figures, Figures]] = {
    "simple8": _pair("37 4 19.2 607,068", "2 36 4 4.9 605,024 D"),
    "simple9": _pair("42 5 106 828,842", "2 41 5 31.3 620,354 D"),
    "simple10": _pair("46 5 754 3,668,980", "2 46 5 223 2,218,762 D"),
    "simple11": _pair("50 5 4601 12,450,004", "2 50 5 1527 9,747,836 D"),
    "guidance_sp1": _pair("118 23 124 686,784", "2 89 18 - - -"),
    "guidance_sp2": _pair("105 22 196 1,052,660", "4 59 18 6.6 359,744 D"),
    "guidance_sp3": _pair("93 46 357 619,332", "2 76 15 - - -"),
    "barrel_sp1": _pair("35 10 20.3 345,436", "2 35 10 - - -"),
    "barrel_sp2": _pair("35 10 23.4 472,164", "2 35 10 - - -"),
    "msi3": _pair("37 25 2.1 289,226", "2 37 19 0.3 50,078 D"),
    "msi4": _pair("49 25 37.0 619,332", "2 49 22 1.8 524,286 D"),
    "msi5": _pair("62 26 1183 6,991,502", "2 60 25 31.9 2,179,926 D"),
    "robot_sp1": _pair("89 12 1271 4,169,760", "2 52 5 283 1,905,008 F"),
    "robot_sp2": _pair("75 12 1604 2,804,368", "2 50 7 9.5 427,196 D"),
}


def _rows(*rows: str) -> tuple[Figures, ...]:
    """Columns ``parts mx io time peak states``."""
    cells = [row.split() for row in rows]
    return tuple(Figures(time, peak, mx, io, parts, states) for parts, mx, io, time, peak, states in cells)


#: Table 2: the number of parts.
TABLE_2: dict[str, tuple[Figures, ...]] = {
    "simple11": _rows("2 49 5 1526 9,747,836 2,2", "3 61 37 1.8 497,714 2,2,2", "4 53 37 0.7 217,686 2,2,2,2"),
    "guidance_sp2": _rows("2 82 18 1680 612,178 2,2", "3 61 23 34 614,222 2,2,2", "4 59 33 6.6 359,744 2,2,2,2"),
    "robot_sp1": _rows("2 52 5 283 1,905,008 3,2", "3 62 30 - - many", "4 64 46 - - many"),
    "syncarb7_sp2": _rows(
        "2 21 21 332 7,700,770 131,131", "3 21 21 643 14,870,100 35,19,35", "4 21 21 4520 31,234,364 11,11,19,19"
    ),
}


def _heuristics(common: str, without: str, with_both: str) -> tuple[Figures, Figures]:
    """Columns ``mx io``, then ``time peak states`` without and ``time peak states contributed`` with F/D."""
    mx, io = common.split()
    time, peak, states = without.split()
    time_with, peak_with, states_with, contributed = with_both.split()
    return (
        Figures(time, peak, mx, io, "2", states),
        Figures(time_with, peak_with, mx, io, "2", states_with, contributed),
    )


#: Table 3: two parts, without and with early falsification (F) and edge deletion (D).
TABLE_3: dict[str, tuple[Figures, Figures]] = {
    "simple8": _heuristics("36 4", "10.3 605,024 2,3", "4.9 605,024 2,2 D"),
    "simple9": _heuristics("41 5", "58.3 624,442 2,3", "31.3 620,354 2,2 D"),
    "simple10": _heuristics("45 5", "441 2,997,526 3,2", "223 1,849,462 2,2 D"),
    "simple11": _heuristics("49 5", "3044 9,747,836 2,3", "1526 9,747,836 2,2 D"),
    "guidance_sp2": _heuristics("105 18", "1634 1,066,968 2,37", "1603 612,178 2,2 D"),
    "msi3": _heuristics("37 19", "- - -", "0.3 49,056 2,2 D"),
    "msi4": _heuristics("49 22", "- - -", "1.8 524,286 2,2 D"),
    "msi5": _heuristics("60 25", "- - -", "31.9 2,179,926 2,2 D"),
    "robot_sp1": _heuristics("52 5", "529 2,275,994 3,58", "283 1,905,008 3,2 F"),
    "robot_sp2": _heuristics("50 7", "10.4 529,396 2,3", "9.5 427,196 2,2 D"),
    "syncarb6_sp1": _heuristics("18 18", "28.2 1,384,810 67,67", "125 1,536,066 67,67 -"),
    "syncarb6_sp2": _heuristics("18 18", "30.4 1,274,434 67,67", "86.6 1,280,566 67,67 -"),
    "syncarb7_sp1": _heuristics("21 21", "351 9,948,148 131,131", "957 10,512,054 131,131 -"),
    "syncarb7_sp2": _heuristics("21 21", "332 7,700,770 131,131", "720 8,182,126 131,131 -"),
}


def _rivals(parts: str, mx: str, io: str, time: str, peak: str, nusmv: str, nusmv_peak: str) -> tuple[Figures, Figures]:
    return Figures(time, peak, mx, io, parts), Figures(nusmv, nusmv_peak)


#: Table 4: ASCV_G and NuSMV 2.3.
TABLE_4: dict[str, tuple[Figures, Figures]] = {
    "simple8": _rivals("2", "36", "4", "4.9", "605,024", "269", "3,993,976"),
    "simple9": _rivals("2", "41", "5", "31.3", "620,354", "4032", "32,934,972"),
    "simple10": _rivals("4", "50", "37", "1.0", "330,106", "-", "-"),
    "simple11": _rivals("4", "53", "37", "0.7", "217,686", "-", "-"),
    "guidance_sp2": _rivals("4", "59", "18", "6.6", "359,744", "-", "-"),
    "msi3": _rivals("2", "37", "19", "0.3", "50,078", "157", "1,554,462"),
    "msi4": _rivals("2", "49", "22", "1.8", "524,286", "3324", "16,183,370"),
    "msi5": _rivals("2", "60", "25", "31.9", "2,179,926", "-", "-"),
    "robot_sp1": _rivals("2", "52", "5", "283", "1,905,008", "654", "2,729,762"),
    "robot_sp2": _rivals("2", "50", "7", "9.5", "427,196", "1039", "1,117,046"),
    "syncarb7_sp1": _rivals("2", "21", "21", "351", "9,948,148", "0.1", "5,110"),
    "syncarb7_sp2": _rivals("2", "21", "21", "332", "7,700,770", "0.1", "3,066"),
    "barrel_sp1": _rivals("-", "-", "-", "-", "-", "1201", "28,118,286"),
    "barrel_sp2": _rivals("-", "-", "-", "-", "-", "4886", "36,521,170"),
}
