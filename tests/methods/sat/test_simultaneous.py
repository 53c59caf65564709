"""Simultaneous induction against path enumeration; what it claims is re-checked, by itself and with others."""

from __future__ import annotations

import time
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import PropertyResult, Verdict
from symag.smv import read_text
from symag.smv.certificates.invariants import Induction
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.checking.check import check
from symag.smv.methods import k_induction
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat import induction_of_several, simultaneous
from symag.smv.methods.sat.induction_of_several import InductionOfSeveral, StepProof
from symag.smv.methods.sat.problem import SharedCircuit
from symag.smv.methods.sat.simultaneous import SimultaneousInduction
from tests.brute_force import Explicit
from tests.strategies import models

STATES = range(4)
SETS = st.frozensets(st.sampled_from(STATES))
#: More steps than any set of these states needs without paths of distinct states.
MOST_STEPS = 5


def model(initial, steps, allowed, invariants):
    """A system of four states in SMV, of which INVAR allows some."""
    pairs = " | ".join(f"(x = {one} & next(x) = {other})" for one, other in sorted(steps)) or "FALSE"
    properties = "".join(f"INVARSPEC x in {{{', '.join(map(str, sorted(states)))}}}\n" for states in invariants)
    starts, within = (", ".join(map(str, sorted(states))) for states in (initial, allowed))
    return read_text(
        f"MODULE main VAR x : 0..3; INIT x in {{{starts}}}; INVAR x in {{{within}}}; TRANS {pairs}\n{properties}"
    )


def paths(starts, steps, length):
    """All paths of ``length`` states."""
    ends = [(state,) for state in starts]
    for _ in range(length - 1):
        ends = [(*path, end) for path in ends for start, end in steps if start == path[-1]]
    return ends


def proved_by_enumeration(initial, steps, allowed, invariants, most):
    """For each invariant, by its number, the fewest steps over which it is inductive with others."""
    proved, open_ = {}, set(range(len(invariants)))
    steps = {pair for pair in steps if allowed.issuperset(pair)}
    for k in range(1, most + 1):
        runs = paths(initial & allowed, steps, k)
        open_ = {key for key in open_ if all(run[-1] in invariants[key] for run in runs)}
        kept = set(open_)
        while True:
            given = [invariants[key] for key in (*kept, *proved)]
            inside = [p for p in paths(allowed, steps, k + 1) if all(s in one for s in p[:-1] for one in given)]
            left = {key for key in kept if all(path[-1] in invariants[key] for path in inside)}
            if left == kept:
                break
            kept = left
        proved |= dict.fromkeys(kept, k)
        open_ -= kept
    return proved


@settings(max_examples=150, deadline=None)
@given(
    SETS.filter(bool),
    st.frozensets(st.sampled_from(list(product(STATES, STATES))), max_size=7),
    SETS.filter(bool),
    st.lists(SETS.filter(bool), min_size=2, max_size=4),
    st.booleans(),
)
def test_proves_what_enumeration_of_paths_proves(initial, steps, allowed, invariants, cone):
    assume(initial & allowed)
    system = model(initial, steps, allowed, invariants)
    search = SimultaneousInduction(system, SharedCircuit(system), MOST_STEPS, cone)
    encoded = EncodedSystem(system)
    proofs = {item.index: search.proof(item, 60.0) for item in system.properties}
    expected = proved_by_enumeration(initial, steps, allowed, invariants, MOST_STEPS)
    assert {key for key, proof in proofs.items() if proof is not None} == expected.keys()
    for item in system.properties:
        proof = proofs[item.index]
        if proof is not None:
            assert proof.steps >= expected[item.index]
            assert check_certificate(system, item, proof)
            assert check_certificate(system, item, proof, encoded=encoded)
            continued(system, item, proof, cone, proofs)


def continued(system, item, proof, cone, proofs):
    """A search that begins with one proof ends with the same invariants, each with a certificate."""
    answers = [(item, PropertyResult(Verdict.HOLDS, "k-induction", certificate=proof))]
    search = SimultaneousInduction(system, SharedCircuit(system), MOST_STEPS, cone, answers=answers)
    for other in system.properties:
        again = search.proof(other, 60.0)
        assert (again is None) == (proofs[other.index] is None)
        assert again is None or check_certificate(system, other, again)


def test_random_models():
    proofs = 0

    @settings(max_examples=60, deadline=None)
    @given(models(fairness=True, properties=3), st.booleans())
    def as_brute_force_says(text, cone):
        nonlocal proofs
        system = read_text(text)
        explicit = Explicit(system)
        search = SimultaneousInduction(system, SharedCircuit(system), 6, cone)
        for item in system.properties:
            proof = search.proof(item, 60.0)
            if proof is not None:
                proofs += 1
                assert explicit.holds(item)
                assert check_certificate(system, item, proof)

    as_brute_force_says()
    assert proofs > 0


#: Each of the first two is inductive only with the other, the third over two steps; the last one is violated.
MUTUAL = """MODULE main VAR a : boolean; b : boolean; c : 0..3; d : boolean; ASSIGN
init(a) := FALSE; init(b) := FALSE; init(c) := 0; init(d) := FALSE;
next(a) := b; next(b) := a; next(c) := case c = 3 & d : 2; c = 3 : 3; TRUE : 0; esac; next(d) := TRUE;
INVARSPEC !a
INVARSPEC !b
INVARSPEC c < 3
INVARSPEC !d
"""


def test_invariants_are_lemmas_of_each_other():
    system = read_text(MUTUAL)
    search = SimultaneousInduction(system, SharedCircuit(system), None, True)
    first, second = (search.proof(item, 1.0) for item in system.properties[:2])
    assert first == Induction(1, (), ("!b",))
    assert second == Induction(1, (), ("!a",))
    assert search.proof(system.properties[3], 1.0) is None


#: Where a is true 6 may be followed by any number of 6s before 7.
NEEDS = """MODULE main VAR a : boolean; x : 0..7; ASSIGN init(a) := FALSE; next(a) := a; init(x) := 0;
next(x) := case x < 5 : 0; x = 5 : 6; x = 6 & a : {6, 7}; TRUE : 7; esac;
INVARSPEC !a
INVARSPEC x != 7
"""


def test_an_invariant_that_needs_a_proved_one_and_more_steps():
    system = read_text(NEEDS)
    search = SimultaneousInduction(system, SharedCircuit(system), None, True)
    alone, with_other = (search.proof(item, 1.0) for item in system.properties)
    assert alone == Induction(1, (), ())
    assert with_other == Induction(3, (), ("!a",), sufficient_steps=(3, 1))
    assert check_certificate(system, system.properties[1], with_other)


@pytest.mark.parametrize(("known", "proof"), [(0, Induction(1, (), ())), (1, Induction(3, (), ("!a",)))])
def test_an_invariant_that_needs_a_known_one(known, proof):
    system = read_text(NEEDS)
    answers = [(system.properties[known], PropertyResult(Verdict.HOLDS, "k-induction", certificate=proof))]
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, answers=answers)
    later = search.proof(system.properties[1], 1.0)
    assert later == Induction(3, (), ("!a",), sufficient_steps=(3, 1) if known == 0 else ())


#: 4, 5, .. is the longest path to 99: it is not inductive over fewer steps than 95.
LONG = """MODULE main VAR x : 0..99; ASSIGN init(x) := 0; next(x) := x < 4 ? 0 : (x = 99 ? 99 : x + 1);
INVARSPEC x < 4 | x > 0
INVARSPEC x != 99
"""


def test_constraints_outside_the_cone_of_the_invariants_count():
    # No state follows x = 3, for d would be true, which no invariant reads.
    text = "VAR x : 0..7; d : boolean; ASSIGN init(x) := 0; init(d) := FALSE; next(d) := x = 3; "
    system = read_text(
        f"MODULE main {text} next(x) := x < 7 ? {{x, x + 1}} : x; INVAR !d; INVARSPEC x != 4; INVARSPEC x != 4 | x = 7"
    )
    search = SimultaneousInduction(system, SharedCircuit(system), 8, True)
    proofs = [search.proof(item, 60.0) for item in system.properties]
    assert None not in proofs
    assert all(check_certificate(system, item, proof) for item, proof in zip(system.properties, proofs, strict=True))


@pytest.fixture
def a_second_for_each_step(monkeypatch):
    """The clock of the search: it has a step for each number of states, which takes a second."""
    seconds, advance = [0.0], InductionOfSeveral.advance

    def slowly(search, bound):
        advance(search, search.steps + 1)
        seconds[0] += 1.0

    monkeypatch.setattr(InductionOfSeveral, "advance", slowly)
    monkeypatch.setattr(simultaneous.time, "process_time", lambda: seconds[0])


# The first step proves the first invariant. After that the search may be in vain for SHARE times the seconds.
@pytest.mark.parametrize(("to_decide", "seconds", "is_proved"), [(1, 17, False), (2, 17, True), (99, 15, False)])
def test_a_search_for_several_takes_the_time_of_all(a_second_for_each_step, to_decide, seconds, is_proved):
    system = read_text(LONG)
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, to_decide=to_decide)
    assert (search.proof(system.properties[1], seconds) is not None) == is_proved


def test_the_time_of_all_is_taken_once(a_second_for_each_step):
    system = read_text(LONG)
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, to_decide=2)
    steps = []
    for _ in range(3):
        search.proof(system.properties[1], 10.0)
        steps.append(search._search.steps)
    assert steps[0] > 2.5 * (steps[1] - steps[0])
    assert steps[2] - steps[1] == steps[1] - steps[0]


def test_a_search_goes_on_as_long_as_its_proofs_took(a_second_for_each_step):
    # The 35th step proves the first invariant, the 95th the second.
    chains = "".join(f"init({v}) := 0; next({v}) := {v} < 4 ? 0 : ({v} = 99 ? 99 : {v} + 1);" for v in "xy")
    system = read_text(f"MODULE main VAR x : 0..99; y : 0..99; ASSIGN {chains} INVARSPEC x != 39; INVARSPEC y != 99")
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, to_decide=2)
    assert search.proof(system.properties[0], 60.0) is not None
    steps = search._search.steps
    assert search.proof(system.properties[1], 2.0) is not None
    assert search._search.steps > steps + 1.5 * steps


def test_a_call_takes_no_longer_than_it_may(monkeypatch):
    system = read_text(LONG)
    advance = InductionOfSeveral.advance

    def slowly(search, bound):
        time.sleep(0.02)
        advance(search, bound)

    monkeypatch.setattr(InductionOfSeveral, "advance", slowly)
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, to_decide=2, longest=0.2)
    assert search.proof(system.properties[1], 60.0) is None
    steps = search._search.steps
    assert 1 <= steps <= 11
    assert search.proof(system.properties[1], 60.0) is None
    assert 1 <= search._search.steps - steps <= 11


@pytest.mark.parametrize(
    ("dear", "states"),
    [
        ("_extend", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
        ("_prove", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, 26, 30]),
    ],
)
def test_steps_that_take_longer_than_the_base_are_fewer(dear, states, monkeypatch):
    seconds, method = [0.0], getattr(InductionOfSeveral, dear)

    def slowly(search):
        method(search)
        seconds[0] += 1.0

    monkeypatch.setattr(InductionOfSeveral, dear, slowly)
    monkeypatch.setattr(simultaneous.time, "process_time", lambda: seconds[0])
    search = _search_of(LONG)
    for number in states:
        search.advance(30)
        assert search.steps == number


@pytest.mark.parametrize("is_known", [False, True])
def test_what_is_known_of_a_state_is_told_to_the_solver(is_known, monkeypatch):
    follows = "next(x) := case x = 5 : 5; x = 4 : 0; a : x; TRUE : 0; esac"
    search = _search_of(
        f"MODULE main IVAR a : boolean; VAR x : 0..7; ASSIGN init(x) := {{0, 4}}; {follows}; INVARSPEC x != 5"
    )
    if is_known:
        search = InductionOfSeveral(search._base._circuit, search._base._literals, {0: StepProof(1, (0,))})
    told = {}
    for path in (search._base, search._step):
        clauses = told[path] = []

        def add(clause, clauses=clauses, before=path.solver.add):
            clauses.append(list(clause))
            before(clause)

        monkeypatch.setattr(path.solver, "add", add)
    search.advance()
    search.advance()
    ((key, _),) = search.proofs.items()
    for state in (0, 1):
        assert [search._base.signal(key, state)] in told[search._base]
    for state in (0, 1, 2):
        assert [-search._assumed[key], search._step.signal(key, state)] in told[search._step]


def _search_of(text):
    system = read_text(text)
    shared = SharedCircuit(system)
    literals = {item.index: shared.blasting.truth(item.expression) for item in system.properties}
    return InductionOfSeveral(shared.blasting.circuit, literals)


def test_a_step_that_proves_something_is_followed_by_another(a_second_for_each_step):
    """With any other the search ends here, for the next one would take too long."""
    system = read_text(NEEDS)
    search = SimultaneousInduction(system, SharedCircuit(system), None, True)
    assert search.proof(system.properties[1], 0.4) is None
    assert search._search.steps == 2


def test_the_proofs_of_others_are_told_once():
    system = read_text(NEEDS)
    search = SimultaneousInduction(system, SharedCircuit(system), None, True)
    assert search.new_proofs() == {}
    assert search.proof(system.properties[1], 1.0) == Induction(3, (), ("!a",), sufficient_steps=(3, 1))
    assert search.new_proofs() == {system.properties[0].index: Induction(3, (), ("x != 7",), sufficient_steps=(1, 3))}
    assert search.new_proofs() == {}


def test_a_search_begins_with_what_an_earlier_one_proved():
    system = read_text(MUTUAL)
    answer = PropertyResult(Verdict.HOLDS, "k-induction", certificate=Induction(1, (), ("!b",)))
    answers = [(system.properties[0], answer)]
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, answers=answers)
    # Both are known, without a search.
    search.proof(system.properties[3], 1e-9)
    assert [search.proof(item, 0.0) for item in system.properties[:2]] == [
        Induction(1, (), ("!b",)),
        Induction(1, (), ("!a",)),
    ]


@pytest.mark.parametrize(
    "certificate",
    [
        Induction(1, ((("a", 0, False),),), ()),  # clauses
        Induction(1, (), ("!b",), distinct=True),
        Induction(1, (), ("c = 1 | !b",)),  # a lemma that is no invariant of the model
    ],
)
def test_other_proofs_are_not_taken_over(certificate):
    system = read_text(MUTUAL)
    answers = [(system.properties[0], PropertyResult(Verdict.HOLDS, "pdr", certificate=certificate))]
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, answers=answers)
    search.proof(system.properties[3], 1e-9)
    assert search._known() == {}


def test_a_bound_limits_the_steps():
    # 4, 5, 6, 7 is the longest path to 7.
    text = "MODULE main VAR x : 0..7; ASSIGN init(x) := 0; next(x) := x < 4 ? 0 : (x = 7 ? 7 : x + 1);"
    system = read_text(f"{text} INVARSPEC x != 3; INVARSPEC x != 7")
    steps = []
    for bound in (3, 4):
        search = SimultaneousInduction(system, SharedCircuit(system), bound, True)
        steps.append([proof and proof.steps for proof in (search.proof(item, 60.0) for item in system.properties)])
    assert steps == [[1, None], [1, 4]]


@pytest.mark.parametrize(
    "text",
    [
        "VAR x : boolean; INVARSPEC x | !x",  # one invariant
        "VAR x : boolean; INIT FALSE; INVARSPEC x; INVARSPEC !x",  # no initial state
        "VAR x : boolean; SPEC EF x; LTLSPEC F x",  # none
    ],
)
def test_without_two_invariants_or_a_start_there_is_no_proof(text):
    system = read_text(f"MODULE main {text}")
    search = SimultaneousInduction(system, SharedCircuit(system), None, True)
    assert [search.proof(item, 1.0) for item in system.properties] == [None] * len(system.properties)


def test_an_evaluation_that_fails_is_an_error_of_its_property_alone():
    text = "VAR x : boolean; y : 0..3; ASSIGN init(x) := FALSE; next(x) := x;"
    system = read_text(f"MODULE main {text} INVARSPEC !x; INVARSPEC 3 / y > 0; INVARSPEC x -> y = 0")
    search = SimultaneousInduction(system, SharedCircuit(system), None, True)
    assert [search.proof(item, 1.0) is None for item in system.properties] == [False, True, False]
    decide = k_induction.session(system, SmvOptions())
    for item in system.properties[::2]:
        assert decide(item, no_progress).verdict is Verdict.HOLDS
    with pytest.raises(InputError, match="division by zero"):
        decide(system.properties[1], no_progress)


@pytest.mark.parametrize("method", ["k-induction", "auto"])
def test_all_are_proved_and_certified(method):
    system = read_text(MUTUAL)
    results = [result for _, result in check(system, system.properties[:3], method)]
    assert all(result.verdict is Verdict.HOLDS and result.certified for result in results)


def test_one_selected_property_has_the_others_as_lemmas():
    system = read_text(MUTUAL)
    result = k_induction.decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.certificate == Induction(1, (), ("!b",))
    assert result.statistics["lemmas"] == 1


@pytest.mark.parametrize(("to_decide", "others"), [(1, []), (3, [1, 2])])
def test_proofs_of_others_are_for_those_that_decide_several(to_decide, others):
    system = read_text(MUTUAL)
    result = k_induction.decide(system, system.properties[0], SmvOptions(to_decide=to_decide), no_progress)
    assert list(result.others) == others


#: x = y needs y = z, unless paths have 256 steps, for everything stays until c is 0.
HELD = """MODULE main VAR x : unsigned word[8]; y : unsigned word[8]; z : unsigned word[8]; c : unsigned word[8];
ASSIGN init(x) := 0ud8_0; init(y) := 0ud8_0; init(z) := 0ud8_0; next(c) := c + 0ud8_1;
next(x) := c = 0ud8_0 ? x + 0ud8_1 : x; next(y) := c = 0ud8_0 ? z + 0ud8_1 : y; next(z) := c = 0ud8_0 ? z + 0ud8_1 : z;
INVARSPEC x = y
INVARSPEC y = z
"""


@pytest.mark.parametrize(("options", "lemmas"), [({}, 1), ({"brief": True}, None), ({"is_alone": True}, None)])
def test_a_search_that_is_brief_or_alone_is_for_one_invariant(options, lemmas):
    system = read_text(HELD)
    result = k_induction.session(system, SmvOptions(bound=20, **options))(system.properties[0], no_progress)
    assert (None if result.certificate is None else len(result.certificate.lemmas)) == lemmas


def test_a_search_for_all_tells_what_is_new_until_nothing_is_open():
    """Of five, three are proved over one and three states, one is violated, and one is not an invariant."""
    system = read_text(
        "MODULE main VAR a : boolean; b : boolean; x : 0..7; ASSIGN init(a) := FALSE; init(b) := FALSE;"
        "next(a) := b; next(b) := a; init(x) := 0; next(x) := x < 2 ? x + 1 : x = 2 ? 0 : x > 4 ? x - 1 : 7;"
        "INVARSPEC !a; INVARSPEC !b; INVARSPEC x != 7; INVARSPEC x != 1; LTLSPEC F a"
    )
    search, told, opened = k_induction.search_for_all(system, SmvOptions(to_decide=5)), {}, []
    while not opened or opened[-1]:
        result = search(False, no_progress)
        assert result.verdict is Verdict.UNKNOWN
        assert result.others
        assert told.keys().isdisjoint(result.others)
        told |= result.others
        opened.append(result.statistics["open"])
    violated = [index for index, evidence in told.items() if evidence is None]
    assert [system.properties[index].text for index in violated] == ["x != 1"]
    assert {system.properties[index].text for index in told} == {"!a", "!b", "x != 7", "x != 1"}
    proofs = ((system.properties[index], proof) for index, proof in told.items() if proof is not None)
    assert all(check_certificate(system, item, proof) for item, proof in proofs)
    assert search(False, no_progress).others == {}
    assert opened == sorted(opened, reverse=True)


def test_a_brief_call_of_a_search_for_all_ends_without_news():
    """Each needs a thousand states: what is brief ends, and goes on where it was."""
    names = ("x", "y")
    steps = "".join(f"init({x}) := 0ud10_0; next({x}) := {x} < 0ud10_9 ? 0ud10_0 : {x} + 0ud10_1; " for x in names)
    invariants = "".join(f"INVARSPEC {x} != 0ud10_1023; " for x in names)
    variables = "".join(f"{x} : unsigned word[10]; " for x in names)
    system = read_text(f"MODULE main VAR {variables} ASSIGN {steps} {invariants}")
    search = k_induction.search_for_all(system, SmvOptions())
    results = [search(True, no_progress) for _ in range(2)]
    assert [(result.others, result.statistics["open"]) for result in results] == [({}, 2)] * 2
    assert 0 < results[0].statistics["steps"] < results[1].statistics["steps"]


def test_only_a_call_that_is_not_brief_goes_on_to_the_proof(monkeypatch):
    monkeypatch.setattr(k_induction, "TOGETHER_SECONDS_IF_BRIEF", 1e-6)
    system = read_text(
        "MODULE main VAR x : 0..31; y : 0..31; ASSIGN init(x) := 0; next(x) := x < 9 ? 0 : (x + 1) mod 32;"
        "init(y) := 0; next(y) := y < 9 ? 0 : (y + 1) mod 32; INVARSPEC x != 31; INVARSPEC y != 31"
    )
    search = k_induction.search_for_all(system, SmvOptions())
    assert [set(search(is_brief, no_progress).others) for is_brief in (True, True, False)] == [set(), set(), {0, 1}]


def test_a_search_for_all_without_invariants_or_at_its_bound_has_nothing_open():
    for text, bound in (("INVARSPEC x", None), ("INVARSPEC x; INVARSPEC y", 0)):
        system = read_text(f"MODULE main VAR x : boolean; y : boolean; {text}")
        result = k_induction.search_for_all(system, SmvOptions(bound=bound))(False, no_progress)
        assert (result.others, result.statistics["open"]) == ({}, 0)


def test_what_follows_from_a_known_one_in_the_same_state_has_its_steps():
    """!y is true after one step where x != 7 is known of the state after it, which takes four steps to show."""
    system = read_text(
        "MODULE main VAR x : 0..7; y : boolean; ASSIGN init(x) := 0; y := x = 7;"
        "next(x) := x < 4 ? 0 : x = 7 ? 7 : x + 1; INVARSPEC x != 7; INVARSPEC !y"
    )
    known, other = system.properties
    answers = [(known, PropertyResult(Verdict.HOLDS, "k-induction", certificate=Induction(4, (), ())))]
    search = SimultaneousInduction(system, SharedCircuit(system), None, True, answers=answers)
    proof = search.proof(other, 1.0)
    assert proof == Induction(4, (), ("x != 7",))
    assert check_certificate(system, other, proof)


def test_what_follows_from_one_that_is_dropped_is_shown_again(monkeypatch):
    """b follows from a, or from d, and a from c, which nothing implies."""
    monkeypatch.setattr(induction_of_several, "SEVERAL", 100)
    system = read_text(
        "MODULE main VAR a : boolean; b : boolean; c : boolean; d : boolean; r : boolean;"
        "ASSIGN init(a) := TRUE; init(b) := TRUE; init(c) := TRUE; init(d) := TRUE; next(d) := d;"
        "next(a) := c; next(b) := a | d; next(c) := c & !r;"
        "INVARSPEC b; INVARSPEC a; INVARSPEC d; INVARSPEC c"
    )
    search = SimultaneousInduction(system, SharedCircuit(system), None, True)
    proofs = [search.proof(item, 0.1) for item in system.properties]
    assert [proof is not None for proof in proofs] == [True, False, True, False]
    assert proofs[0].lemmas == ("d",)
