"""Files damaged anywhere: they are read or refused with one line that names the file, whatever stands in them."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.checking.trace_files import FORMATS, NAMES, read_trace, write_trace
from tests.traces.random_traces import EVERY_KIND, traces_of

SYSTEM = read_text(EVERY_KIND)
INSERTED = ("", "\n", "0", "-1", "x", '"', "<", "]", "{}", "null", "#9", " = ", "\x00", "é")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_read_or_refused(tmp_path: Path, name: str, data: st.DataObject) -> None:
    trace = data.draw(traces_of(SYSTEM))
    path = tmp_path / f"trace.{name}"
    write_trace(path, SYSTEM, SYSTEM.properties[0], trace_report(SYSTEM, trace, SYSTEM.properties[0]), name)
    content = path.read_text()
    start = data.draw(st.integers(0, len(content)))
    end = min(len(content), start + data.draw(st.integers(0, 40)))
    inserted = data.draw(st.sampled_from(INSERTED))
    path.write_text(content[:start] + inserted + content[end:])
    try:
        _, traces = read_trace(str(path), SYSTEM)
    except InputError as refused:
        message = str(refused)
    else:
        message = f"{path}: read"
        assert all(isinstance(found, Trace) and found.steps for found in traces)
    assert "\n" not in message
    assert message.startswith(str(path))


@pytest.mark.parametrize("name", FORMATS)
@given(content=st.text(max_size=80))
def test_any_text_is_refused(name: str, content: str) -> None:
    with pytest.raises(InputError):
        importlib.import_module(FORMATS[name]).read(content, "file")


def test_deep_and_huge_data_are_refused(tmp_path: Path) -> None:
    system = read_text("MODULE main VAR x : boolean; INVARSPEC x")
    good = importlib.import_module(FORMATS["html"]).text(
        trace_report(system, Trace("finite", (Step({"x": True}),)), system.properties[0])
    )
    data = json.dumps(["TRUE"])
    for other in ("[" * 100_000, "1" * 10_000, '{"x":1e999}', '{"x":NaN}'):
        path = tmp_path / "page.html"
        assert data in good
        path.write_text(good.replace(data, other, 1))
        with pytest.raises(InputError):
            read_trace(str(path), system)
