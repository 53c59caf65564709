"""Signal correspondence and PDR on what is left, against the explicit-state judge; equal signals are equal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.invariants import SignalCorrespondence
from symag.smv.certify import check_certificate, read_certificate, write_certificate
from symag.smv.certify.properties import transition_invariant
from symag.smv.certify.runs.interpreter import Program, value_set
from symag.smv.certify.runs.replay import replay
from symag.smv.circuits.equivalence.correspondence import equal_signals
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.problem import problem_of
from symag.smv.methods.sweeping import FEW_EQUAL, decide
from symag.smv.model.flat import FlatSystem, Property
from tests.brute_force import Explicit
from tests.ctl.formulas import transition_models
from tests.strategies import models

_TERMS = ("a", "b", "!a", "a & !b", "a xor b", "i", "i & a", "b | i", "{TRUE, FALSE}", "TRUE")


def _copies(seed: int) -> FlatSystem:
    """A machine of two bits and its copy with other gates, tied together or not quite."""
    first, second, third, fourth = (_TERMS[seed // 10**k % 10] for k in range(4))
    flags = seed // 10_000
    renamed = {"a": "c", "b": "!d", "i": "i"}

    def other(term: str) -> str:
        return "".join(f"({renamed[sign]})" if sign in renamed else sign for sign in term)

    loose = third if flags & 1 else first
    texts = [
        "MODULE main VAR a : boolean; b : boolean; c : boolean; d : boolean; IVAR i : boolean;",
        "ASSIGN init(a) := FALSE; init(b) := " + ("FALSE" if flags & 2 else "i0") + "; init(c) := FALSE;",
        f"init(d) := !{'FALSE' if flags & 2 else 'i0'}; next(a) := {first}; next(b) := {second};",
        f"next(c) := {first if '{' in first else other(loose)};",
        f"next(d) := {second if '{' in second else f'!({other(second)})'};",
        "FROZENVAR i0 : boolean;",
        f" INVAR {fourth} | i0;" if flags & 4 and "i" not in fourth and "{" not in fourth else "",
        " TRANS i -> next(a) = next(c);" if flags & 8 else "",
        "INVARSPEC (a & b) = (c & !d); INVARSPEC a = c | b; INVARSPEC !(a & b & i0); INVARSPEC a -> !c;",
        # These are about transitions.
        "INVARSPEC next(a) = next(c); INVARSPEC i -> next(b) = !next(d); INVARSPEC i & a -> c & (b | next(b));",
        "INVARSPEC next(a & b) -> i | next(i0)",
    ]
    return read_text(" ".join(texts))


def _is_violated(explicit: Explicit, checked: Property) -> bool:
    """Whether a reachable state, or a transition from one, violates an INVARSPEC."""
    system = explicit.system
    if transition_invariant(system, checked) is None:
        return explicit.shortest_violation(checked) is not None
    assert checked.expression is not None
    program = Program(system, [checked.expression])
    edges = (edge for state in explicit.reachable() for edge in explicit.edges(state))
    return any(
        value_set(program.run(explicit.valuation(source, inputs), explicit.valuation(target))[0]) == {False}
        for source, inputs, target in edges
    )


def _agrees(system: FlatSystem, cone: bool) -> None:
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = decide(system, checked, SmvOptions(cone_of_influence=cone), no_progress)
        if not _is_violated(explicit, checked):
            assert result.verdict is Verdict.HOLDS
            assert result.certificate is not None
            assert check_certificate(system, checked, result.certificate)
        else:
            assert result.verdict is Verdict.VIOLATED
            assert result.trace is not None
            replay(system, checked, result.trace)
            with pytest.raises(CertificationError):
                check_certificate(system, checked, SignalCorrespondence((), (), (), ()))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 16 * 10_000 - 1), st.booleans())
def test_copies_agree_with_the_judge(seed: int, cone: bool) -> None:
    _agrees(_copies(seed), cone)


@settings(max_examples=30, deadline=None)
@given(models(fairness=False) | transition_models(), st.booleans())
def test_agrees_with_the_judge(text: str, cone: bool) -> None:
    _agrees(read_text(text), cone)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 16 * 10_000 - 1))
def test_equal_signals_are_equal_in_reachable_states(seed: int) -> None:
    system = _copies(seed)
    problem = problem_of(system, system.properties[0])
    circuit = problem.circuit
    leaves = {
        bits[0] >> 1: (name, bits[0] & 1)
        for name, bits in circuit.values.items()
        if len(bits) == 1 and circuit.graph.is_input(bits[0])
    }
    equal = equal_signals(circuit, [problem.bad], leaves.keys(), 0, lambda nodes: 60.0)
    assert equal is not None
    latches = sum(latch.node in equal for latch in circuit.latches)
    for fewest, answer in ((latches, equal), (latches + 1, None)):
        assert equal_signals(circuit, [problem.bad], leaves.keys(), 0, lambda nodes: 60.0, fewest) == answer
    explicit = Explicit(system)
    evaluation = Evaluation(circuit.graph, [*equal.values(), *(2 * node for node in equal)])
    for state in explicit.reachable():
        for inputs in explicit.all_inputs():
            valuation = explicit.valuation(state, inputs)
            for node, (name, negated) in leaves.items():
                evaluation.values[node] = int(bool(valuation[name]) != bool(negated))
            evaluation.run()
            for node, older in equal.items():
                assert (evaluation.of(2 * node)[0] ^ evaluation.of(older)[0]) & 1 == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 16 * 10_000 - 1) | models(fairness=False))
def test_random_runs_never_split_what_is_equal_by_induction(chosen: int | str) -> None:
    system = _copies(chosen) if isinstance(chosen, int) else read_text(chosen)
    checked = next((checked for checked in system.properties if checked.kind == "INVARSPEC"), None)
    if checked is None:
        return
    problem = problem_of(system, checked)
    leaves = [literal >> 1 for bits in problem.circuit.values.values() for literal in bits]
    answers = [equal_signals(problem.circuit, [problem.bad], leaves, seed, lambda nodes: 60.0) for seed in range(4)]
    assert answers[0] is not None
    assert answers.count(answers[0]) == 4


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 16 * 10_000 - 1), st.integers(0, 16 * 10_000 - 1), st.integers(0, 3))
def test_a_borrowed_certificate_proves_no_wrong_claim(seed: int, other: int, index: int) -> None:
    lender, borrower = _copies(seed), _copies(other)
    certificate = decide(lender, lender.properties[index], SmvOptions(), no_progress).certificate
    if not isinstance(certificate, SignalCorrespondence):
        return
    checked = borrower.properties[index]
    for equal in (certificate.equal, certificate.equal[1:], certificate.equal[:-1], ()):
        try:
            assert check_certificate(borrower, checked, replace(certificate, equal=equal))
        except CertificationError:
            continue
        assert Explicit(borrower).shortest_violation(checked) is None


_PAIR = (
    "MODULE main VAR n : 0..7; m : 0..7; IVAR go : boolean; ASSIGN init(n) := 0; init(m) := 0; "
    "next(n) := go ? (n + 1) mod 8 : n; next(m) := go ? (m + 1) mod 8 : m; INVARSPEC (n = 5) = (m = 5)"
)


def test_a_certificate_survives_its_file(tmp_path) -> None:
    system = read_text(_PAIR)
    (checked,) = system.properties
    certificate = decide(system, checked, SmvOptions(), no_progress).certificate
    assert isinstance(certificate, SignalCorrespondence)
    assert not certificate.clauses
    path = tmp_path / "c.json"
    write_certificate(path, system, checked, certificate)
    assert read_certificate(path, system) == (checked, certificate)
    assert check_certificate(system, checked, certificate)


@pytest.mark.parametrize(
    "change",
    [
        {"equal": ()},
        {"equal": ((2, 0),)},
        {"leaves": (("n", 3),), "gates": (), "equal": ()},
        {"leaves": (("x", 0),), "gates": (), "equal": ()},
        {"equal": (), "clauses": ((("go", 0, True),),)},
        {"equal": (), "clauses": ((("n", 0, True),),)},
        {"equal": (), "clauses": ((),)},
    ],
)
def test_a_changed_certificate_is_refused(change: dict[str, object]) -> None:
    system = read_text(_PAIR)
    (checked,) = system.properties
    certificate = decide(system, checked, SmvOptions(), no_progress).certificate
    assert isinstance(certificate, SignalCorrespondence)
    with pytest.raises(CertificationError):
        check_certificate(system, checked, replace(certificate, **change))


def test_without_time_pdr_decides(monkeypatch) -> None:
    system = read_text(_PAIR)
    monkeypatch.setattr("symag.smv.methods.sweeping.seconds_for", lambda nodes: -1.0)
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert not isinstance(result.certificate, SignalCorrespondence)
    assert check_certificate(system, system.properties[0], result.certificate)


def test_a_brief_search_goes_on_only_where_latches_are_equal() -> None:
    """Two counters that are equal, and one of which no two bits are."""
    system = read_text(
        """MODULE main VAR a : unsigned word[3]; b : unsigned word[3]; c : unsigned word[3]; IVAR i : boolean;
        ASSIGN init(a) := 0ud3_0; init(b) := 0ud3_0; init(c) := 0ud3_0;
        next(a) := i ? a + 0ud3_1 : a; next(b) := i ? b + 0ud3_1 : b; next(c) := c + 0ud3_1;
        INVARSPEC a = b; INVARSPEC c != 0ud3_6"""
    )
    for brief, verdicts in ((False, [Verdict.HOLDS, Verdict.VIOLATED]), (True, [Verdict.HOLDS, Verdict.UNKNOWN])):
        options = SmvOptions(brief=brief)
        results = [decide(system, checked, options, no_progress) for checked in system.properties]
        assert [result.verdict for result in results] == verdicts
    assert results[1].reason == f"bound: {FEW_EQUAL}"
