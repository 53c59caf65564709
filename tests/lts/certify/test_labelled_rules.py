"""Assumptions for labelled transition systems: sound and exact re-check, refused forgeries, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError
from symag.core.limits import Deadline, OutOfTimeError
from symag.core.values import replace
from symag.lts import Lts, System, read_text
from symag.lts.certificates import ExplorationClaim, LabelledAssumption, LabelledAssumptions
from symag.lts.certify.kinds import check_certificate, read_labelled_certificate, write_labelled_certificate
from symag.lts.certify.rules import check_labelled_assumptions
from symag.lts.composition import labels_of
from symag.lts.questions import questions
from symag.lts.safety_problem import SafetyProblem, safety_problem
from tests.judging import is_accepted
from tests.lts.explicit_languages import allows, can_do, exact, is_safe, words
from tests.lts.explicit_safety import distance_to_error
from tests.lts.strategies import safety_systems


def _accepts(system: System, certificate: LabelledAssumptions) -> bool:
    return is_accepted(check_labelled_assumptions, system, certificate, Deadline(60))


def _labels(problem: SafetyProblem) -> tuple[str, ...]:
    return tuple(sorted(labels_of(problem.components)))


def _strongest(problem: SafetyProblem, rule: str, parts: tuple[tuple[int, ...], ...]) -> LabelledAssumptions:
    """Assumptions that say all that can be said: with them the premises hold exactly if the property does."""
    machines = [[problem.components[k] for k in part] for part in parts]
    labels = _labels(problem)
    if rule == "circular":
        assumptions = [exact(part, [label for label in labels if label in labels_of(part)]) for part in machines]
        guarantees = tuple(tuple(j for j in range(len(parts)) if j != i) for i in range(len(parts)))
        return LabelledAssumptions("circular", parts, tuple(assumptions), guarantees)
    chain: list[LabelledAssumption] = []
    for part in reversed(machines[1:]):
        chain.insert(0, exact([*part, *chain[:1]], labels))
    return LabelledAssumptions("rule-1" if rule == "rule-1" else "rule-3", parts, tuple(chain))


def _partition(draw: st.DrawFn, count: int, most: int) -> tuple[tuple[int, ...], ...]:
    place = draw(st.lists(st.integers(0, most - 1), min_size=count, max_size=count))
    return tuple(part for k in range(most) if (part := tuple(i for i in range(count) if place[i] == k)))


@st.composite
def certified_systems(draw: st.DrawFn) -> tuple[System, SafetyProblem, LabelledAssumptions]:
    system = draw(safety_systems(most=3, states=3))
    problem = safety_problem(system)
    parts = _partition(draw, len(problem.components), 3)
    rule = draw(st.sampled_from(("rule-1", "rule-3", "circular")))
    if rule == "rule-1" and len(parts) != 2:
        rule = "rule-3"
    return system, problem, _strongest(problem, rule, parts)


@settings(max_examples=250, deadline=None)
@given(certified_systems())
def test_the_strongest_assumptions_are_accepted_exactly_if_the_system_is_safe(
    found: tuple[System, SafetyProblem, LabelledAssumptions],
) -> None:
    system, _, certificate = found
    assert _accepts(system, certificate) == (distance_to_error(system.components) is None)


def _changed(draw: st.DrawFn, problem: SafetyProblem, assumption: LabelledAssumption) -> LabelledAssumption:
    """Transitions left out and put in, an action exchanged for another one."""
    count = assumption.states
    kept = [each for each in assumption.transitions if draw(st.integers(0, 5))]
    alphabet = list(assumption.alphabet)
    if alphabet:
        other = draw(st.sampled_from(_labels(problem)))
        if other not in alphabet and draw(st.booleans()):
            alphabet[draw(st.integers(0, len(alphabet) - 1))] = other
        state = st.integers(0, count - 1)
        kept += draw(st.lists(st.tuples(state, st.integers(0, len(alphabet) - 1), state), max_size=3))
    return LabelledAssumption(tuple(alphabet), count, tuple(sorted(set(kept))))


@settings(max_examples=400, deadline=None)
@given(certified_systems(), st.data())
def test_no_changed_assumptions_prove_what_is_violated_or_pass_a_premise_that_a_word_breaks(
    found: tuple[System, SafetyProblem, LabelledAssumptions], data: st.DataObject
) -> None:
    system, problem, certificate = found
    assumptions = tuple(_changed(data.draw, problem, each) for each in certificate.assumptions)
    if certificate.guarantees:
        fewer = tuple(tuple(j for j in granted if data.draw(st.booleans())) for granted in certificate.guarantees)
        certificate = replace(certificate, guarantees=fewer)
    certificate = replace(certificate, assumptions=assumptions)
    accepted = _accepts(system, certificate)
    if accepted:
        assert distance_to_error(system.components) is None
    broken = any(_breaks(problem, certificate, word) for word in words(_labels(problem), 3))
    assert not (accepted and broken)


def _breaks(problem: SafetyProblem, certificate: LabelledAssumptions, word: tuple[str, ...]) -> bool:
    """Whether the word is one that some premise, by its definition, forbids."""
    parts = [[problem.components[k] for k in part] for part in certificate.parts]
    given_ = certificate.assumptions

    def is_one_of(part: list[Lts]) -> bool:
        return all(can_do(lts, word) for lts in part)

    if certificate.rule == "circular":
        for i, part in enumerate(parts):
            granted = all(allows(given_[j], word[:-1]) for j in (*certificate.guarantees[i], i))
            if word and granted and is_one_of(part) and not allows(given_[i], word):
                return True
        return all(allows(each, word) for each in given_) and not is_safe(problem.property, word)
    for k, part in enumerate(parts):
        if is_one_of(part) and all(allows(each, word) for each in given_[k : k + 1]):
            right = is_safe(problem.property, word) if k == 0 else allows(given_[k - 1], word)
            if not right:
                return True
    return False


# A lock that is taken and given back; of the two workers none works without it.
MODEL = """
WORKER = (take -> work -> done -> give -> WORKER).
LOCK = (take -> give -> LOCK).
property SAFE = (a.work -> a.done -> SAFE | b.work -> b.done -> SAFE).
||SYS = (a:WORKER || b:WORKER || {a, b}::LOCK || SAFE).
"""


def _certificate(rule: str = "rule-3") -> tuple[System, LabelledAssumptions]:
    system = read_text(MODEL).composite("SYS")
    problem = safety_problem(system)
    parts: tuple[tuple[int, ...], ...] = ((0,), (1,), (2,)) if rule != "rule-1" else ((0, 1), (2,))
    return system, _strongest(problem, rule, parts)


@pytest.mark.parametrize("rule", ["rule-1", "rule-3", "circular"])
def test_forgeries_are_refused(rule: str) -> None:
    system, honest = _certificate(rule)
    check_labelled_assumptions(system, honest, Deadline(60))
    last = honest.assumptions[-1]
    everything = tuple((0, action, 0) for action in range(len(last.alphabet)))
    weaker = replace(last, states=1, transitions=everything)
    stronger = replace(last, transitions=last.transitions[1:])
    narrower = LabelledAssumption(("a.take",), 1, ((0, 0, 0),))
    moved = replace(last, alphabet=(last.alphabet[1], last.alphabet[0], *last.alphabet[2:]))
    for forged in (weaker, stronger, narrower, moved):
        with pytest.raises(CertificationError, match=r"premise [1-4] does not hold"):
            check_labelled_assumptions(
                system, replace(honest, assumptions=(*honest.assumptions[:-1], forged)), Deadline(60)
            )


def _refused(system: System, certificate: LabelledAssumptions) -> str:
    with pytest.raises(CertificationError) as caught:
        check_labelled_assumptions(system, certificate, Deadline(60))
    return str(caught.value).removeprefix("the certificate is not accepted: ")


def test_a_certificate_must_have_every_premise_of_its_rule() -> None:
    system, chain = _certificate("rule-3")
    _, circular = _certificate("circular")
    lost = replace(chain, parts=((0,), (1,)), assumptions=chain.assumptions[:1])
    assert _refused(system, lost) == "its parts do not have each of the 3 components once"
    assert _refused(system, replace(chain, parts=((0,), (1,), (1, 2)))).startswith("its parts do not have")
    assert _refused(system, replace(chain, rule="rule-1")) == "rule-1 is for two parts"
    fewer = replace(chain, assumptions=chain.assumptions[:1])
    assert _refused(system, fewer) == "rule-3 for 3 parts has 2 assumptions"
    assert _refused(system, replace(circular, assumptions=circular.assumptions[:2])).startswith("circular for 3")
    message = "premise 1 may use the assumptions of the other parts only"
    assert _refused(system, replace(circular, guarantees=((0, 1), (0,), (0,)))) == message
    assert _refused(system, replace(circular, guarantees=((3,), (0,), (0,)))) == message
    assert "has a set of guarantees" in _refused(system, replace(circular, guarantees=()))
    odd = LabelledAssumption(("x",), 1, ())
    assert "actions that the system does not have" in _refused(system, replace(chain, assumptions=(odd, odd)))
    broken = LabelledAssumption(("a.take",), 1, ((0, 0, 1),))
    assert _refused(system, replace(chain, assumptions=(broken, broken))) == "assumption 0 is not an automaton"


def test_two_assumptions_cannot_excuse_each_other() -> None:
    """Both parts can do a, P forbids it: that a never happens, because the other side says so, is no proof."""
    loops = [Lts.of(f"M{k}", ("tau", "a"), 1, [(0, 1, 0)]) for k in range(2)]
    judge = Lts.of("P", ("tau", "a"), 1, [(0, 1, -1)], is_property=True)
    system = System("S", (*loops, judge), None, None, False, frozenset())
    never = LabelledAssumption(("a",), 1, ())
    forged = LabelledAssumptions("circular", ((0,), (1,)), (never, never), ((1,), (0,)))
    assert _refused(system, forged) == "premise 1 does not hold: a is possible where it must not be"


def test_what_a_circle_proves_by_turns() -> None:
    """x and y alternate because each side waits for the other: premises that hold only one step at a time."""
    first = Lts.of("M0", ("tau", "x", "y"), 2, [(0, 1, 1), (1, 2, 0)])
    second = Lts.of("M1", ("tau", "x", "y"), 3, [(0, 1, 1), (1, 2, 0), (0, 2, 2), (2, 1, 2), (2, 2, 2)])
    judge = Lts.of("P", ("tau", "x", "y"), 2, [(0, 1, 1), (1, 2, 0), (0, 2, -1), (1, 1, -1)], is_property=True)
    system = System("S", (first, second, judge), None, None, False, frozenset())
    turns = LabelledAssumption(("x", "y"), 2, ((0, 0, 1), (1, 1, 0)))
    free = LabelledAssumption((), 1, ())
    honest = LabelledAssumptions("circular", ((0,), (1,)), (turns, free), ((1,), (0,)))
    check_labelled_assumptions(system, honest, Deadline(60))
    other = replace(honest, assumptions=(free, turns))
    assert _refused(system, other) == "premise 2 does not hold: y is possible where it must not be"


def test_what_a_part_does_not_have_may_happen_at_any_time() -> None:
    """That y does not follow x is no assumption about a part that has neither."""
    first = Lts.of("M0", ("tau", "x", "y"), 1, [(0, 1, 0), (0, 2, 0)])
    second = Lts.of("M1", ("tau", "z"), 1, [(0, 1, 0)])
    judge = Lts.of("P", ("tau", "x", "y"), 2, [(0, 1, 1), (0, 2, 0), (1, 1, 1), (1, 2, -1)], is_property=True)
    system = System("S", (first, second, judge), None, None, False, frozenset())
    order = LabelledAssumption(("x", "y"), 2, ((0, 0, 1), (0, 1, 0), (1, 0, 1)))
    forged = LabelledAssumptions("rule-1", ((0,), (1,)), (order,))
    assert _refused(system, forged) == "premise 2 does not hold: y is possible where it must not be"


def test_time_can_run_out() -> None:
    system, honest = _certificate()
    with pytest.raises(OutOfTimeError):
        check_labelled_assumptions(system, honest, Deadline(-1))


@pytest.mark.parametrize("rule", ["rule-1", "rule-3", "circular"])
def test_files_give_back_what_was_written(rule: str, tmp_path: Path) -> None:
    model = read_text(MODEL, "model.lts")
    deadlock, safety = questions(model, "SYS", default_progress=False)
    path = tmp_path / "certificate.json"
    _, certificate = _certificate(rule)
    write_labelled_certificate(path, model, safety, certificate)
    system, asked, read = read_labelled_certificate(path, read_text(MODEL.replace("//", "") + "// more\n"))
    assert (asked, read) == (safety, certificate)
    check_certificate(system, asked, read, Deadline(60))
    with pytest.raises(CertificationError, match="evidence for safety only"):
        check_certificate(system, deadlock, read, Deadline(60))
    write_labelled_certificate(path, model, deadlock, ExplorationClaim())
    _, asked, read = read_labelled_certificate(path, model)
    assert (asked, read) == (deadlock, ExplorationClaim())


def _spoilt(change: str, document: dict[str, Any]) -> dict[str, Any]:
    evidence = document["evidence"]
    match change:
        case "target":
            document["property"]["target"] = "OTHER"
        case "property":
            document["property"]["text"] = "no deadlocks"
        case "sha256":
            document["sha256"] = "0"
        case "kind":
            evidence["kind"] = "inductive-set"
        case "rule":
            evidence["rule"] = "rule-9"
        case "parts":
            evidence["parts"] = [["0"]]
        case "transitions":
            evidence["assumptions"][0]["transitions"] = [[0, 0]]
        case "missing":
            del evidence["guarantees"]
    return document


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("target", "certificate of a composite that the model does not have: OTHER"),
        ("property", "certificate of a property that the model does not have: no deadlocks"),
        ("sha256", "certificate of another model: SYS in model.lts has another SHA-256"),
        ("kind", "malformed: evidence.kind is not a kind of certificate that this symag knows for this model"),
        ("rule", "malformed: evidence.rule is not a rule that this symag knows"),
        ("parts", "malformed: evidence.parts[0][0] is not a number"),
        ("transitions", "malformed: evidence.assumptions[0].transitions[0] is not a list of 3 numbers"),
        ("missing", "malformed: evidence has no 'guarantees'"),
    ],
)
def test_spoilt_files_are_refused_in_one_line(change: str, message: str, tmp_path: Path) -> None:
    model = read_text(MODEL, "model.lts")
    _, safety = questions(model, "SYS", default_progress=False)
    path = tmp_path / "certificate.json"
    write_labelled_certificate(path, model, safety, _certificate()[1])
    path.write_text(json.dumps(_spoilt(change, json.loads(path.read_text()))))
    with pytest.raises(InputError) as caught:
        read_labelled_certificate(path, model)
    assert str(caught.value) == f"{path}: {message}"
