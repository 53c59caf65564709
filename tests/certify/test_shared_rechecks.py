"""Re-checks that share what they have proved of a system: each accepts exactly what it accepts by itself."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import FactLemmas, Induction, InductiveFacts, InductiveParts, InductiveSet
from symag.smv.certificates.temporal import Labelling
from symag.smv.certify import check_certificate
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.checking.check import check
from symag.smv.methods import k_induction, monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.model.flat import FlatSystem, Property
from tests.brute_force import Explicit, find_error
from tests.certify.diagram_builder import DiagramBuilder
from tests.strategies import models

METHODS = (monolithic.decide, pdr.decide, k_induction.decide)

COUNTER = """MODULE main
VAR a : 0..7; b : 0..7; c : boolean;
ASSIGN init(a) := {start}; init(b) := {start};
next(a) := {guard}a < 5 ? a + 1 : 0; next(b) := {guard}b < 5 ? b + 1 : 0;
INVARSPEC a = b
INVARSPEC a < 6
INVARSPEC b != 7
SPEC AG a = b
"""


def counter(start: int = 0, guard: str = "") -> FlatSystem:
    return read_text(COUNTER.format(start=start, guard=guard))


def is_accepted(
    system: FlatSystem, item: Property, certificate: Certificate, encoded: EncodedSystem | None = None
) -> bool:
    try:
        return check_certificate(system, item, certificate, encoded=encoded)
    except (CertificationError, UnsupportedError):
        return False


def closed_set(system: FlatSystem, kind: type[InductiveSet] | type[Labelling]) -> Certificate:
    """The states of the counters in which they are equal and at most 5."""
    builder = DiagramBuilder(system, ("a", "b"))
    root = builder.root({"a": value, "b": value} for value in range(6))
    table = builder.table()
    return Labelling(table, (root,), ()) if kind is Labelling else InductiveSet(table, (root,))


FACTS = InductiveFacts(("a = b", "a < 6", "b < 6"), ((0,), (1,), (2,)))
#: The same set three times in other words, then other kinds.
PROOFS = {
    "set": closed_set(counter(), InductiveSet),
    "labelling": closed_set(counter(), Labelling),
    "facts": FACTS,
    "induction": Induction(1, (), ("a = b", "a < 6", "b < 6")),
    "set with facts": InductiveSet(DiagramTable((), ()), (1,), FactLemmas(FACTS.facts, FACTS.uses)),
    "parts": InductiveParts(
        closed_set(counter(), InductiveSet).table, ((closed_set(counter(), InductiveSet).conjuncts[0],),), ((0,),)
    ),
}


@pytest.mark.parametrize("name", PROOFS)
@pytest.mark.parametrize("changed", [counter(start=6), counter(guard="c & a = 3 ? 7 : ")], ids=["init", "step"])
def test_what_was_accepted_for_another_model_is_refused(name: str, changed: FlatSystem) -> None:
    system, proof = counter(), PROOFS[name]
    items = [item for item in system.properties if (item.kind == "CTL") == (name == "labelling")]
    encoded = EncodedSystem(system)
    for item in items:
        assert is_accepted(system, item, proof, encoded)
    own = EncodedSystem(changed)
    for item in items:
        other = changed.properties[item.index]
        assert not is_accepted(changed, other, proof)
        assert not is_accepted(changed, other, proof, encoded)
        assert not is_accepted(changed, other, proof, own)


@pytest.mark.parametrize("name", [name for name in PROOFS if name != "labelling"])
def test_an_accepted_proof_is_not_proved_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    questions: Counter[str] = Counter()

    def counted(solver: Satisfiability, signals: Sequence[int] = ()) -> bool:
        questions["now"] += 1
        return original(solver, signals)

    original = Satisfiability.is_satisfiable
    monkeypatch.setattr(Satisfiability, "is_satisfiable", counted)
    system = counter()
    encoded = EncodedSystem(system)
    counts = []
    for item in system.properties:
        if item.kind == "CTL":
            continue
        questions.clear()
        assert is_accepted(system, item, PROOFS[name], encoded)
        counts.append(questions["now"])
    # Of an induction the property is one of the conditions, which are asked initially and after a step.
    assert counts[0] > max(counts[1:])
    assert max(counts[1:]) <= (2 if name == "induction" else 1)


def test_nothing_is_recorded_of_a_proof_that_is_refused() -> None:
    system = counter(start=6)
    encoded = EncodedSystem(system)
    for _ in range(2):
        for proof in PROOFS.values():
            for item in system.properties:
                assert not is_accepted(system, item, proof, encoded)


#: x never is 7, to which 4, 5, 6 leads, and after 8 there may be no end of 9s before the violation of ``x != 10``.
PATHS = """MODULE main VAR x : 0..10; r : boolean; ASSIGN init(x) := 0;
next(x) := case x < 4 : 0; x = 7 | x = 10 : x; x = 8 : 9; x = 9 : {9, 10}; TRUE : x + 1; esac;
INVARSPEC x != 7
INVARSPEC x != 3
INVARSPEC x != 10
"""


def test_what_is_inductive_over_several_steps_is_not_proved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    system = read_text(PATHS)
    first, second, _ = system.properties
    encoded = EncodedSystem(system)
    assert is_accepted(system, first, Induction(4, (), ("x != 3",)), encoded)
    # The same set over more steps, with the other one as lemma, asks nothing; over fewer steps it is not inductive.
    assert not is_accepted(system, second, Induction(3, (), ("x != 7",)), encoded)
    monkeypatch.setattr(Satisfiability, "is_satisfiable", None)
    assert is_accepted(system, second, Induction(5, (), ("x != 7",)), encoded)


def test_a_proof_on_paths_without_repetition_is_recorded_for_none() -> None:
    system = read_text(PATHS)
    last = system.properties[2]
    encoded = EncodedSystem(system)
    distinct = Induction(3, (), (), distinct=True)
    assert is_accepted(system, last, distinct, encoded)
    assert not is_accepted(system, last, replace(distinct, distinct=False), encoded)


def test_a_proof_that_uses_transitions_is_recorded_for_none_of_states_over_several_steps() -> None:
    step = "ASSIGN init(x) := 0; next(x) := x < 5 ? 0 : (x = 7 ? 7 : x + 1);"
    system = read_text(f"MODULE main VAR x : 0..7; {step} INVARSPEC next(x) != 6; INVARSPEC x != 7")
    of_transitions, of_states = system.properties
    encoded = EncodedSystem(system)
    assert is_accepted(system, of_transitions, Induction(2, (), ("x != 7",)), encoded)
    assert not is_accepted(system, of_states, Induction(2, ()), encoded)


def test_a_proof_without_a_lemma_that_it_needs_is_refused_after_one_with_it() -> None:
    step = "ASSIGN init(a) := FALSE; init(b) := FALSE; next(a) := b; next(b) := a;"
    system = read_text(f"MODULE main VAR a : boolean; b : boolean; {step} INVARSPEC !a")
    (item,) = system.properties
    encoded = EncodedSystem(system)
    assert is_accepted(system, item, Induction(1, (), ("!b",)), encoded)
    assert not is_accepted(system, item, Induction(1, ()), encoded)


def test_an_accepted_set_proves_no_property_that_it_does_not_imply() -> None:
    system = read_text(COUNTER.format(start=0, guard="") + "INVARSPEC a < 5\nSPEC AG a < 5\n")
    encoded = EncodedSystem(system)
    for proof in PROOFS.values():
        for item in system.properties:
            assert is_accepted(system, item, proof, encoded) == is_accepted(system, item, proof)
    false = [item for item in system.properties if "a < 5" in item.text]
    assert len(false) == 2
    assert not any(is_accepted(system, item, proof, encoded) for item in false for proof in PROOFS.values())


def test_a_command_with_several_properties_certifies_all_of_them() -> None:
    system = counter()
    for method in ("monolithic", "pdr", "parts"):
        answers = check(system, system.properties, method)
        assert all(result.certified and result.verdict is Verdict.HOLDS for _, result in answers)


@st.composite
def claims(draw: st.DrawFn) -> tuple[FlatSystem, list[tuple[Property, Certificate]]]:
    """A system, and certificates that methods and chance make, each claimed for properties that it may not prove."""
    text = draw(models(largest=32, properties=3))
    try:
        system = read_text(text)
    except InputError:
        assume(False)
    assume(find_error(system) is None)
    explicit = Explicit(system)
    proofs: list[Certificate] = []
    for item in system.properties:
        if not explicit.holds(item):
            continue
        for decide in draw(st.lists(st.sampled_from(METHODS), min_size=1, max_size=2, unique=True)):
            try:
                result = decide(system, item, SmvOptions(bound=6), no_progress)
            except (UnsupportedError, InputError):
                continue
            if result.verdict is Verdict.HOLDS and isinstance(result.certificate, Certificate):
                proofs.append(result.certificate)
    builder = DiagramBuilder(system, explicit.names)
    reached = set(explicit.reachable())
    states = draw(st.sets(st.sampled_from(list(explicit.all_states())), max_size=3))
    for chosen in (reached, reached | states, reached - states):
        root = builder.root([explicit.valuation(state) for state in sorted(chosen, key=str)])
        proofs.append(InductiveSet(builder.table(), (root,)))
        proofs.append(Labelling(builder.table(), (root,), ()))
    invariants = [item.text for item in system.properties if item.kind == "INVARSPEC"]
    for _ in range(4):
        lemmas = draw(st.lists(st.sampled_from(invariants), unique=True)) if invariants else []
        proofs.append(Induction(draw(st.integers(1, 3)), (), tuple(lemmas), draw(st.booleans())))
    pairs = [(item, proof) for proof in proofs for item in system.properties]
    random.Random(draw(st.integers(0, 1_000))).shuffle(pairs)
    return system, pairs


def test_random_claims_are_judged_as_if_each_were_the_only_one() -> None:
    answers: Counter[tuple[str, bool]] = Counter()

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(claims())
    def run(drawn: tuple[FlatSystem, list[tuple[Property, Certificate]]]) -> None:
        system, pairs = drawn
        encoded = EncodedSystem(system)
        for item, proof in pairs:
            alone = is_accepted(system, item, proof)
            assert is_accepted(system, item, proof, encoded) == alone
            answers[proof.kind, alone] += 1

    run()
    assert answers["inductive-set", True]
    assert answers["inductive-set", False]
