"""k-liveness against the explicit-state judge, and its certificates: they prove what they claim, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certify import check_certificate
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import k_liveness
from symag.smv.model.flat import FlatSystem
from tests.explicit_ltl import holds
from tests.linear_models import system_of

#: Formulas whose tableaux have three bits at most: with the four states of the model the product has 32.
FORMULAS = ("G F x", "F G x", "G (x -> F !x)", "x U y", "F (x & O y)", "G !y", "X X y", "G F i", "F (x & i)", "F G i")


def _holds(system: FlatSystem) -> bool:
    """By decision diagrams, which other tests compare with the explicit judge."""
    return monolithic.decide(system, system.properties[0], SmvOptions(), no_progress).verdict is Verdict.HOLDS


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**14 - 1), st.sampled_from(FORMULAS[:7]))
def test_proofs_agree_with_all_runs(seed: int, formula: str) -> None:
    system = system_of(seed, f"LTLSPEC {formula}")
    (checked,) = system.properties
    assert checked.expression is not None
    if k_liveness.decide(system, checked, SmvOptions(), no_progress).verdict is Verdict.HOLDS:
        assert holds(system, checked.expression)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**14 - 1), st.sampled_from(FORMULAS), st.booleans())
def test_proofs_are_right_certified_and_complete(seed: int, formula: str, cone: bool) -> None:
    system = system_of(seed, f"LTLSPEC {formula}")
    (checked,) = system.properties
    expected = _holds(system)
    result = k_liveness.decide(system, checked, SmvOptions(cone_of_influence=cone), no_progress)
    if result.verdict is Verdict.HOLDS:
        assert expected
        assert result.certificate is not None
        assert check_certificate(system, checked, result.certificate)
    else:
        # With COMPASSION proofs may be missing. In 32 states a run that is fair 33 times has a fair loop.
        assert result.verdict is Verdict.UNKNOWN
        assert not expected or system.compassion


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**13 - 1), st.integers(0, 2**13 - 1), st.sampled_from(FORMULAS))
def test_a_borrowed_certificate_proves_no_wrong_claim(seed: int, other: int, formula: str) -> None:
    lender, borrower = system_of(seed, f"LTLSPEC {formula}"), system_of(other, f"LTLSPEC {formula}")
    certificate = k_liveness.decide(lender, lender.properties[0], SmvOptions(), no_progress).certificate
    if certificate is None:
        return
    (checked,) = borrower.properties
    for bound in (0, certificate.bound, certificate.bound + 1):
        for clauses in (certificate.clauses, certificate.clauses[1:], ()):
            try:
                accepted = check_certificate(borrower, checked, replace(certificate, bound=bound, clauses=clauses))
            except CertificationError:
                continue
            assert accepted
            assert _holds(borrower)


_COUNTER = (
    "MODULE main VAR x : 0..3; IVAR go : boolean; ASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x; JUSTICE go; "
)


@pytest.mark.parametrize(
    "change",
    [
        {"clauses": ()},
        {"bound": -1},
        {"bound": 0},
        {"eventualities": ("G x = 3",)},
        {"observers": ()},
        {"observers": (("x", "F x = 3"),)},
        {"observers": (("LIVE.seen", "F x = 3"),)},
        {"clauses": ((("LIVE.count", 9, False),),)},
        {"clauses": ((("go", 0, True),),)},
        {"clauses": ((("x", 7, True),),)},
    ],
)
def test_a_changed_certificate_is_refused(change: dict[str, object]) -> None:
    system = read_text(_COUNTER + "LTLSPEC F x = 3")
    (checked,) = system.properties
    certificate = k_liveness.decide(system, checked, SmvOptions(), no_progress).certificate
    assert certificate is not None
    assert check_certificate(system, checked, certificate)
    with pytest.raises(CertificationError):
        check_certificate(system, checked, replace(certificate, **change))


def test_other_kinds_are_unsupported() -> None:
    system = read_text(_COUNTER + "INVARSPEC x < 4")
    with pytest.raises(UnsupportedError):
        k_liveness.decide(system, system.properties[0], SmvOptions(), no_progress)
