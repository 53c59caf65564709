"""NuSMV's own traces: read, replayed, and written again byte for byte.

``nusmv/*.txt`` and ``nusmv/*.xml`` were printed by NuSMV 2.6.0 for the models beside them (``check_invar``
or ``check_ltlspec``, then ``show_traces -p 4``).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.smv import read
from symag.smv.certify.runs.replay import check_run
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.checking.trace_files import read_trace
from symag.traces import plain, xml
from tests.cli.conftest import Symag, symag

__all__ = ["symag"]

FOLDER = Path(__file__).parent / "nusmv"
MODELS = ("kinds", "processes", "nested", "sections")


@pytest.mark.parametrize("name", MODELS)
def test_texts_and_documents_are_written_as_nusmv_does(name: str) -> None:
    system = read(str(FOLDER / f"{name}.smv"))
    for suffix in ("txt", "xml"):
        path = FOLDER / f"{name}.{suffix}"
        _, traces = read_trace(str(path), system)
        for trace in traces:
            check_run(system, trace)
        report = trace_report(system, traces[0], system.properties[0])
        if suffix == "xml":
            assert xml.text(report, every_loop=True) == path.read_text()
        else:
            heading = path.read_text().splitlines()[:2]
            assert [*heading, *plain.lines(report, every_loop=True)] == path.read_text().splitlines()
            assert [line.split() for line in plain.text(report).splitlines()[:2]] == [line.split() for line in heading]


def test_replay_of_nusmv_files(symag: Symag) -> None:
    ran = symag("replay", FOLDER / "kinds.smv", FOLDER / "kinds.xml")
    assert ran.status == 10
    assert ran.out.endswith("trace against w != 0ud8_0  accepted: the property is violated\n")
    assert symag("replay", FOLDER / "kinds.smv", FOLDER / "kinds.txt", "--json").json["index"] == 0


@pytest.mark.parametrize("suffix", ["txt", "xml"])
def test_replay_of_a_fair_lasso_of_processes(symag: Symag, suffix: str) -> None:
    """Only one of the three loops that NuSMV names is fair."""
    ran = symag("replay", FOLDER / "processes.smv", FOLDER / f"processes.{suffix}", "--json")
    assert (ran.status, ran.json["refuted"]) == (10, [0])


def test_the_loops_of_a_lasso_are_all_tried() -> None:
    system = read(str(FOLDER / "processes.smv"))
    _, traces = read_trace(str(FOLDER / "processes.xml"), system)
    assert [trace.loop for trace in traces] == [2, 3, 5]
    assert all(len(trace.steps) == 6 for trace in traces)
    assert traces[0].steps[0].inputs == {"_process_selector_": "p", "i": "a"}
