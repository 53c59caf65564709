"""Part-wise reachability: its sets have every reachable state, its verdicts are right, and its proofs are accepted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveParts
from symag.smv.certify import accept, inductive_parts
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.checking.reports.certificate_text import certificate_lines
from symag.smv.facts.circuit import step_circuit
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.parts import decide
from symag.smv.methods.partwise import decision, refinement
from symag.smv.methods.partwise import fixpoints as fixpoints_module
from symag.smv.methods.partwise.fixpoints import PartSets, sets_between
from symag.smv.methods.partwise.part import BitConstraints, part
from symag.smv.methods.partwise.refinement import SplitWires, without_wires
from symag.smv.symbolic.system import encode
from tests.brute_force import Explicit
from tests.strategies import models

OPTIONS = st.builds(
    SmvOptions,
    invariants=st.just("sets"),
    fixpoints=st.sampled_from(("together", "separate")),
    parts=st.sampled_from((None, 2, 3, 4)),
    part_bits=st.sampled_from((1, 3, 40)),
    refinements=st.sampled_from((0, 2, 100)),
    splits=st.booleans(),
    direction=st.sampled_from(("forward", "both")),
    grain=st.sampled_from(("variable", "bit", "word", "instance")),
    cone_of_influence=st.booleans(),
    seed=st.integers(0, 3),
)


@settings(max_examples=40, deadline=None)
@given(models(), OPTIONS)
def test_verdicts_are_right_and_certified(text, options):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = decide(system, checked, options, no_progress)
        violation = explicit.shortest_violation(checked)
        whole = monolithic.decide(system, checked, SmvOptions(), no_progress)
        assert (whole.verdict is Verdict.HOLDS) == (violation is None)
        if result.verdict is not Verdict.UNKNOWN:
            assert result.verdict is whole.verdict
            assert accept(system, checked, result, None).certified
        if isinstance(result.certificate, InductiveParts):
            # The same by decision diagrams.
            inductive_parts.check(checked, result.certificate, Deadline(None), EncodedSystem(system), conflicts=0)
        again = decide(system, checked, options, no_progress)
        assert (again.verdict, again.certificate) == (result.verdict, result.certificate)


@settings(max_examples=40, deadline=None)
@given(models(), OPTIONS)
def test_violations_are_real_without_a_search_before(text, options):
    # ``decide`` asks random runs first; these questions go to the sets at once.
    system = read_text(text)
    explicit = Explicit(system)
    if not list(explicit.reachable()):
        return
    for checked in system.properties:
        if checked.kind == "INVARSPEC":
            outcome = decision.decide(step_circuit(system), checked.expression, options, no_progress)
            violation = explicit.shortest_violation(checked)
            if outcome.violated_within is not None:
                assert violation is not None
                assert len(violation.steps) - 1 <= outcome.violated_within
            assert outcome.proof is None or violation is None


@settings(max_examples=30, deadline=None)
@given(models(), st.randoms(use_true_random=False), st.booleans(), st.booleans())
def test_the_sets_have_every_reachable_state(text, draw, together, split):
    system = read_text(text)
    explicit = Explicit(system)
    symbolic = encode(system)
    constraints = BitConstraints.of(symbolic)
    memory = sorted(constraints.memory)
    wires = SplitWires.of(system, system.properties[0].expression)
    if split:
        constraints = wires.added(constraints, wires.expressions)
        memory += sorted(wires.expressions)
    chosen = [frozenset(draw.sample(memory, draw.randint(1, len(memory)))) for _ in range(draw.randint(1, 3)) if memory]
    whole = [frozenset(draw.sample(range(len(chosen)), draw.randint(0, len(chosen))) if split else ()) for _ in chosen]
    equations = {bit: wire.diagram for bit, wire in constraints.wires.items()}
    sets = PartSets(symbolic.context, [part(constraints, bits) for bits in chosen], whole, equations=equations)
    (sets.together if together else sets.separately)(no_progress)
    encoding = symbolic.encoding
    rings = sets.rings(1_000)
    assert rings is not None
    for state, distance in explicit.reachable().items():
        cube = encoding.valuation(explicit.valuation(state))
        for diagram in (*sets.sets, *rings[min(distance, len(rings) - 1)]):
            assert cube & without_wires(constraints, diagram) != symbolic.context.false


def ring(bits: int) -> str:
    """A token goes round; it is never in two places."""
    variables = " ".join(f"t{number} : boolean;" for number in range(bits))
    moves = " ".join(
        f"init(t{number}) := {'TRUE' if number == 0 else 'FALSE'};"
        f" next(t{number}) := go ? t{(number - 1) % bits} : t{number};"
        for number in range(bits)
    )
    return f"MODULE main IVAR go : boolean; VAR {variables} ASSIGN {moves} INVARSPEC !(t1 & t{bits // 2});"


@pytest.mark.parametrize("fixpoints", ["together", "separate"])
def test_parts_overlap_where_a_counterexample_says_so(fixpoints):
    system = read_text(ring(12))
    options = SmvOptions(invariants="sets", parts=6, fixpoints=fixpoints)
    (checked,) = system.properties
    coarse = decide(system, checked, replace(options, refinements=0), no_progress)
    assert coarse.verdict is Verdict.UNKNOWN
    result = decide(system, checked, options, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.statistics["refinements"] > 0
    assert accept(system, checked, result, None).certified
    small = decide(system, checked, replace(options, part_bits=3), no_progress)
    assert small.verdict is Verdict.UNKNOWN
    assert "no part of at most 3 bits" in small.reason


# Eight bits, of which one changes in every step, and one that says whether an odd number of them is set.
PARITY = f"""MODULE main IVAR one : 0..7; VAR {" ".join(f"b{number} : boolean;" for number in range(8))} turn : boolean;
ASSIGN {" ".join(f"init(b{n}) := FALSE; next(b{n}) := b{n} xor one = {n};" for n in range(8))}
    init(turn) := FALSE; next(turn) := !turn;
DEFINE odd := {" xor ".join(f"b{number}" for number in range(8))};
INVARSPEC turn = odd
"""


@pytest.mark.parametrize("fixpoints", ["together", "separate"])
def test_a_set_is_split_at_a_wire_where_the_bits_do_not_fit(fixpoints):
    system = read_text(PARITY)
    (checked,) = system.properties
    options = SmvOptions(invariants="sets", parts=2, part_bits=8, fixpoints=fixpoints, direction="forward")
    unsplit = decide(system, checked, replace(options, splits=False), no_progress)
    assert unsplit.verdict is Verdict.UNKNOWN
    assert "no part of at most 8 bits" in unsplit.reason
    result = decide(system, checked, options, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.statistics["splits"] > 0
    assert result.statistics["largest_part_bits"] <= 8
    assert accept(system, checked, result, None).certified


LONG_CHAIN = """MODULE main IVAR up : boolean; VAR n : 0..255; a : boolean; b : boolean;
ASSIGN init(n) := 0; next(n) := n = 255 | !up ? n : n + 1;
    init(a) := FALSE; next(a) := b; init(b) := FALSE; next(b) := a;
INVARSPEC !(a & n = 255)
"""


def test_a_long_chain_of_predecessors_is_followed_through_rings(monkeypatch):
    monkeypatch.setattr(refinement, "LONGEST_CHAIN", 1)
    system = read_text(LONG_CHAIN)
    (checked,) = system.properties
    options = SmvOptions(invariants="sets", parts=3, fixpoints="separate", grain="bit", direction="forward")
    result = decide(system, checked, options, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(system, checked, result, None).certified


def test_sets_that_are_too_large_are_given_up(monkeypatch):
    monkeypatch.setattr(fixpoints_module, "LARGEST_SET", 1)
    system = read_text(ring(6))
    result = decide(system, system.properties[0], SmvOptions(invariants="sets", parts=2, refinements=1), no_progress)
    assert result.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("sets", "uses", "reason"),
    [
        (((1,),), ((0,),), "a state of the sets violates the property"),
        (((0,),), ((0,),), "an initial state is not in set 0"),
        (((2,),), ((0,),), "a transition leads out of set 0"),
    ],
)
@pytest.mark.parametrize("conflicts", [0, 4_000])
def test_forged_sets_are_refused(sets, uses, reason, conflicts):
    # Node 2 says !a; a becomes TRUE, and with it b.
    text = """MODULE main VAR a : boolean; b : boolean;
    ASSIGN init(a) := FALSE; next(a) := TRUE; init(b) := FALSE; next(b) := a; INVARSPEC b -> a"""
    system = read_text(text)
    table = DiagramTable((("a", 0), ("b", 0)), ((0, 0, 1), (1, 0, 1), (1, 0, 2)))
    if reason.startswith("a transition"):
        sets = ((4,),)  # neither a nor b
    certificate = InductiveParts(table, sets, uses)
    with pytest.raises(CertificationError, match=reason):
        inductive_parts.check(system.properties[0], certificate, Deadline(None), EncodedSystem(system), conflicts)


@settings(max_examples=30, deadline=None)
@given(models(), st.randoms(use_true_random=False), st.booleans())
def test_every_path_to_a_violation_lies_between(text, draw, together):
    system = read_text(text)
    explicit = Explicit(system)
    symbolic = encode(system)
    constraints = BitConstraints.of(symbolic)
    memory = sorted(constraints.memory)
    chosen = [frozenset(draw.sample(memory, draw.randint(1, len(memory)))) for _ in range(draw.randint(1, 3)) if memory]
    sets = PartSets(symbolic.context, [part(constraints, bits) for bits in chosen], [frozenset()] * len(chosen))
    (sets.together if together else sets.separately)(no_progress)
    for checked in system.properties:
        violation = explicit.shortest_violation(checked) if checked.kind == "INVARSPEC" else None
        if violation is None:
            continue
        bad = ~symbolic.predicate(checked.expression)
        between = sets_between(sets, constraints, bad, no_progress)
        for step in violation.steps if between is not None else ():
            cube = symbolic.encoding.valuation(step.state)
            for diagram in (*between.backward, *between.forward):
                assert cube & diagram != symbolic.context.false


APART = """MODULE main VAR a : boolean; b : boolean; x : boolean; y : boolean;
INIT a != b
ASSIGN init(x) := FALSE; next(x) := a; next(a) := a; init(y) := FALSE; next(y) := b; next(b) := b;
INVARSPEC !(x & y)
"""


@pytest.mark.parametrize("invariants", ["facts", "sets", "both"])
def test_no_initial_state_because_of_variables_outside_the_cone(invariants):
    """The cone has violations; bounded search, which sees the whole system, knows that they are no runs."""
    text = "MODULE main VAR x : boolean; y : boolean; INIT y != y; INVARSPEC x"
    system = read_text(text)
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(invariants=invariants), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(system, checked, result, None).certified


def test_backward_sets_prove_what_forward_sets_do_not():
    system = read_text(APART)
    (checked,) = system.properties
    options = SmvOptions(invariants="sets", parts=2, refinements=0)
    assert decide(system, checked, replace(options, direction="forward"), no_progress).verdict is Verdict.UNKNOWN
    result = decide(system, checked, options, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.statistics["backward_sets"]
    shown = list(certificate_lines(system, result.certificate))
    assert "over a.0, b.0" in " ".join(shown)
    assert accept(system, checked, result, None).certified
