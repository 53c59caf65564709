"""What a format writes, it reads back as the same trace; what is not a trace is one line with its place."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from symag.core.errors import InputError
from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.checking.trace_files import FORMATS, NAMES, read_trace, write_trace
from symag.smv.model.flat import FlatSystem
from symag.traces import plain
from tests.traces.random_traces import traced_systems


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(traced_systems())
def test_every_format_gives_the_trace_back(tmp_path: Path, pair: tuple[FlatSystem, Trace]) -> None:
    system, trace = pair
    checked = system.properties[0]
    report = trace_report(system, trace, checked)
    for name in NAMES:
        path = tmp_path / f"trace.{name}"
        write_trace(path, system, checked, report, name)
        found, traces = read_trace(str(path), system)
        assert traces == (trace,), name
        assert found is None or found.text == checked.text
    path = tmp_path / "full.txt"
    path.write_text("\n".join(plain.lines(report, full=True)))
    assert read_trace(str(path), system)[1] == (trace,)


MODEL = """MODULE main
VAR x : 0..3;
IVAR go : boolean;
INVARSPEC x < 3
SPEC AG x < 3
"""
PLAIN = """-- invariant x < 3  is false
Trace Description: AG alpha Counterexample
Trace Type: Counterexample
  -> State: 1.1 <-
    x = 0
  -> Input: 1.2 <-
    go = TRUE
  -> State: 1.2 <-
    x = 3
"""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.txt:1: no trace in this file"),
        ("hello\n", "t.txt:1: no trace in this file"),
        (PLAIN.replace("State: 1.2", "State: 1.3"), "t.txt:8: State 1.3 is out of order: expected State 1.2"),
        (
            PLAIN.replace("  -> State: 1.1 <-\n    x = 0\n", ""),
            "t.txt:4: Input 1.2 is out of order: expected State",
        ),
        (PLAIN.replace("    x = 0\n", "").replace("  -> State: 1.1 <-\n", ""), "t.txt:4: Input 1.2 is out of order"),
        (PLAIN.replace("x = 3", "y = 3"), "t.txt:9: the model has no variable and no DEFINE y"),
        (PLAIN.replace("go = TRUE", "x = 1"), "t.txt:5: x is a state variable of the model, but not in this trace"),
        (PLAIN.replace("x = 3", "go = TRUE"), "t.txt:7: go is an input of the model, but not in this trace"),
        (PLAIN.replace("  -> State: 1.1", "  -> State 1.1"), "t.txt:4: '-> State 1.1 <-' is not a line of a trace"),
        ("\n".join(PLAIN.splitlines()[:3]), "t.txt:3: the trace has no states"),
        (PLAIN.replace("x < 3", "x < 2"), "t.txt: trace of a property that the model does not have: x < 2"),
        (PLAIN + "  -- Loop starts here\n", "t.txt:10: the loop has no states"),
        (
            PLAIN.replace("  -> State: 1.1", "  -- Loop starts here\n  -> State: 1.1"),
            "t.txt: the last state is not that of step 1, where the loop starts",
        ),
        (PLAIN + PLAIN.replace("1.", "2."), "t.txt: 2 traces in this file: choose one of 1, 2 with --number"),
    ],
)
def test_a_broken_text_is_one_line(tmp_path: Path, content: str, message: str) -> None:
    refuse(tmp_path / "t.txt", content, message)


XML = """<?xml version="1.0" encoding="UTF-8"?>
<counter-example type="0" id="1" desc="AG alpha Counterexample" >
<node>
<state id="1">
<value variable="x">0</value>
</state>
</node>
<loops> </loops>
</counter-example>
"""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (XML[:150], "t.xml:5: not an XML trace, or a truncated one: unclosed token"),
        (XML.replace("counter-example", "trace"), "t.xml:2: unexpected <trace> as the document"),
        (XML.replace("<node>", "<knot>"), "t.xml:3: unexpected <knot> in <counter-example>"),
        (XML.replace(' variable="x"', ""), "t.xml:5: <value> without the attribute variable"),
        (XML.replace('"x"', '"z"'), "t.xml:5: the model has no variable and no DEFINE z"),
        (XML.replace("s> <", "s> x <"), "t.xml:8: 'x' are no loops: expected numbers of states"),
        (XML.replace("s> <", "s> 1 <"), "t.xml: the loop starts at state 1, which does not precede the last"),
        (XML.replace("<node>", "<node><input/>"), "t.xml:3: <input> before the first <state>"),
        (
            '<!DOCTYPE a [<!ENTITY a "aaaa">]><counter-example/>',
            "t.xml:1: a document type declaration does not belong into a trace",
        ),
        ("<counter-example/>", "t.xml: the trace has no states"),
    ],
)
def test_a_broken_document_is_one_line(tmp_path: Path, content: str, message: str) -> None:
    refuse(tmp_path / "t.xml", content, message)


def made(suffix: str) -> str:
    """A good file of two steps."""
    system = read_text(MODEL)
    steps = (Step({"x": 0}, {"go": True}), Step({"x": 3}, {"go": False}))
    return importlib.import_module(FORMATS[suffix]).text(
        trace_report(system, Trace("lasso", steps, 0), system.properties[0])
    )


@pytest.mark.parametrize(
    ("suffix", "old", "new", "message"),
    [
        ("vcd", "symag", "other", "t.vcd:1: not a trace: expected a dump with symag's comment in its header"),
        ("vcd", "#1", "#7", "t.vcd:18: time 7 is out of order: expected 0 to 3"),
        ("vcd", '"steps":2', '"steps":0', "t.vcd:1: malformed comment: steps is not a number above zero"),
        ("vcd", '"steps":2', '"steps":5', "t.vcd: truncated: 3 of 5 steps"),
        ("vcd", '"loop":0', '"loop":2', "t.vcd: malformed comment: there is no step 2 to return to"),
        ("vcd", "integer", "real", "t.vcd:1: malformed comment: states do not name types of variables"),
        ("vcd", "b11 !", "b1x !", "t.vcd:19: x has the value '1x', which is not a value of type integer"),
        ("vcd", "b11 !", "b11 Q", "t.vcd:19: change of a signal 'Q' that is not declared"),
        ("vcd", "$upscope $end", "$upscope", "t.vcd:8: not a dump, or a truncated one: "),
        ("vcd", "$scope module main $end", "", "t.vcd:7: $upscope without a $scope"),
        ("html", 'id="symag-trace"', "", "t.html: not a page of symag's with a trace, or a truncated one"),
        ("html", "</script>", "", "t.html:"),
        ("html", '"loop":0', '"loop":9', "the trace in the page is malformed: there is no step 9 to return to"),
        ("html", '"t":["0","3"]', '"t":{}', "malformed: a signal has no list of texts"),
        ("html", '"t":["0","3"]', '"t":["0",3]', "malformed: a signal has no list of texts"),
        ("html", '"t":["0","3"]', '"t":["0"]', "malformed: a signal has a value that is not in its list"),
        ("html", '"c":[0,0,1,1]', '"c":[0,0,7,1]', "malformed: a signal changes at a step that does not exist"),
        ("html", '"name":"x"', '"name":1', "malformed: a signal has no name, kind or group"),
        ("html", '"steps":2', '"steps":0', "malformed: it has no steps"),
        ("html", '"steps":2', '"steps":900000000', "which is too much for a page"),
        ("html", '"symag":"trace"', '"symag":"else"', "malformed: it is not a trace"),
        ("html", '{"symag"', '{symag"', "malformed: Expecting property name"),
    ],
)
def test_a_broken_dump_or_page_is_one_line(tmp_path: Path, suffix: str, old: str, new: str, message: str) -> None:
    content = made(suffix)
    assert old in content
    refuse(tmp_path / f"t.{suffix}", content.replace(old, new, 1), message)


def refuse(path: Path, content: str, message: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        read_trace(str(path), read_text(MODEL))
    assert str(caught.value).removeprefix(f"{path.parent}/").find(message) >= 0
    assert "\n" not in str(caught.value)


def test_one_of_several_traces_is_chosen_by_number_or_property(tmp_path: Path) -> None:
    system = read_text(MODEL)
    path = tmp_path / "session.txt"
    second = PLAIN.replace("1.", "2.").replace("x = 0", "x = 1").replace("invariant x < 3", "specification AG x < 3")
    path.write_text("NuSMV > \n" + PLAIN + "-- invariant x < 4  is true\n" + second + "NuSMV > quit\n")
    invariant, always = sorted(system.properties, key=lambda item: item.kind, reverse=True)
    first = Trace("finite", (Step({"x": 0}, {"go": True}), Step({"x": 3})))
    assert read_trace(str(path), system, number=1) == (invariant, (first,))
    assert read_trace(str(path), system, always)[1][0].steps[0].state == {"x": 1}
    with pytest.raises(InputError, match="no such trace in this file; there are 1, 2"):
        read_trace(str(path), system, number=3)
