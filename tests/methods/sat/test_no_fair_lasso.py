"""Liveness by PDR with its certificates, against explicit-state judges: they prove what they claim, nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.temporal import NoFairLasso
from symag.smv.certify import accept, check_certificate, read_certificate, write_certificate
from symag.smv.certify.runs.replay import is_refutation
from symag.smv.methods import bmc, k_induction, monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.pdr import k_liveness
from symag.smv.model.flat import FlatSystem
from tests.explicit_ctl import ExplicitCtl
from tests.explicit_ltl import holds
from tests.linear_models import system_of

LINEAR = ("G F x", "F G x", "G (x -> F !x)", "x U y", "F (x & O y)", "G !y", "X X y", "G F i", "F (x & i)", "F G i")
BRANCHING = (
    "AF x",
    "AG (x -> AF !x)",
    "A [x U y]",
    "AG AF y",
    "!E [x U y]",
    "!EG x",
    "AX (y | AX x)",
    "AF x & !EF (x & EG y)",
    "AG (x | y | AF x)",
    "A [AX y U x]",
    "!E [x U EG y]",
)
#: CTL that no formula of LTL means, or that is not shown to be one here.
OTHERS = ("AF AG x", "AG EF x", "AX x | AX y", "A [x U AG y]", "!E [EX x U y]", "AF x <-> AF y", "ABF 0..2 x")
SEQUENCES = ("always {x; y} |=> {y[*]; x}!", "never {x; y; x}", "{x[*]; y}!", "always ({!y; x} |-> eventually! y)")


def _confirmed(system: FlatSystem, result: PropertyResult, expected: bool) -> None:
    """The verdict is the expected one, and its evidence is accepted."""
    (checked,) = system.properties
    assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)
    if expected:
        assert isinstance(result.certificate, NoFairLasso)
        assert check_certificate(system, checked, result.certificate)
    else:
        assert result.trace is not None
        assert is_refutation(system, checked, result.trace)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**14 - 1), st.sampled_from(LINEAR[:7]), st.booleans())
def test_ltl(seed: int, formula: str, cone: bool) -> None:
    system = system_of(seed, f"LTLSPEC {formula}")
    (checked,) = system.properties
    assert checked.expression is not None
    result = pdr.decide(system, checked, SmvOptions(cone_of_influence=cone), no_progress)
    if isinstance(result.certificate, NoFairLasso) or result.verdict is Verdict.VIOLATED:
        _confirmed(system, result, holds(system, checked.expression))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**14 - 1), st.sampled_from(LINEAR))
def test_ltl_of_transitions(seed: int, formula: str) -> None:
    system = system_of(seed, f"LTLSPEC {formula}")
    (checked,) = system.properties
    # By decision diagrams, which other tests compare with the explicit judge.
    expected = monolithic.decide(system, checked, SmvOptions(), no_progress).verdict is Verdict.HOLDS
    result = pdr.decide(system, checked, SmvOptions(), no_progress)
    if isinstance(result.certificate, NoFairLasso) or not expected:
        _confirmed(system, result, expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**14 - 1), st.sampled_from(BRANCHING))
def test_ctl(seed: int, formula: str) -> None:
    system = system_of(seed, f"SPEC {formula}")
    (checked,) = system.properties
    assert checked.expression is not None
    expected = ExplicitCtl(system).holds(checked.expression)
    if not system.compassion:
        # The judge and NuSMV do not know COMPASSION in CTL.
        _confirmed(system, pdr.decide(system, checked, SmvOptions(), no_progress), expected)
    result = k_liveness.decide(system, checked, SmvOptions(), no_progress)
    if result.certificate is not None:
        assert expected
        assert check_certificate(system, checked, result.certificate)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**14 - 1), st.sampled_from(("x -> !y", "x | y", "!y", "!x")), st.booleans())
def test_invariants_of_fair_runs_by_k_induction(seed: int, body: str, cone: bool) -> None:
    system = system_of(seed, f"LTLSPEC G ({body})")
    (checked,) = system.properties
    expected = monolithic.decide(system, checked, SmvOptions(), no_progress).verdict is Verdict.HOLDS
    result = k_induction.decide(system, checked, SmvOptions(cone_of_influence=cone), no_progress)
    assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)
    assert accept(system, checked, result, None).certified


def test_an_induction_over_lassos_has_a_certificate() -> None:
    system = read_text(
        "MODULE main VAR x : 0..3; FAIRNESS x = 0 | x = 1; CTLSPEC AG x != 2\n"
        "ASSIGN init(x) := 0; next(x) := case x = 0 : {0, 1, 2}; x = 2 : 3; TRUE : x; esac;"
    )
    _confirmed(system, k_induction.decide(system, system.properties[0], SmvOptions(), no_progress), True)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**14 - 1), st.sampled_from(SEQUENCES))
def test_psl(seed: int, formula: str) -> None:
    system = system_of(seed, f"PSLSPEC {formula}")
    (checked,) = system.properties
    expected = monolithic.decide(system, checked, SmvOptions(), no_progress).verdict is Verdict.HOLDS
    _confirmed(system, pdr.decide(system, checked, SmvOptions(), no_progress), expected)
    bounded = bmc.decide(system, checked, SmvOptions(bound=12), no_progress)
    if not expected:
        _confirmed(system, bounded, expected)
    result = k_liveness.decide(system, checked, SmvOptions(), no_progress)
    assert (result.verdict is Verdict.HOLDS) is expected or system.compassion
    if result.certificate is not None:
        assert expected
        assert check_certificate(system, checked, result.certificate)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**13 - 1), st.integers(0, 2**13 - 1), st.sampled_from(LINEAR))
def test_a_borrowed_certificate_proves_no_wrong_claim(seed: int, other: int, formula: str) -> None:
    lender, borrower = (system_of(number, f"LTLSPEC {formula}") for number in (seed, other))
    certificate = pdr.decide(lender, lender.properties[0], SmvOptions(), no_progress).certificate
    if not isinstance(certificate, NoFairLasso):
        return
    (checked,) = borrower.properties
    for copied in (certificate.copied, certificate.copied[1:], ()):
        for clauses in (certificate.clauses, certificate.clauses[1:], ()):
            try:
                accepted = check_certificate(borrower, checked, replace(certificate, copied=copied, clauses=clauses))
            except CertificationError:
                continue
            assert accepted
            assert monolithic.decide(borrower, checked, SmvOptions(), no_progress).verdict is Verdict.HOLDS


@pytest.mark.parametrize("formula", OTHERS)
def test_other_ctl_is_unsupported(formula: str) -> None:
    system = system_of(0, f"SPEC {formula}")
    for method in (pdr, k_liveness):
        with pytest.raises(UnsupportedError):
            method.decide(system, system.properties[0], SmvOptions(), no_progress)


_COUNTER = (
    "MODULE main VAR x : 0..3; IVAR go : boolean; ASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x; JUSTICE go; "
    "LTLSPEC F x = 3"
)


@pytest.mark.parametrize(
    "change",
    [
        {"clauses": ()},
        {"copied": ()},
        {"eventualities": ("G x = 3",)},
        {"observers": ()},
        {"observers": (("x", "F x = 3"),)},
        {"observers": (("LOOP.saved", "F x = 3"),)},
        {"copied": (("x", 0), ("x", 0))},
        {"copied": (("go", 0),)},
        {"copied": (("x", 2),)},
        {"clauses": ((("LOOP.met", 9, False),),)},
        {"clauses": ((("x", 0, True),),)},
    ],
)
def test_a_changed_certificate_is_refused(change: dict[str, object], tmp_path) -> None:
    system = read_text(_COUNTER)
    (checked,) = system.properties
    certificate = pdr.decide(system, checked, SmvOptions(), no_progress).certificate
    assert isinstance(certificate, NoFairLasso)
    path = tmp_path / "c.json"
    write_certificate(path, system, checked, certificate)
    assert read_certificate(path, system) == (checked, certificate)
    with pytest.raises(CertificationError):
        check_certificate(system, checked, replace(certificate, **change))
