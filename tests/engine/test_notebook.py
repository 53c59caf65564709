"""What a notebook shows: a table of the trace, or the learned assumptions as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import symag
from symag.core.values import replace
from symag.engine.answers import Answer
from symag.smv import read_text
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption, PartProof
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.checking.reports.certificate_text import picture
from symag.traces.automata_picture import MOST_STATES, AutomatonLine, arcs
from tests.conftest import ROOT
from tests.traces.test_pages import Page

SVG = "{http://www.w3.org/2000/svg}"
MODEL = str(ROOT / "models" / "counter.smv")


@pytest.fixture(scope="module")
def learned() -> Answer:
    (answer,) = symag.check(MODEL, ["parity_right"], method="rule-g")
    return answer


def texts(svg: str) -> list[str]:
    return ["".join(item.itertext()) for item in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_assumptions_are_a_picture(learned: Answer) -> None:
    svg = learned._repr_svg_()
    assert svg is not None
    assert svg in learned._repr_html_()
    assert Page(learned._repr_html_()).faults == []
    assert texts(svg)[-7:] == [
        "assumption 1, for part 1: odd",
        "0",
        "forbids digit in {1, 3, 5, 7} & !odd",
        "digit in {0, 2, 4, 6} & !odd",
        "1",
        "forbids digit in {0, 2, 4, 6} & odd",
        "digit in {1, 3, 5, 7} & odd",
    ]
    certificate = learned.result.certificate
    assert isinstance(certificate, AssumeGuarantee)
    heads = [item for item in ElementTree.fromstring(svg).iter(f"{SVG}path") if "head" in item.get("class", "")]
    assert len(heads) == sum(len(edges) for one in certificate.assumptions for edges in one.edges)


def test_a_trace_is_a_table() -> None:
    (answer,) = symag.check(MODEL, ["below_five"], method="monolithic")
    shown = Page(answer._repr_html_())
    assert shown.faults == []
    assert ["digit < 5", "true", "true", "true", "true", "true", "false"] in shown.rows
    assert ["digit", "0", "1", "2", "3", "4", "5"] in shown.rows
    assert answer._repr_svg_() is None
    assert "trace of 6 states replayed" in answer._repr_html_()


def test_an_answer_without_a_system_is_a_sentence(learned: Answer) -> None:
    plain = replace(learned, model=None)
    assert plain._repr_svg_() is None
    assert plain._repr_html_().count("<") == 4


def test_large_automata_and_strange_names_are_drawn() -> None:
    system = read_text("MODULE main VAR x : boolean; INVARSPEC x", "m.smv")
    count = MOST_STATES + 5
    edges = tuple(((state + 1, 2),) if state + 1 < count else () for state in range(count))
    table = DiagramTable((("x", 0),), ((0, 1, 0),))
    automaton = Assumption(edges, (2,) * count)
    svg = picture(system, AssumeGuarantee("rule-g", table, (PartProof(("<x> & y",), (1,)),), (automaton,)))
    assert texts(svg)[0] == "assumption 0, for part 0: <x> & y"
    assert texts(svg)[-1] == "... and 5 more states"


@given(st.lists(st.lists(st.integers(0, 7), max_size=4), min_size=8, max_size=8))
def test_arcs_in_one_lane_never_overlap(targets: list[list[int]]) -> None:
    lines = []
    for state, below in enumerate(targets):
        lines.append(AutomatonLine("", state))
        lines += [AutomatonLine("", None, target) for target in below]
    edges, lanes = arcs(lines)
    assert len(edges) == sum(len(below) for below in targets)
    for one in range(len(edges)):
        assert lines[edges[one].end].state == lines[edges[one].start].target
        for other in range(one):
            if lanes[one] == lanes[other]:
                spans = sorted(sorted((edges[each].start, edges[each].end)) for each in (one, other))
                assert spans[0][1] < spans[1][0]


def test_printed_answers_stay_short(learned: Answer) -> None:
    assert learned.model is not None
    assert "FlatSystem" not in repr(learned)
