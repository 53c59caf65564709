"""What a stopped search by Rule-G or Rule-S has said of where it is."""

from __future__ import annotations

import pytest

from symag.core.limits import ProgressFigures
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.methods import parts
from symag.smv.methods.by_parts import rule_g, rule_s
from symag.smv.methods.options import SmvOptions
from symag.smv.reader import read
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("decide", "options", "phases"),
    [
        (rule_g.decide, SmvOptions(parts=2), {"partition_seconds", "one_state_seconds"}),
        (rule_g.decide, SmvOptions(parts=2, one_state_first=False), {"partition_seconds", "learning_seconds"}),
        (rule_s.decide, SmvOptions(), {"partition_seconds", "learning_seconds"}),
    ],
)
def test_figures_say_where_the_search_is(decide, options, phases):
    system = read(ROOT / "models" / "simple4.smv")
    figures: dict[str, float] = {}
    lines: list[str] = []

    def report(line):
        assert isinstance(line, ProgressFigures)
        lines.append(line)
        figures.update(line.figures)

    result = decide(system, system.properties[0], options, report)
    assert result.verdict is Verdict.HOLDS
    assert {"parts", "mx", "io"} <= figures.keys()
    assert figures["parts"] == 2
    assert phases <= figures.keys()
    assert all(figures[phase] >= 0 for phase in phases)
    if "learning_seconds" in phases:
        assert figures["assumption_states"] >= 1
        assert figures["equivalence_queries"] >= 0
        assert figures["membership_queries"] >= 0


def _ring(bits: int) -> str:
    """A token goes round; it is never in two places."""
    names = [f"t{number}" for number in range(bits)]
    moves = [
        f"init({name}) := {'FALSE' if number else 'TRUE'}; next({name}) := go ? {names[number - 1]} : {name};"
        for number, name in enumerate(names)
    ]
    declared = " ".join(f"{name} : boolean;" for name in names)
    return f"MODULE main IVAR go : boolean; VAR {declared} ASSIGN {' '.join(moves)} INVARSPEC !(t1 & t{bits // 2});"


def test_parts_without_an_answer_says_where_it_was():
    system = read_text(_ring(12))
    options = SmvOptions(invariants="sets", parts=6, part_bits=1, refinements=0)
    lines: list[ProgressFigures] = []
    result = parts.decide(system, system.properties[0], options, lines.append)
    assert result.verdict is Verdict.UNKNOWN
    assert result.statistics["parts"] == 6
    assert 6 <= result.statistics["io"] <= 12
    assert {"largest_part_bits", "refinements", "set_queries", "facts_seconds", "sets_seconds", "bounded_seconds"} <= (
        result.statistics.keys()
    )
    stopped: dict[str, float] = {}
    for line in lines:
        if isinstance(line, ProgressFigures):
            stopped.update(line.figures)
    assert {"parts", "io", "set_queries", "facts_seconds", "sets_seconds"} <= stopped.keys()
    facts = parts.decide(system, system.properties[0], SmvOptions(invariants="facts"), lambda line: None)
    assert facts.verdict is not Verdict.UNKNOWN or facts.statistics["sat_queries"] > 0
