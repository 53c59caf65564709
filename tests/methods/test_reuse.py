"""Proofs of earlier versions: right against the explicit-state judge whatever the earlier model was, and re-checked."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certificates.invariants import Induction, InductiveFacts, InductiveSet
from symag.smv.certify import accept, induction, inductive_set
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.kinds import EarlierProof
from symag.smv.checking.reuse_attempt import ReuseAttempt
from symag.smv.methods import k_induction, monolithic, parts
from symag.smv.methods.by_parts import rule_g
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.reuse import decision as reuse
from symag.smv.methods.reuse.together import asked_together
from tests.brute_force import Explicit
from tests.strategies import models

METHODS = {
    "k-induction": k_induction.decide,
    "pdr": pdr.decide,
    "parts": parts.decide,
    "monolithic": monolithic.decide,
    "rule-g": rule_g.decide,
    "rule-g learning": rule_g.decide,
}

COUNTER = """MODULE main
VAR a : 0..7; b : 0..7; on : boolean;
ASSIGN init(a) := 0; init(b) := 0; init(on) := {on};
next(a) := on & a < {top} ? a + 1 : 0; next(b) := on & b < {top} ? b + 1 : 0;
next(on) := {{FALSE, TRUE}};
INVARSPEC {name}a < 7 & (a = 5 -> b = 5)
"""


#: What a mutation turns into what.
OTHER = {"TRUE": "FALSE", "FALSE": "TRUE", " & ": " | ", " | ": " & ", " = ": " != ", "red": "green", "green": "red"}


@st.composite
def versions(draw):
    """A model and one that differs from it in one place outside its properties; or in everything."""
    text = draw(models(fairness=False))
    if draw(st.integers(0, 5)) == 0:
        return text, draw(models(fairness=False))
    places = [
        (found.start(), found.end())
        for line in re.finditer(r"^(?!INVARSPEC|SPEC|LTLSPEC|VAR|MODULE).*$", text, re.MULTILINE)
        for found in re.finditer("|".join(map(re.escape, OTHER)), text[: line.end()])
        if found.start() >= line.start()
    ]
    if not places:
        return text, text
    start, end = draw(st.sampled_from(places))
    return text, text[:start] + OTHER[text[start:end]] + text[end:]


def certificates(text, method, options):
    """What a method proves of a model's invariants, by the number of the property."""
    system = read_text(text)
    proofs = {}
    for number, checked in enumerate(system.properties):
        if checked.kind == "INVARSPEC":
            try:
                result = METHODS[method](system, checked, options, no_progress)
            except UnsupportedError:
                continue
            if result.verdict is Verdict.HOLDS and result.certificate is not None:
                proofs[number] = result.certificate
    return proofs


@pytest.mark.long
@pytest.mark.parametrize("method", sorted(METHODS.keys() - {"k-induction"}))
def test_any_proof_gives_right_answers_or_none(method):
    answers: Counter[Verdict] = Counter()

    # The same examples each time: that proofs are of use for some is no matter of luck.
    @settings(max_examples=15, deadline=None, derandomize=True, database=None)
    @given(versions(), st.booleans())
    def run(texts, cone):
        options = SmvOptions(cone_of_influence=cone, bound=8, one_state_first=method != "rule-g learning")
        try:
            system = read_text(texts[1])
        except InputError:
            assume(False)
        explicit = Explicit(system)
        for number, proof in certificates(texts[0], method, options).items():
            checked = system.properties[number] if number < len(system.properties) else None
            if checked is None or checked.kind != "INVARSPEC":
                continue
            try:
                result = reuse.decide(system, checked, proof, options, no_progress)
            except UnsupportedError:
                continue
            if result is not None:
                answers[result.verdict] += 1
                assert (result.verdict is Verdict.VIOLATED) == (explicit.shortest_violation(checked) is not None)
                assert accept(system, checked, result, None).certified

    run()
    assert answers[Verdict.HOLDS], answers


def counter(top: int = 5, on: str = "FALSE", name: str = "") -> str:
    return COUNTER.format(top=top, on=on, name=name)


@pytest.mark.parametrize(
    ("method", "later"),
    [
        *((method, later) for method in ("parts", "monolithic") for later in (counter(6), counter(6, "TRUE"))),
        *((method, later) for method in ("pdr", "parts", "monolithic") for later in (counter(4), counter(5, "TRUE"))),
    ],
)
def test_what_is_left_proves_a_changed_model(method, later):
    system = read_text(counter())
    proof = METHODS[method](system, system.properties[0], SmvOptions(), no_progress).certificate
    changed = read_text(later)
    result = reuse.decide(changed, changed.properties[0], proof, SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.notes
    assert accept(changed, changed.properties[0], result, None).certified


def test_a_violation_is_found_with_what_is_left():
    text = """MODULE main VAR a : 0..7; b : 0..7;
    ASSIGN init(a) := 0; init(b) := 0; next(a) := a < {top} ? a + 1 : 0; next(b) := a < {top} ? a + 1 : 0;
    INVARSPEC a = b & a < 7"""
    system, changed = read_text(text.format(top=5)), read_text(text.format(top=7))
    proof = InductiveFacts(("a = b", "a < 7", "a < 6"), ((0,), (1, 2), (2,)))
    result = reuse.decide(changed, changed.properties[0], proof, SmvOptions(), no_progress)
    assert result.verdict is Verdict.VIOLATED
    assert accept(changed, changed.properties[0], result, None).certified
    sets = monolithic.decide(system, system.properties[0], SmvOptions(), no_progress).certificate
    assert reuse.decide(changed, changed.properties[0], sets, SmvOptions(), no_progress) is None


def test_sets_of_several_parts_are_enlarged_inside_each_other():
    text = """MODULE main VAR a : 0..3; b : 0..3;
    ASSIGN init(a) := 0; init(b) := {start}; next(a) := b = 3 ? 3 : 0; next(b) := a = 3 ? 3 : {later};
    INVARSPEC a < 3"""
    system, changed = read_text(text.format(start=0, later=0)), read_text(text.format(start=1, later=2))
    proof = rule_g.decide(system, system.properties[0], SmvOptions(), no_progress).certificate
    assert isinstance(proof, InductiveSet)
    assert len(proof.conjuncts) == 2
    result = reuse.decide(changed, changed.properties[0], proof, SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(changed, changed.properties[0], result, None).certified


@pytest.mark.parametrize("start", [0, 1])
def test_learned_assumptions_serve_changed_parts(start):
    """Two parts that take turns; b's part starts elsewhere, and shows a letter that its assumption never saw."""
    text = """MODULE main VAR a : 0..3; turn : boolean; b : 0..3;
    ASSIGN init(a) := 0; init(b) := {start}; init(turn) := FALSE; next(turn) := !turn;
    next(a) := case turn & a < 2 : a + 1; TRUE : 0; esac;
    next(b) := case !turn & a < 2 : a; TRUE : 0; esac;
    INVARSPEC !(a = 2 & b = 2)"""
    learning = SmvOptions(one_state_first=False, parts=2)
    system, changed = read_text(text.format(start=0)), read_text(text.format(start=start))
    proof = rule_g.decide(system, system.properties[0], learning, no_progress).certificate
    assert isinstance(proof, AssumeGuarantee)
    result = reuse.decide(changed, changed.properties[0], proof, learning, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.method == "rule-g"
    assert accept(changed, changed.properties[0], result, None).certified


@pytest.mark.long
@pytest.mark.parametrize("method", ["pdr", "parts", "monolithic", "k-induction"])
def test_all_properties_together_are_answered_right(method):
    answers: Counter[str] = Counter()

    @settings(max_examples=12, deadline=None, derandomize=True, database=None)
    @given(versions())
    def run(texts):
        options = SmvOptions()
        try:
            system = read_text(texts[1])
        except InputError:
            assume(False)
        certificates_ = certificates(texts[0], method, options)
        proofs = []
        for number, checked in enumerate(system.properties):
            own = certificates_.get(number) if checked.kind == "INVARSPEC" else None
            proofs.append(() if own is None else (EarlierProof("p.json", "INVARSPEC", None, checked.text, own),))
        attempt = ReuseAttempt(system, system.properties, proofs, options)
        explicit = Explicit(system)
        for number, checked in enumerate(system.properties):
            if proofs[number]:
                result = attempt.answer((number, False), no_progress)
                answers[result.method] += result.verdict is Verdict.HOLDS
                if result.verdict is not Verdict.UNKNOWN:
                    violated = explicit.shortest_violation(checked) is not None
                    assert (result.verdict is Verdict.VIOLATED) == violated
                    assert accept(system, checked, replace(result, certified=False), None).certified

    run()
    assert answers["reuse"], answers


SEVERAL = """MODULE main
VAR a : 0..7; b : 0..7; c : 0..7; on : boolean;
ASSIGN init(a) := 0; init(b) := 0; init(c) := 0; init(on) := FALSE; next(on) := {{FALSE, TRUE}};
next(a) := a < 5 ? a + 1 : 0; next(b) := a < 5 ? a + 1 : 0; next(c) := on & c < {top} ? c + 1 : c;
INVARSPEC a = b
INVARSPEC b < 6
INVARSPEC c < 6
"""


def test_one_property_that_fails_does_not_stop_the_others():
    """The facts of the proofs are inductive together but those about c; each certificate proves its property alone."""
    options = SmvOptions()
    system, later = read_text(SEVERAL.format(top=5)), read_text(SEVERAL.format(top=6))
    facts = certificates(SEVERAL.format(top=5), "parts", options)
    assert len(facts) == 3
    proofs = [
        (EarlierProof(f"{n}.json", "INVARSPEC", None, p.text, facts[n]),) for n, p in enumerate(system.properties)
    ]
    attempt = ReuseAttempt(later, later.properties, proofs, options)
    for number in (0, 1):
        result = attempt.answer((number, True), no_progress)
        assert (result.verdict, result.certified, result.method) == (Verdict.HOLDS, True, "reuse")
        assert accept(later, later.properties[number], replace(result, certified=False), None).certified
    assert attempt.answer((2, True), no_progress).verdict is Verdict.UNKNOWN
    assert attempt.answer((2, False), no_progress).verdict in (Verdict.VIOLATED, Verdict.UNKNOWN)


@pytest.mark.parametrize("before_b", [0, 1])
def test_inductions_over_two_steps_are_asked_together(before_b):
    """With a state before b = 1 the second property is inductive over three steps only: then each is asked alone."""
    text = """MODULE main VAR a : 0..3; b : 0..3; ASSIGN init(a) := 0; init(b) := 0;
    next(a) := a = 1 ? 3 : 0; next(b) := b = 1 ? 3 : b = 2 ? {before_b} : 0;
    INVARSPEC a != 3; INVARSPEC b != 3"""
    proofs = certificates(text.format(before_b=0), "k-induction", SmvOptions())
    assert [proof.steps for proof in proofs.values()] == [2, 2]
    later = read_text(text.format(before_b=before_b))
    earlier = [(EarlierProof("p", "INVARSPEC", None, p.text, proofs[n]),) for n, p in enumerate(later.properties)]
    attempt = ReuseAttempt(later, later.properties, earlier, SmvOptions())
    first, second = (attempt.answer((number, False), no_progress) for number in (0, 1))
    if before_b == 0:
        assert first.certificate == Induction(2, (), ("b != 3",))
        assert second.certificate == Induction(2, (), ("a != 3",))
        for number, result in enumerate((first, second)):
            assert accept(later, later.properties[number], replace(result, certified=False), None).certified
    else:
        assert (first.verdict, first.certificate) == (Verdict.HOLDS, proofs[0])
        assert second.verdict is Verdict.UNKNOWN


def test_proofs_over_several_numbers_of_steps_are_one_induction_over_the_most():
    """What is inductive over two steps is so over three; where one of them fails, each number is asked by itself."""
    text = """MODULE main VAR a : 0..3; b : 0..4; c : 0..3; ASSIGN init(a) := 0; init(b) := 0; init(c) := 0;
    next(a) := a = 1 ? 3 : 0; next(b) := b = 1 ? 3 : b = 2 ? 1 : b = 4 ? {after} : 0; next(c) := c = 1 ? 3 : 0;
    INVARSPEC a != 3; INVARSPEC b != 3; INVARSPEC c != 3"""
    proofs = certificates(text.format(after=0), "k-induction", SmvOptions())
    assert [proof.steps for proof in proofs.values()] == [2, 3, 2]
    together = Induction(3, (), ("b != 3", "c != 3"), sufficient_steps=(2, 3, 2))
    for after, certificate in ((0, together), (2, Induction(2, (), ("c != 3",)))):
        later = read_text(text.format(after=after))
        earlier = [(EarlierProof("p", "INVARSPEC", None, p.text, proofs[n]),) for n, p in enumerate(later.properties)]
        attempt = ReuseAttempt(later, later.properties, earlier, SmvOptions())
        first, second, third = (attempt.answer((number, False), no_progress) for number in range(3))
        assert first.certificate == certificate
        assert (second.verdict is Verdict.HOLDS) == (third.certificate.steps == 3)
        for item, result in zip(later.properties, (first, second, third), strict=True):
            if result.verdict is Verdict.HOLDS:
                assert accept(later, item, replace(result, certified=False), None).certified


def test_facts_of_a_proof_are_asked_over_their_own_steps():
    """x != 7, which is no property of the model, takes four steps; what follows from it takes one."""
    system = read_text(
        "MODULE main VAR x : 0..7; y : boolean; z : boolean; ASSIGN init(x) := 0; init(y) := FALSE; init(z) := FALSE;"
        "next(x) := x < 4 ? 0 : x = 7 ? 7 : x + 1; next(y) := x = 7; next(z) := x = 7; INVARSPEC !y; INVARSPEC !z"
    )
    proof = Induction(4, (), ("x != 7",), sufficient_steps=(1, 4))
    earlier = [(EarlierProof("p", "INVARSPEC", None, item.text, proof),) for item in system.properties]
    attempt = ReuseAttempt(system, system.properties, earlier, SmvOptions())
    first, second = (attempt.answer((number, False), no_progress) for number in range(2))
    assert first.certificate == Induction(4, (), ("x != 7", "!z"), sufficient_steps=(1, 4, 1))
    assert second.certificate == Induction(4, (), ("x != 7", "!y"), sufficient_steps=(1, 4, 1))
    for item, result in zip(system.properties, (first, second), strict=True):
        assert accept(system, item, replace(result, certified=False), None).certified


def test_numbers_of_steps_that_are_asked_together():
    """None is more than twice the one before, so that a long induction is not asked of what a short one proves."""
    assert asked_together(2, (1, 5, 3, 2)) == {2, 3, 5}
    assert asked_together(2, (5, 40)) == {2}
    assert asked_together(30, (2, 3, 40, 20)) == {20, 30, 40}


def test_invariants_that_are_inductive_without_facts_are_asked_as_they_are():
    system = read_text(SEVERAL.format(top=5).replace("a < 5 ? a + 1 : 0; next(c)", "b < 5 ? b + 1 : 0; next(c)"))
    alone = Induction(1, (), ())
    proofs = [(EarlierProof("p", "INVARSPEC", None, item.text, alone),) for item in system.properties[1:]]
    lines = []
    attempt = ReuseAttempt(system, system.properties[1:], proofs, SmvOptions())
    result = attempt.answer((0, False), lines.append)
    assert result.certificate == Induction(1, (), (system.properties[2].text,))
    assert lines == ["0 facts of earlier proofs"]


def test_invariants_are_no_proof_of_each_other_without_induction():
    """Re-checked together: a property that its facts do not prove makes the whole induction fail."""
    text = SEVERAL.format(top=6)
    system = read_text(text)
    certificate = Induction(1, (), ("a < 6",))
    induction.check_together(system.properties[:2], certificate, EncodedSystem(system), (1, 1))
    with pytest.raises(CertificationError, match="violation of the property"):
        induction.check_together(system.properties, certificate, EncodedSystem(system), (1, 1, 1))
    sets = monolithic.decide(system, system.properties[0], options=SmvOptions(), progress=no_progress).certificate
    assert isinstance(sets, InductiveSet)
    inductive_set.check_together(system.properties[:1], sets, EncodedSystem(system))
    with pytest.raises(CertificationError, match="violates the property"):
        inductive_set.check_together(system.properties, sets, EncodedSystem(system))


def test_facts_that_are_left_name_what_they_follow_from():
    """A fact whose uses are gone follows from another; one that is wrong is dropped; the rest is a proof by facts."""
    text = """MODULE main VAR a : 0..7; b : 0..7; c : boolean;
    ASSIGN init(a) := 0; init(b) := 0; init(c) := FALSE; next(a) := a < 5 ? a + 1 : 0; next(b) := {b}; next(c) := c;
    INVARSPEC b < 6"""
    proof = InductiveFacts(("b < 6", "a < 6", "a = b", "a < 7"), ((1, 2), (1,), (1, 2), (2, 3)))
    for following, left in (("a < 5 ? b + 1 : 0", 4), ("b < 4 ? b + 1 : 0", 3), ("c ? 6 : 0", 3)):
        changed = read_text(text.format(b=following))
        own = EarlierProof("p.json", "INVARSPEC", None, changed.properties[0].text, proof)
        result = ReuseAttempt(changed, changed.properties, [(own,)], SmvOptions()).answer((0, False), no_progress)
        if left == 4:
            assert result.certificate == proof
        if following.startswith("c"):
            # Inductive only with what PDR adds: c stays false.
            assert (result.verdict, result.method) == (Verdict.HOLDS, "reuse (pdr)")
        else:
            assert (result.verdict, result.method) == (Verdict.HOLDS, "reuse")
            assert isinstance(result.certificate, InductiveFacts)
            assert len(result.certificate.facts) == left
        assert accept(changed, changed.properties[0], replace(result, certified=False), None).certified
