"""What a stopped search by Rule-G or Rule-S has said of where it is."""

from __future__ import annotations

import pytest

from symag.core.limits import ProgressFigures
from symag.core.results import Verdict
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
