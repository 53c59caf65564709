"""SMV to AIGER and back: equal verdicts on random systems, by the brute-force checker; ABC as a second judge."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.source import SourceText
from symag.core.values import replace
from symag.smv import read, read_text
from symag.smv.aiger import ascii_text, binary_bytes, parse, to_system
from symag.smv.certify import accept
from symag.smv.convert.aiger import is_expressible, to_aiger
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.model.printer import flat_text
from symag.smv.symbolic.system import encode
from symag.smv.traversal.fairness import FairConstraints
from tests.brute_force import Explicit, find_error
from tests.strategies import models

QUIET = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
SOURCE = SourceText.of("<graph>", "")


def _verdict(system, checked):
    """The verdict on an invariant, with its evidence accepted."""
    result = monolithic.decide(system, checked, SmvOptions(), no_progress)
    assert result.verdict is not Verdict.UNKNOWN
    assert accept(system, checked, result, None).certified
    return result.verdict is Verdict.HOLDS


def _has_fair_run(graph, number):
    """Whether a run of the graph violates its justice property of this number."""
    fair = replace(graph, fairness=(*graph.fairness, *graph.justice[number]), justice=(), bad=())
    symbolic = encode(to_system(fair, SOURCE))
    return (FairConstraints.of(symbolic).runs().states & symbolic.initial_states()) != symbolic.context.false


@QUIET
@given(models(properties=2, largest=64))
def test_verdicts_survive_the_way_to_aiger_and_back(text):
    system = read_text(text)
    explicit = Explicit(system)
    chosen = [checked for checked in system.properties if is_expressible(system, checked)]
    exported = to_aiger(system, chosen)
    if exported.is_total:
        assert find_error(system) is None
    assume(find_error(system) is None)
    graph = exported.graph
    assert parse(ascii_text(graph).encode(), "graph.aag") == graph
    assert parse(binary_bytes(graph), "graph.aig") == graph
    again = to_system(graph, SOURCE)
    invariants = [checked for checked in again.properties if checked.kind == "INVARSPEC"]
    for original, checked in zip(exported.bad, invariants, strict=True):
        assert _verdict(again, checked) == explicit.holds(original), (text, original.text)
    for number, original in enumerate(exported.justice):
        assert _has_fair_run(graph, number) != explicit.holds(original), (text, original.text)
    printed = read_text(flat_text(again))
    assert [variable.name for variable in printed.variables] == [variable.name for variable in again.variables]


@QUIET
@given(models(properties=1, largest=32), st.sampled_from(["G F", "F G", "F", "G"]))
def test_ltl_survives_the_way_to_aiger_and_back(text, operators):
    system = read_text(text.replace("SPEC AG", f"LTLSPEC {operators}"))
    assume(find_error(system) is None)
    for checked in system.properties:
        if checked.kind != "LTL" or not is_expressible(system, checked):
            continue
        expected = monolithic.decide(system, checked, SmvOptions(), no_progress).verdict
        exported = to_aiger(system, [checked])
        if exported.justice:
            assert _has_fair_run(exported.graph, 0) == (expected is Verdict.VIOLATED), (text, checked.text)
        again = to_system(exported.graph, SOURCE)
        assert monolithic.decide(again, again.properties[0], SmvOptions(), no_progress).verdict is expected


def test_justice_properties_stay_beside_others():
    """A circuit with several justice properties, fairness and a bad literal is written as it was read."""
    text = "aag 3 1 2 0 0 1 0 2 1\n2\n4 2 0\n6 4 0\n4\n1\n2\n4\n4\n7\n2\nc\n"
    system = to_system(parse(text.encode(), "graph.aag"), SOURCE)
    assert [checked.kind for checked in system.properties] == ["LTL", "LTL", "INVARSPEC"]
    graph = to_aiger(system, system.properties).graph
    assert (graph.bad, graph.justice, graph.fairness) == ((4,), ((4,), (4, 7)), (2,))
    again = to_system(graph, SOURCE)
    assert [_verdict(again, checked) for checked in again.properties] == [False, False, False]


def test_a_justice_property_without_literals_stays_beside_others():
    text = "aag 1 1 0 0 0 1 0 2 1\n2\n2\n0\n1\n3\n2\n"
    system = to_system(parse(text.encode(), "graph.aag"), SOURCE)
    graph = to_aiger(system, system.properties).graph
    assert (graph.bad, graph.justice, graph.fairness) == ((2,), ((1,), (3,)), (2,))
    again = to_system(graph, SOURCE)
    assert [_verdict(again, checked) for checked in again.properties] == [False, False, False]


def test_what_can_fail_is_told_from_what_cannot():
    for text, total in (
        ("VAR x : 0..5; ASSIGN next(x) := case x < 5 : x + 1; TRUE : 0; esac;", True),
        ("VAR x : 0..5; ASSIGN next(x) := case x < 4 : x + 1; x = 4 : 5; TRUE : 0; esac;", True),
        ("VAR x : 0..5; ASSIGN next(x) := x + 1;", False),
        ("VAR x : 0..5; ASSIGN next(x) := case x < 5 : x + 1; esac;", False),
        ("VAR x : 0..5; ASSIGN next(x) := {x, 6};", False),
        ("VAR x : 0..5; ASSIGN next(x) := {x, 3};", True),
        ("VAR x : {a, b}; y : {b, c}; ASSIGN next(x) := y;", False),
        ("VAR x : {a, b}; y : {b, c}; ASSIGN next(x) := case y = b : y; TRUE : a; esac;", True),
    ):
        system = read_text(f"MODULE main {text} INVARSPEC x = x")
        assert to_aiger(system, system.properties).is_total == total, text


def test_a_code_without_a_value_is_none_of_a_set():
    """It stands for the number 0 in the circuits, which is a value of both sets."""
    text = "VAR x : {0, 2, 5}; ASSIGN init(x) := {2, 0}; next(x) := {5, 0}; INVARSPEC x > 5"
    system = read_text(f"MODULE main {text}")
    explicit = Explicit(to_system(to_aiger(system, system.properties).graph, SOURCE))
    valuations = [explicit.valuation(state) for state in explicit.reachable()]
    assert len(valuations) > 3
    assert not any(valuation["x[0]"] and valuation["x[1]"] for valuation in valuations)


def test_a_property_that_is_no_invariant_is_refused():
    system = read_text("MODULE main VAR x : boolean; SPEC AF x")
    with pytest.raises(UnsupportedError):
        to_aiger(system, system.properties)
    several = read_text("MODULE main VAR x : boolean; LTLSPEC F x INVARSPEC x")
    with pytest.raises(UnsupportedError):
        to_aiger(several, several.properties)


def test_assignments_need_no_constraints_and_the_last_state_no_successor():
    system = read_text("""
MODULE main
VAR n : 0..5; free : 0..2; w : boolean; stop : boolean;
ASSIGN init(n) := 0; next(n) := case n < 5 : n + 1; TRUE : 0; esac; w := n = 3 & free = 1;
  init(stop) := FALSE;
TRANS next(stop) <-> (n = 2 | stop)
TRANS !stop
INVARSPEC !w
INVARSPEC !stop
INVARSPEC n < 4
""")
    graph = to_aiger(system, system.properties).graph
    names = dict(graph.symbols)
    assert [names["i", k] for k in range(len(graph.inputs))] == ["free[0]", "free[1]", "stop'"]
    assert [names["l", k] for k in range(len(graph.latches))] == ["n[0]", "n[1]", "n[2]", "stop", "_ok_"]
    assert len(graph.constraints) == 2  # the domain of free, and _ok_
    again = to_system(graph, SOURCE)
    # stop has no successor, and is reached; n = 3 is reached together with it.
    assert (
        [_verdict(again, checked) for checked in again.properties]
        == [Explicit(system).holds(checked) for checked in system.properties]
        == [False, False, True]
    )


PAPER = {"simple8": True, "msi3": True, "syncarb6_sp1": False, "syncarb6_sp2": True, "guidance_sp1": False}


@pytest.mark.skipif(shutil.which("abc") is None, reason="abc is not on PATH")
@pytest.mark.parametrize(("name", "holds"), PAPER.items())
def test_abc_agrees_on_the_models_of_the_paper(suites: Path, tmp_path: Path, name, holds):
    system = read(str(suites / "smv" / "paper" / f"{name}.smv"))
    exported = to_aiger(system, system.properties)
    path = tmp_path / "model.aig"
    path.write_bytes(binary_bytes(exported.graph))
    asked = ["abc", "-c", f"&r {path}; &put; fold; pdr"]
    said = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=True).stdout
    assert re.search(r"Property proved" if holds else r"was asserted in frame", said), said
