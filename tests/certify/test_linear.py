"""LTL on lassos and certificates of fair emptiness, against the explicit judge."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.certificates import DiagramTable, FairEmptiness
from symag.certify import check_certificate
from symag.certify.lasso import holds_along
from symag.errors import CertificationError
from symag.smv import read_text
from symag.smv.flat import FlatSystem, Property
from symag.traces import Step, Trace
from tests.brute_force import Explicit
from tests.explicit_ltl import holds, true_on
from tests.linear_models import linear_formula, linear_model

#: The certificate that says nothing: certify searches all by itself.
EVERYTHING = FairEmptiness(DiagramTable((), ()), (), (), (1,), ())


def is_accepted(system: FlatSystem, property_: Property, evidence: FairEmptiness) -> bool:
    try:
        assert check_certificate(system, property_, evidence)
    except CertificationError:
        return False
    return True


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_the_largest_set_proves_exactly_what_holds(seed: int) -> None:
    system = read_text(linear_model(random.Random(seed), temporal=2))
    (checked,) = system.properties
    assert checked.expression is not None
    assert is_accepted(system, checked, EVERYTHING) is holds(system, checked.expression)
