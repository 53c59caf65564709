"""The re-check refuses facts that are not inductive, not initial, not about states, or do not prove the property."""

from __future__ import annotations

import pytest

from symag.core.errors import CertificationError, InputError
from symag.core.limits import Deadline
from symag.smv import read_text
from symag.smv.certificates.invariants import InductiveFacts
from symag.smv.certify import check_certificate
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.inductive_facts import check_inductive_facts
from symag.smv.certify.kinds import read_certificate, write_certificate

TEXT = """MODULE main
IVAR i : boolean;
VAR a : boolean; b : boolean; c : 0..3;
ASSIGN init(a) := FALSE; next(a) := i; init(b) := FALSE; next(b) := i;
init(c) := 0; next(c) := case c < 2 : c + 1; TRUE : c; esac;
INVARSPEC a -> b
"""
GOOD = InductiveFacts(("a <-> b",), ((0,),))


def test_good_ones_are_accepted():
    system = read_text(TEXT)
    assert check_certificate(system, system.properties[0], GOOD)
    check_inductive_facts(
        EncodedSystem(system), None, InductiveFacts(("c <= 2", "a <-> b"), ((0,), ())), Deadline(None)
    )


@pytest.mark.parametrize(
    ("facts", "uses", "message"),
    [
        (("a", "a <-> b"), ((0,), ()), "an initial state violates a$"),
        (("c <= 1", "a <-> b"), ((0,), ()), "a transition leads to a state that violates c <= 1"),
        (("c <= 2", "a <-> b"), ((), ()), "a transition leads to a state that violates c <= 2"),
        (("c <= 2",), ((0,),), "the facts do not imply the property"),
        (("i | a <-> b",), ((0,),), "not about states"),
        (("next(a) <-> next(b)",), ((0,),), "not about states"),
        (("nosuch",), ((),), "cannot be read"),
        (("c + 1",), ((),), "is not a condition"),
    ],
)
def test_bad_ones_are_refused(facts, uses, message):
    system = read_text(TEXT)
    with pytest.raises(CertificationError, match=message):
        check_certificate(system, system.properties[0], InductiveFacts(facts, uses))


def test_files(tmp_path):
    system = read_text(TEXT)
    path = tmp_path / "facts.json"
    write_certificate(path, system, system.properties[0], GOOD)
    assert read_certificate(path, system) == (system.properties[0], GOOD)
    path.write_text(path.read_text().replace('"uses":[[0]]', '"uses":[[1]]'))
    with pytest.raises(InputError, match="numbers of facts"):
        read_certificate(path, system)
