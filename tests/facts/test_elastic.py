"""Dataflow circuits of public units: what is known to hold is proved by facts, what does not is refuted."""

from __future__ import annotations

import json

import pytest

from symag.core.limits import Limits, no_progress
from symag.core.results import Verdict
from symag.smv import read
from symag.smv.certify import accept
from symag.smv.checking.facts import model_facts
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.parts import decide

QUICK = """pipe_fj_1 pipe_fj_1_pristine diamond_2x2 diamond_3x3 pipe_fj_3 pipe_fj_long12
nested_2 miter_pipe_3 miter_e miter_d_4""".split()


@pytest.mark.parametrize("name", QUICK)
def test_every_property_is_decided(suites, name):
    lines = (suites / "smv" / "elastic-verdicts.jsonl").read_text().splitlines()
    (known,) = (entry for entry in map(json.loads, lines) if entry["model"] == name)
    system = read(suites / "smv" / "elastic" / f"{name}.smv")
    assert len(known["properties"]) == len(system.properties)
    for expected, checked in zip(known["properties"], system.properties, strict=True):
        result = accept(system, checked, decide(system, checked, SmvOptions(), no_progress), None)
        assert result.certified
        wanted = Verdict.HOLDS if expected["verdict"] == "true" else Verdict.VIOLATED
        assert result.verdict is wanted, expected["name"]


def test_facts_name_the_shared_conditions_of_a_btor2_file(suites):
    """Its invariant needs two of them, ``__n36`` and ``__n44``: in state 2 the low bits of the buffer are 0."""
    system = read_flat_system(str(suites / "btor2" / "sby_prove.btor2"))
    (checked,) = system.properties
    result = accept(system, checked, decide(system, checked, SmvOptions(invariants="facts"), no_progress), None)
    assert result.certified
    assert result.verdict is Verdict.HOLDS


def test_facts_that_are_printed_are_in_the_names_of_a_btor2_file(suites):
    """The Verilog design that the file is made from has no ``__n36``."""
    system = read_flat_system(str(suites / "btor2" / "sby_prove.btor2"))
    printed = model_facts(system, None, "defines", 0, Limits(), no_progress)
    assert printed.facts
    assert "__n" not in " ".join(fact.text for fact in printed.facts)
