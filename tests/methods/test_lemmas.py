"""Facts as lemmas of k-induction and PDR: right against the explicit-state judge, carried and re-checked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read, read_text
from symag.smv.certify import accept
from symag.smv.certify.acceptance import check_certificate
from symag.smv.methods import k_induction
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from tests.brute_force import Explicit
from tests.strategies import models

ENGINES = {"k-induction": k_induction.decide, "pdr": pdr.decide}

#: Two counters of tokens that move together; neither is bounded by itself.
TOGETHER = """MODULE main IVAR go : boolean; VAR a : 0..40; b : 0..40; last : boolean;
ASSIGN init(a) := 0; init(b) := 0; init(last) := FALSE; next(last) := go;
next(a) := go & a < 40 ? a + 1 : 0; next(b) := go & b < 40 ? b + 1 : 0;
INVARSPEC a = 40 -> b = 40
"""


@settings(max_examples=40, deadline=None)
@given(models(fairness=False), st.sampled_from(sorted(ENGINES)), st.booleans(), st.integers(0, 3))
def test_verdicts_are_right_and_certified(text, engine, cone, seed):
    system = read_text(text)
    explicit = Explicit(system)
    options = SmvOptions(cone_of_influence=cone, seed=seed, bound=20, facts=True)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = ENGINES[engine](system, checked, options, no_progress)
        violation = explicit.shortest_violation(checked)
        if result.verdict is Verdict.UNKNOWN:
            assert engine == "k-induction"
            continue
        assert (result.verdict is Verdict.VIOLATED) == (violation is not None)
        assert accept(system, checked, result, None).certified


@pytest.mark.long
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_what_has_no_short_proof_alone_has_one_with_facts(suites, engine):
    system = read(suites / "smv" / "elastic" / "nested_2.smv")
    checked = system.properties[0]
    result = ENGINES[engine](system, checked, SmvOptions(facts=True, bound=3), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.certificate.lemmas
    assert result.certificate.steps == 1
    assert accept(system, checked, result, None).certified
    assert k_induction.decide(system, checked, SmvOptions(bound=3), no_progress).verdict is Verdict.UNKNOWN


def test_the_certificate_needs_its_facts():
    system = read_text(TOGETHER)
    (checked,) = system.properties
    result = k_induction.decide(system, checked, SmvOptions(facts=True, bound=2), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert check_certificate(system, checked, result.certificate)
    for lemmas in ((), (*result.certificate.lemmas, "!last")):
        with pytest.raises(CertificationError):
            check_certificate(system, checked, replace(result.certificate, lemmas=lemmas))
