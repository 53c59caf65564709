"""The table, the HTML page and the dump: what they show, and that they need nothing but themselves."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.checking.reports.trace_formulas import formulas
from symag.smv.checking.reports.trace_page import dumped_report
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.checking.trace_files import read_trace, write_trace
from symag.smv.model.flat import FlatSystem
from symag.traces import html, table, vcd
from symag.traces.page.writing import packed, unpacked
from tests.traces.random_traces import traced_systems

MODEL = """MODULE cell(a)
VAR s : {idle, busy};
DEFINE late := s = busy & a;
MODULE main
VAR x : 0..3; b : boolean; c : cell(b);
FROZENVAR f : -1..1;
IVAR go : boolean;
DEFINE safe := x < 3 | b;
INVARSPEC safe
"""
STEPS = (
    Step({"x": 0, "b": True, "c.s": "idle", "f": -1}, {"go": False}),
    Step({"x": 2, "b": True, "c.s": "idle", "f": -1}, {"go": True}),
    Step({"x": 3, "b": False, "c.s": "busy", "f": -1}, {"go": True}),
)
VOID = {"meta", "input", "br", "link", "img"}


class Page(HTMLParser):
    """The cells of the table, row by row, and whatever would break the page or load something."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.classes: list[list[str]] = []
        self.faults: list[str] = []
        self.feed(content)
        self.close()
        self.faults += self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if {"src", "href", "onclick", "onload"} & named.keys() or tag in ("link", "img", "iframe"):
            self.faults.append(f"{tag} loads or runs something")
        if tag == "script" and named.get("type") != "application/json":
            self.faults.append("a script that runs")
        if tag == "tr":
            self.rows.append([])
            self.classes.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.classes[-1].append(named.get("class") or "")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"unexpected </{tag}>")

    def handle_data(self, data: str) -> None:
        if "tr" in self.open and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


def page(trace: Trace) -> Page:
    system = read_text(MODEL, "m.smv")
    checked = system.properties[0]
    report = trace_report(system, trace, checked, formulas=formulas(system, checked, trace))
    return Page(table.fragment(report, "a note"))


def test_golden_table() -> None:
    shown = page(Trace("finite", STEPS))
    assert shown.faults == []
    assert shown.rows == [
        ["state", "1", "2", "3"],
        ["Property and its parts"],
        ["safe", "true", "true", "false"],
        ["x < 3 | b", "true", "true", "false"],
        ["x < 3", "true", "true", "false"],
        ["State"],
        ["x", "0", "2", "3"],
        ["b", "TRUE", "TRUE", "FALSE"],
        ["c.s", "idle", "idle", "busy"],
        ["Frozen"],
        ["f", "-1", "-1", "-1"],
        ["Inputs, on the way to the next state"],
        ["go", "FALSE", "TRUE", "TRUE"],
        ["DEFINEs"],
        ["safe", "TRUE", "TRUE", "FALSE"],
        ["c.late", "FALSE", "FALSE", "FALSE"],
    ]
    changed = {row[0]: marks[1:] for row, marks in zip(shown.rows, shown.classes, strict=True) if "changed" in marks}
    assert changed == {
        "x": ["", "changed", "changed"],
        "b": ["", "", "changed"],
        "c.s": ["", "", "changed"],
        "go": ["", "changed", ""],
        "safe": ["", "", "changed"],
    }
    assert shown.classes[0] == ["", "", "", "bad"]


def test_a_lasso_returns() -> None:
    shown = page(Trace("lasso", STEPS, 1))
    assert shown.faults == []
    assert shown.rows[0] == ["state", "1", "2", "3", "↩ 2"]
    assert shown.classes[0] == ["", "", "in-loop", "bad in-loop", "back"]
    assert shown.rows[6] == ["x", "0", "2", "3", "2"]
    assert shown.classes[6] == ["", "", "changed", "changed", "changed"]


@settings(max_examples=25, deadline=None)
@given(traced_systems())
def test_every_table_is_whole_and_loads_nothing(pair: tuple[FlatSystem, Trace]) -> None:
    system, trace = pair
    checked = system.properties[0]
    content = table.fragment(trace_report(system, trace, checked, formulas=formulas(system, checked, trace)), "")
    shown = Page(content)
    assert shown.faults == []
    assert "url(" not in content
    assert not re.search(r"https?:", content)
    widths = {len(row) for row in shown.rows} - {1}
    assert widths == {1 + len(trace.steps) + (trace.loop is not None)}


def test_texts_of_a_model_are_only_texts() -> None:
    """A name or a path cannot break out of its place."""
    system = read_text("MODULE main VAR x : boolean; INVARSPEC x -> !(x & x)", "</script><b>.smv")
    trace = Trace("finite", (Step({"x": True}),))
    report = trace_report(system, trace, system.properties[0])
    assert Page(table.fragment(report, "</div><b>")).faults == []
    text = html.text(report)
    assert "<b>.smv" not in text
    # One with the data, one that runs.
    assert text.count("</script>") == text.count("<script") == 2


@given(st.lists(st.sampled_from([None, "a", "b", "<c>"]) | st.integers(0, 5000).map(str), min_size=1, max_size=300))
def test_columns_come_back(column: list[str | None]) -> None:
    steps = len(column)
    small = json.loads(json.dumps(packed(column)))
    assert unpacked(small, steps) == tuple(column)
    repeated = [text for text in column for _ in range(20)]
    long = packed(repeated)
    assert unpacked(long, len(repeated)) == tuple(repeated)
    # What stays the same costs nothing: at most one pair of numbers a change, as "25, 20, " or "-1, 20, ".
    pair = len(f"{-len(long['t'])}, 20, ")
    assert len(json.dumps(long)) <= len(json.dumps(small)) + pair * steps


def test_golden_dump(tmp_path: Path) -> None:
    system = read_text(MODEL, "m.smv")
    lines = vcd.text(trace_report(system, Trace("finite", STEPS[:2]), system.properties[0])).splitlines()
    assert lines[0].startswith('$comment {"symag":"trace"')
    assert "$date" not in lines[1]
    assert (
        lines[1:]
        == """\
$timescale 1 ns $end
$version symag $end
$scope module main $end
$var integer 32 ! f $end
$var integer 32 " x $end
$var wire 1 # b $end
$var wire 1 % go $end
$var wire 1 & safe $end
$scope module c $end
$var string 1 $ s $end
$var wire 1 ' late $end
$upscope $end
$upscope $end
$scope module symag $end
$var wire 1 ( loop $end
$scope module code $end
$scope module c $end
$var integer 32 ) s $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
b11111111111111111111111111111111 !
b0 "
1#
sidle $
0%
1&
0'
0(
b0 )
$end
#1
b10 "
1%
#2""".splitlines()
    )


def test_another_reader_of_dumps_sees_symbols_properties_and_the_loop(tmp_path: Path) -> None:
    vcdvcd = pytest.importorskip("vcdvcd")
    system = read_text(MODEL + "LTLSPEC NAME far.off := F x = 1\nINVARSPEC NAME far_off := x < 4", "m.smv")
    trace = Trace("lasso", STEPS, 1)
    file = tmp_path / "t.vcd"
    write_trace(file, system, None, dumped_report(system, system.properties[0], trace), "vcd")
    dump = vcdvcd.VCDVCD(str(file))
    comment = json.loads(file.read_text().splitlines()[0].removeprefix("$comment ").removesuffix(" $end"))

    def values(name: str) -> list[str]:
        return [dump[name][time] for time in range(4)]

    codes = {str(number): text for text, number in comment["codes"]["c.s"].items()}
    assert [codes[str(int(value, 2))] for value in values("symag.code.c.s")] == ["idle", "idle", "busy", "idle"]
    assert values("symag.loop") == ["0", "1", "1", "1"]
    truths = {text: values(f"symag.property.{name}") for name, text in comment["properties"].items()}
    assert truths == {"safe": ["1", "1", "0", "1"], "F x = 1": ["0"] * 4, "x < 4": ["1"] * 4}
    found, traces = read_trace(str(file), system)
    assert traces == (trace,)
    assert found is not None


def test_golden_json(tmp_path: Path) -> None:
    system = read_text(MODEL, "m.smv")
    path = tmp_path / "t.json"
    write_trace(path, system, None, trace_report(system, Trace("lasso", STEPS[:1], 0), purpose="Simulation"), "json")
    document = json.loads(path.read_text())
    assert list(document) == ["schema", "kind", "symag", "model", "sha256", "property", "evidence"]
    assert (document["kind"], document["model"], document["property"]) == ("trace", "m.smv", None)
    assert document["evidence"] == {
        "kind": "lasso",
        "steps": [
            {"state": {"x": 0, "b": True, "c.s": "idle", "f": -1}, "input": {"go": False}, "action": None},
        ],
        "loop": 0,
    }
