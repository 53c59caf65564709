"""Facts as lemmas of sets and of assumptions: false or unproved ones are refused, needed ones are needed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, UnsupportedError
from symag.core.evidence.documents import Member
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import FactLemmas, InductiveSet
from symag.smv.certify import accept
from symag.smv.certify.acceptance import check_certificate
from symag.smv.facts.finding import Fact
from symag.smv.methods.by_parts import decision, rule_g, rule_s
from symag.smv.methods.options import SmvOptions
from symag.smv.model.typed import DefineReference
from symag.smv.model.types import BooleanType
from tests.brute_force import Explicit
from tests.strategies import models

#: Two counters of tokens that move together; neither is bounded by itself.
TOGETHER = """MODULE main IVAR go : boolean; VAR a : 0..40; b : 0..40; last : boolean;
ASSIGN init(a) := 0; init(b) := 0; init(last) := FALSE; next(last) := go;
next(a) := go & a < 40 ? a + 1 : 0; next(b) := go & b < 40 ? b + 1 : 0;
INVARSPEC a = 40 -> b = 40
"""
RULES = {"rule-g": rule_g.decide, "rule-s": rule_s.decide}


@settings(max_examples=15, deadline=None)
@given(models(properties=1, largest=64, fairness=False), st.sampled_from(sorted(RULES)), st.booleans(), st.booleans())
def test_verdicts_of_the_rules_with_facts_are_right_and_certified(text, rule, cone, one_state):
    system = read_text(text)
    options = SmvOptions(parts=2, cone_of_influence=cone, one_state_first=one_state, facts=True)
    explicit = Explicit(system)
    for checked in system.properties:
        try:
            result = RULES[rule](system, checked, options, no_progress)
        except UnsupportedError:
            continue
        if result.verdict is Verdict.UNKNOWN:
            continue
        assert (result.verdict is Verdict.HOLDS) == explicit.holds(checked)
        if result.certificate is not None or result.trace is not None:
            assert accept(system, checked, result, None).certified


@pytest.mark.parametrize("rule", sorted(RULES))
@pytest.mark.parametrize("one_state", [False, True])
def test_facts_are_carried_re_checked_and_needed(rule, one_state):
    system = read_text(TOGETHER)
    (checked,) = system.properties
    result = RULES[rule](system, checked, SmvOptions(facts=True, parts=2, one_state_first=one_state), no_progress)
    certificate = result.certificate
    assert certificate.facts.texts
    check_certificate(system, checked, certificate)
    assert type(certificate).read(_member(certificate)) == certificate
    everything = InductiveSet(DiagramTable((), ()), (1,), certificate.facts)
    check_certificate(system, checked, everything)
    with pytest.raises(CertificationError, match="a state of the set violates the property"):
        check_certificate(system, checked, replace(everything, facts=FactLemmas()))
    unproved = FactLemmas(certificate.facts.texts, tuple(() for _ in certificate.facts.texts))
    with pytest.raises(CertificationError, match="leads to a state that violates"):
        check_certificate(system, checked, replace(certificate, facts=unproved))


def test_facts_may_name_defines_that_nothing_else_reads(monkeypatch):
    """Once an internal error: the cone of influence has no such DEFINEs."""
    system = read_text(TOGETHER.replace("ASSIGN", "DEFINE small := a <= 40; ASSIGN", 1))
    (checked,) = system.properties
    fact = Fact("clause", DefineReference("small", False, BooleanType(), 0), (0,))
    monkeypatch.setattr(decision, "facts_for", lambda *given: (fact,))
    for options in (SmvOptions(facts=True), SmvOptions(facts=True, grain="bit")):
        for prepared in decision.subjects(system, checked, options, ("defines", "property", "none")):
            assert prepared.facts.texts == ("small",)
            (diagram,) = prepared.fact_diagrams
            assert prepared.symbolic.invariant() & ~diagram == prepared.symbolic.context.false


def _member(certificate):
    return Member(json.loads(json.dumps(certificate.document())), "<test>", "evidence")


#: A counter that reaches 3: ``x != 3`` is false, and every set below says that it holds.
COUNTER = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; INVARSPEC x != 3"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ((("FALSE",), ((0,),)), "an initial state violates FALSE"),
        ((("x != 3",), ((0,),)), "leads to a state that violates x != 3"),
        ((("x != 3", "x != 2"), ((0, 1), (1,))), "leads to a state that violates x != 2"),
        ((("next(x) != 3",), ((0,),)), r"not about states|next"),
    ],
)
def test_false_facts_prove_nothing(facts, reason):
    system = read_text(COUNTER)
    (checked,) = system.properties
    forged = InductiveSet(DiagramTable((), ()), (1,), FactLemmas(*facts))
    with pytest.raises(CertificationError, match=reason):
        check_certificate(system, checked, forged)
