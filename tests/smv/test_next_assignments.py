"""Next assignments in place of TRANS: the same runs, smaller cones; conjunctions of invariants one by one."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.certify import inductive_set
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.circuits.constraints import VariableReads, requirements
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.inductive_set import check_inductive_set
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import reduced
from symag.smv.methods.monolithic import session
from symag.smv.methods.options import SmvOptions
from symag.smv.model.dependencies import Cones
from symag.smv.model.flat import Constraint
from symag.smv.reduction.next_assignments import with_next_assignments
from tests.brute_force import Explicit

CONDITIONS = ("a", "!a", "b & c", "i", "e = two", "next(b)", "!(b | i)")
CONCLUSIONS = (
    "next(a)",
    "!next(a)",
    "next(a) <-> b",
    "next(a) = c",
    "b <-> next(b)",
    "next(b) = (i & !c)",
    "!next(b)",
    "next(a) = next(c)",
    "next(e) = two",
    "!(a & b)",
    "next(c) xor a",
    "next(c) = c",
)
CLAIMS = ("!(a & b)", "a -> c", "b | !c", "e = one")


@st.composite
def relations(draw, *properties):
    """A model over a, b, c, an input and an enumeration whose TRANS is a conjunction of nested implications."""

    def conclusion(depth):
        if depth and draw(st.booleans()):
            parts = [conclusion(depth - 1) for _ in range(draw(st.integers(1, 3)))]
            return f"({draw(st.sampled_from(CONDITIONS))} -> {' & '.join(parts)})"
        return f"({draw(st.sampled_from(CONCLUSIONS))})"

    trans = " & ".join(conclusion(2) for _ in range(draw(st.integers(1, 4))))
    first = draw(st.sampled_from(("TRUE", "!a & !b & !c", "!a & (b -> c) & e = one")))
    return (
        "MODULE main\nVAR a : boolean; b : boolean; c : boolean; e : {one, two, three};\nIVAR i : boolean;\n"
        f"INIT {first}\nTRANS {trans}\n" + "\n".join(properties)
    )


@settings(max_examples=30, deadline=None)
@given(relations())
def test_the_transitions_are_the_same(text):
    system = read_text(text)
    one, other = Explicit(system), Explicit(with_next_assignments(system))
    assert set(one.initial_states()) == set(other.initial_states())
    for state in one.all_states():
        assert set(one.edges(state)) == set(other.edges(state))


@settings(max_examples=40, deadline=None)
@given(relations())
def test_the_re_check_reads_the_same_transitions(text):
    system = read_text(text)
    parts = [item.expression for item in requirements(system, VariableReads(system)) if item.moment == "transition"]
    other = Explicit(replace(system, trans=tuple(Constraint(part, 0) for part in parts)))
    for state in (one := Explicit(system)).all_states():
        assert set(one.edges(state)) == set(other.edges(state))


@settings(max_examples=40, deadline=None)
@given(relations(*(f"INVARSPEC ({one}) & ({other})" for one, other in itertools.pairwise(CLAIMS))))
def test_conjuncts_that_are_decided_one_by_one_agree_with_the_judge(text):
    system = read_text(text)
    explicit = Explicit(system)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reduced, "FEW_BITS", 0)
        patch.setattr(reduced, "MUCH_SMALLER", 1.0)
        decide = session(system, SmvOptions())
        for checked in system.properties:
            result = decide(checked, no_progress)
            shortest = explicit.shortest_violation(checked)
            assert (result.verdict is Verdict.VIOLATED) == (shortest is not None)
            if shortest is not None:
                replay(system, checked, result.trace)
                assert len(result.trace.steps) == len(shortest.steps)
            else:
                check_certificate(system, checked, result.certificate)
                # The way of large sets: each conjunct alone first, then with the others.
                patch.setattr(inductive_set, "LARGE_CONJUNCT", 0)
                check_inductive_set(
                    EncodedSystem(system), checked.expression, result.certificate, Deadline(None), sat_nodes=0
                )


def test_a_conjunct_that_needs_a_large_other_one_and_one_that_leaves(monkeypatch):
    system = read_text(
        "MODULE main VAR a : boolean; b : boolean; ASSIGN init(a) := FALSE; init(b) := FALSE; next(a) := b;\n"
        "INVARSPEC !a\nTRANS next(b) -> b"
    )
    monkeypatch.setattr(inductive_set, "LARGE_CONJUNCT", 0)
    bits = (("a", 0), ("b", 0))
    together = InductiveSet(DiagramTable(bits, ((0, 0, 1), (1, 0, 1))), (2, 3))  # !a, which needs !b
    claim = system.properties[0].expression
    check_inductive_set(EncodedSystem(system), claim, together, Deadline(None), sat_nodes=0)
    alone = InductiveSet(DiagramTable(bits, ((0, 0, 1),)), (2,))
    with pytest.raises(CertificationError):
        check_inductive_set(EncodedSystem(system), claim, alone, Deadline(None), sat_nodes=0)


QUEUES = """
MODULE main
VAR write : boolean; full : boolean; d : array 0..1 of boolean; x : array 0..1 of boolean; y : array 0..1 of boolean;
INIT !full & !x[0] & !x[1] & !y[0] & !y[1]
TRANS (write -> !full) & (write -> next(full) & (next(x[0]) <-> d[0]) & (next(x[1]) <-> d[1])
      & (next(y[0]) <-> d[0]) & (next(y[1]) <-> d[1]))
  & (!write -> (full -> !next(full)) & (!full -> !next(full))
      & (next(x[0]) <-> x[0]) & (next(x[1]) <-> x[1]) & (next(y[0]) <-> y[0]) & (next(y[1]) <-> y[1]))
SPEC AG ((x[0] <-> y[0]) & (x[1] <-> y[1]))
SPEC AG ((x[0] <-> y[0]) & !(x[1] & full))
"""


def test_bits_of_data_have_cones_of_their_own(monkeypatch):
    """As in NuSMV's queue.smv: a TRANS over all bits, and a property about each bit."""
    system = read_text(QUEUES)
    changed = with_next_assignments(system)
    names = ["full", "x[0]", "x[1]", "y[0]", "y[1]"]
    assert [each.variable for each in changed.assignments] == [*names, *names]
    assert (changed.init, len(changed.trans)) == ((), 1)
    invariant = changed.properties[0].expression.operands[0]
    assert sorted(Cones(changed).variables(invariant.operands[0])) == ["d[0]", "full", "write", "x[0]", "y[0]"]
    monkeypatch.setattr(reduced, "FEW_BITS", 0)
    decide = session(system, SmvOptions())
    holds, violated = (decide(checked, no_progress) for checked in system.properties)
    assert holds.statistics["cone_variables"] == 5
    check_certificate(system, system.properties[0], holds.certificate)
    assert violated.verdict is Verdict.VIOLATED
    replay(system, system.properties[1], violated.trace)


@pytest.mark.parametrize(
    "trans",
    [
        "(a -> next(b)) & !next(b)",  # two demands at once
        "next(b) -> a",  # a condition on the next state
        "next(b) = next(a)",
        "case a : next(b); esac",  # may fail
    ],
)
def test_what_stays_a_constraint(trans):
    system = read_text(f"MODULE main VAR a : boolean; b : boolean;\nTRANS {trans}")
    assert with_next_assignments(system) is system
