"""Sets of groups of components: they have every reachable state, verdicts are right, and proofs are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read, read_text
from symag.smv.certificates.invariants import InductiveParts
from symag.smv.certify import accept, inductive_parts
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.checking.methods import METHODS
from symag.smv.checking.portfolio.contest import Contest
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.parts import decide
from symag.smv.methods.partwise import components as components_module
from symag.smv.methods.partwise.components import Components, GroupSets
from symag.smv.methods.partwise.parallel import LAYERS, ParallelSearch, violation_through
from symag.smv.model.properties import invariant_of
from symag.smv.symbolic.interactions import interactions_of
from symag.smv.symbolic.system import encode
from tests.brute_force import Explicit
from tests.symbolic.test_interactions import component_systems

SETS = SmvOptions(invariants="sets")
MODELS = Path(__file__).parents[2] / "models"


def pairs_of(system):
    symbolic = encode(system)
    interactions = interactions_of(symbolic)
    return None if interactions is None else GroupSets.of(Components.of(symbolic, interactions))


@settings(max_examples=80, deadline=None)
@given(component_systems(), st.booleans())
def test_the_sets_have_every_reachable_state(text, larger):
    system = read_text(text)
    explicit = Explicit(system)
    sets = pairs_of(system)
    assume(sets is not None)
    if larger:
        sets.groups.append(frozenset(range(3)))
    sets.grow(no_progress)
    symbolic = sets.components.symbolic
    conditions = [*sets.sets, *(others | first for others, first in sets.first)]
    for state in explicit.reachable():
        cube = symbolic.encoding.valuation(explicit.valuation(state))
        assert all(cube & diagram != symbolic.context.false for diagram in conditions)


@settings(max_examples=60, deadline=None)
@given(component_systems(), st.sampled_from((1, 3, 40)), st.sampled_from((0, 100)), st.booleans())
def test_verdicts_are_right_and_certified(text, part_bits, refinements, cone):
    system = read_text(text)
    explicit = Explicit(system)
    (target,) = system.properties
    options = replace(SETS, part_bits=part_bits, refinements=refinements, cone_of_influence=cone)
    result = decide(system, target, options, no_progress)
    if result.verdict is not Verdict.UNKNOWN:
        assert (result.verdict is Verdict.HOLDS) == explicit.holds(target)
        assert accept(system, target, result, None).certified
    if isinstance(result.certificate, InductiveParts):
        inductive_parts.check(target, result.certificate, Deadline(None), EncodedSystem(system), conflicts=0)
    again = decide(system, target, options, no_progress)
    assert (again.verdict, again.certificate) == (result.verdict, result.certificate)


def test_pairs_of_components_know_data():
    system = read(str(MODELS / "quorum3.smv"))
    (target,) = system.properties
    result = decide(system, target, SETS, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.statistics["components"] == 11
    assert (result.statistics["parts"], result.statistics["refinements"]) == (55, 0)
    certificate = result.certificate
    assert isinstance(certificate, InductiveParts)
    # Interaction by interaction, and at once.
    for conflicts in (0, 4_000):
        inductive_parts.check(target, certificate, Deadline(None), EncodedSystem(system), conflicts)
    uses = tuple((number,) for number in range(len(certificate.sets)))
    forged = replace(certificate, uses=uses)
    with pytest.raises(CertificationError, match="a transition leads out of set"):
        inductive_parts.check(target, forged, Deadline(None), EncodedSystem(system), 0)


# Every interaction flips two of four flags, so an even number of them is set. No two flags say that.
EVEN = """MODULE main
VAR i : {wx, xy, yz}; w : Flag(i, wx, wx); x : Flag(i, wx, xy); y : Flag(i, xy, yz); z : Flag(i, yz, yz);
INVAR i = wx -> w.may
INVARSPEC !(w.up xor x.up xor y.up xor z.up)
MODULE Flag(i, one, other)
VAR up : boolean; may : boolean;
INIT !up
INVAR may <-> TRUE
TRANS (i in {one, other} & next(up) = !up) | (!(i in {one, other}) & next(up) = up)
"""


def test_a_counterexample_adds_a_larger_group():
    system = read_text(EVEN)
    (target,) = system.properties
    assert decide(system, target, replace(SETS, refinements=0), no_progress).verdict is Verdict.UNKNOWN
    result = decide(system, target, SETS, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert (result.statistics["parts"], result.statistics["refinements"]) == (7, 1)
    assert accept(system, target, result, None).certified
    small = decide(system, target, replace(SETS, part_bits=2), no_progress)
    assert "no part of at most 2 bits" in small.reason


def test_sets_that_are_too_large_are_given_up(monkeypatch):
    monkeypatch.setattr(components_module, "LARGEST_SET", 1)
    system = read_text(EVEN)
    result = decide(system, system.properties[0], replace(SETS, refinements=1), no_progress)
    assert result.verdict is Verdict.UNKNOWN


def test_a_step_reads_only_the_components_that_take_part():
    sets = pairs_of(read(str(MODELS / "quorum3.smv")))
    assert max(len(step.scope) for step in sets.components.steps) == 2


@settings(max_examples=80, deadline=None)
@given(component_systems(), st.booleans())
def test_interactions_at_once_find_a_violation_where_there_is_one(text, cone):
    """But for one in a first state."""
    system = read_text(text)
    explicit = Explicit(system)
    sets = pairs_of(system)
    (target,) = system.properties
    invariant = invariant_of(system, target)
    assume(sets is not None and invariant is not None)
    states = ParallelSearch(sets.components, sets.initial, invariant).violation(LAYERS, no_progress)
    if states is None:
        reached = list(explicit.reachable())
        wrong = set(reached) - explicit.satisfying(invariant, reached)
        assert wrong <= set(explicit.initial_states())
        return
    result = violation_through(system, target, replace(SETS, cone_of_influence=cone), states)
    # Of LTL and CTL a run that does not go on is no counterexample.
    assert result is not None or target.kind != "INVARSPEC"
    if result is not None:
        assert not explicit.holds(target)
        assert accept(system, target, result, None).certified


def test_interactions_at_once_take_few_layers():
    """Also where only a run without an end is a counterexample: it stays in its last state here."""
    text = (MODELS / "quorum3_broken.smv").read_text()
    system = read_text(
        text.replace("INVARSPEC NAME agreement :=", "CTLSPEC AG (").replace("= c1.choice);", "= c1.choice));")
    )
    sets = pairs_of(system)
    (target,) = system.properties
    search = ParallelSearch(sets.components, sets.initial, invariant_of(system, target))
    states = search.violation(8, no_progress)
    assert states is not None
    assert len(states) > 12
    result = violation_through(system, target, SETS, states)
    assert result is not None
    assert result.trace.kind == "lasso"
    assert accept(system, target, result, None).certified
    assert search.violation(4, no_progress) is None


def test_auto_begins_with_sets_of_components():
    system = read(str(MODELS / "quorum3.smv"))
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None)
    runners = contest.runners(0)
    contest.close()
    assert [runner.name for runner in runners if runner.delay == 0] == ["parts (sets)"]
    broken = read(str(MODELS / "quorum3_broken.smv"))
    result = decide(broken, broken.properties[0], replace(SETS, brief=True), no_progress)
    assert result.method == "parts (interactions at once)"


def test_a_violation_that_sets_allow_is_looked_for_before_facts():
    broken = read(str(MODELS / "quorum3_broken.smv"))
    for bound, method in ((None, "parts (interactions at once)"), (20, "parts (bounded search)")):
        lines: list[str] = []
        options = SmvOptions(bound=bound)
        result = decide(broken, broken.properties[0], options, lambda line, lines=lines: lines.append(str(line)))
        assert result.method == method
        assert any(line.startswith("sets of 55 groups") for line in lines)
        assert not any("relations over" in line for line in lines)
