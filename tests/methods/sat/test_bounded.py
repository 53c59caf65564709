"""Bounded search for counterexamples of exact lengths, against diagrams, and the clauses it writes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.runs.replay import check_run, replay
from symag.smv.methods import monolithic
from symag.smv.methods.ltl import without_added
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.bounded import BoundedSearch, InvariantSteps
from symag.smv.temporal.sequences import sequence_product, unfolded
from symag.smv.traversal.deadends import is_total
from tests.brute_force import find_error
from tests.cli.nusmv.conftest import Nusmv, nusmv
from tests.strategies import models

QUIET = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
#: Lassos of the strategies' models with a formula of one operator have no more steps.
LONGEST = 14


def _shortest(system, formula, longest=LONGEST):
    """The first counterexample by length: (length, trace), or None."""
    search = BoundedSearch(system, formula)
    try:
        for length in range(longest + 1):
            trace = search.prefix(length) or search.lasso(length, range(length))
            if trace is not None:
                return length, trace
        return None
    finally:
        search.close()


@QUIET
@given(models(properties=1, largest=8), st.sampled_from(["G F", "F G", "F", "G", "X G", "G O", "F H", "G !"]))
def test_counterexamples_are_where_diagrams_find_one(text, operators) -> None:
    system = read_text(text.replace("SPEC AG", f"LTLSPEC {operators}").replace("INVARSPEC", "LTLSPEC G"))
    assume(find_error(system) is None)
    for checked in system.properties:
        found = _shortest(system, checked.expression)
        verdict = monolithic.decide(system, checked, SmvOptions(), no_progress).verdict
        if found is None:
            assert verdict is Verdict.HOLDS, (text, checked.text)
            continue
        length, trace = found
        if trace.kind == "lasso":
            assert verdict is Verdict.VIOLATED, (text, checked.text)
            assert len(trace.steps) == length
            replay(system, checked, trace)
        else:
            check_run(system, trace)
            assert len(trace.steps) == length + 1
            # A prefix that nothing continues violates for NuSMV's bounded semantics, not on infinite runs.
            assert verdict is Verdict.VIOLATED or not is_total(system)


@pytest.mark.parametrize(
    ("formula", "length", "loop"),
    [
        ("G x < 2", 2, None),
        ("F x = 7", 5, 0),
        ("G F x = 2", None, None),
        ("X X x = 0", 2, None),
        ("G (x = 4 -> X x = 3)", 5, None),
        ("(x < 3) U (x = 4)", 3, None),
        ("G O x = 1", 0, None),
        ("F G x < 2", 5, 0),
        ("G [1, 3] x < 3", 3, None),
    ],
)
def test_shortest_lengths_on_a_counter(formula: str, length: int | None, loop: int | None) -> None:
    system = read_text(f"MODULE main VAR x : 0..4; ASSIGN init(x) := 0; next(x) := (x + 1) mod 5; LTLSPEC {formula}")
    found = _shortest(system, system.properties[0].expression)
    if length is None:
        assert found is None
        return
    assert found is not None
    assert (found[0], found[1].loop) == (length, loop)


@pytest.mark.parametrize(
    "formula", ["{a; b[*2]} |=> {a}!", "{{a; b}|{b}} |-> {b; a}!", "always {a; b} |=> {b[*1:2]; a}!", "{b; {a && b}}"]
)
def test_unfolded_sequences_mean_what_their_automata_mean(formula: str) -> None:
    for start in ("a & !b", "a & b", "TRUE"):
        system = read_text(
            f"MODULE main VAR a : boolean; b : boolean; INIT {start} TRANS next(b) = a PSLSPEC {formula};"
        )
        (checked,) = system.properties
        plain = unfolded(checked.sequences)
        assert plain is not None
        product = sequence_product(system, checked.sequences)
        first, second = _shortest(system, plain), _shortest(product.system, product.formula)
        assert (first is None) == (second is None)
        if second is not None:
            replay(system, checked, without_added(second[1], frozenset(system.by_name)))


def test_a_run_that_no_clause_constrains_keeps_assignments_of_current_values() -> None:
    text = "MODULE main VAR b : boolean; k : 1..3; ASSIGN k := b ? 2 : 3; INVARSPEC FALSE; LTLSPEC FALSE"
    system = read_text(text)
    linear, invariant = system.properties
    found = _shortest(system, linear.expression)
    assert found is not None
    check_run(system, found[1])
    steps = InvariantSteps(system, invariant.expression)
    violation = steps.violation(0)
    steps.close()
    assert violation is not None
    replay(system, invariant, violation)


@QUIET
@given(models(properties=1, largest=16))
def test_induction_agrees_with_diagrams(text) -> None:
    system = read_text(text)
    assume(find_error(system) is None)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        steps = InvariantSteps(system, checked.expression)
        holds = None
        for length in range(steps.shortest, 20):
            violation = steps.violation(length)
            if violation is not None:
                replay(system, checked, violation)
                holds = False
            elif steps.failed_step(length, simple=True) is None:
                holds = True
            if holds is not None:
                break
        steps.close()
        verdict = monolithic.decide(system, checked, SmvOptions(), no_progress).verdict
        assert holds == (verdict is Verdict.HOLDS), (text, checked.text)


COUNTER = (
    "MODULE main\nVAR x : 0..4;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 5;\n"
    "INVARSPEC x < 3\nLTLSPEC NAME near := G x < 3\nLTLSPEC F x = 4\nSPEC AG x < 5\n"
)


def _satisfiable(path: str) -> bool:
    with Solver(name="glucose4", bootstrap_with=CNF(from_file=path).clauses) as solver:
        return bool(solver.solve())


def test_dimacs_files_pose_the_questions_of_the_checks(nusmv: Nusmv) -> None:
    given_commands = (
        "go_bmc\ngen_ltlspec_bmc -P near -k 4\ngen_ltlspec_bmc_onepb -n 2 -k 4 -o one_@k\n"
        "gen_ltlspec_sbmc -n 2 -k 1 -o s@k\ngen_invar_bmc -n 3\nquit\n"
    )
    said = nusmv(COUNTER, "-int", given=given_commands)
    assert "symag:" not in said.text
    assert [_satisfiable(f"e_k{k}_l*_n1.dimacs") for k in range(5)] == [False, False, False, True, True]
    assert not _satisfiable("one_4.dimacs")
    assert not _satisfiable("s1.dimacs")
    assert _satisfiable("e_invar_n3.dimacs")


def test_bmc_in_batch(nusmv: Nusmv) -> None:
    said = nusmv(COUNTER, "-bmc", "-bmc_length", "4")
    assert said.status == 0
    assert "-- specification  G x < 3    is false" in said.lines
    assert said.lines.count("-- no counterexample found with bound 2") == 2
    assert "-- cannot prove the invariant x < 3  is true or false : the induction fails" in said.lines
    assert "AG" not in "".join(line for line in said.lines if line.startswith("-- spec"))


__all__ = ["nusmv"]
