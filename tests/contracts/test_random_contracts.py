"""Random contracts of small systems: whatever is concluded is true of the whole system, in every form of guarantee."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.checking import facts as facts_module
from symag.smv.contracts import checking
from symag.smv.contracts.checking import ContractCheck
from symag.smv.contracts.contract import Contract, ContractCondition
from symag.smv.expression_reader import expression
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions

#: One variable a part; every part may read all.
TYPES = {"a": "boolean", "b": "boolean", "c": "0..2"}
ATOMS = ("a", "!a", "b", "!b", "c = 0", "c = 1", "c < 2", "a = b", "TRUE")
JOINED = st.builds(
    "({} {} {})".format, st.sampled_from(ATOMS), st.sampled_from(("&", "|", "->")), st.sampled_from(ATOMS)
)
ON_STATES = st.one_of(st.sampled_from(ATOMS), JOINED)
ON_STEPS = st.builds("({} -> next({}))".format, ON_STATES, ON_STATES)
CONDITIONS = st.one_of(ON_STATES, ON_STATES, ON_STEPS)


@st.composite
def systems(draw):
    lines = ["MODULE main", "VAR " + " ".join(f"{name} : {kind};" for name, kind in TYPES.items()), "ASSIGN"]
    copying = draw(st.booleans())  # parts that take over what others have can rely on each other over time
    for name, kind in TYPES.items():
        values = ("0", "1", "2") if kind != "boolean" else ("TRUE",) if copying else ("FALSE", "TRUE")
        lines.append(f"init({name}) := {draw(st.sampled_from(values))};")
        free = "{" + ", ".join(values) + "}"
        others = () if kind != "boolean" else ("a", "b") if copying else ("a", "b", "!a", "!b")
        others += ("next(b)", "next(b)") if name == "a" else ()  # the same instant counts
        results = st.sampled_from((*others, *others, *values, free))
        cases = "" if copying else f"{draw(ON_STATES)} : {draw(results)}; {draw(ON_STATES)} : {draw(results)};"
        lines.append(f"next({name}) := case {cases} TRUE : {draw(results)}; esac;")
    if draw(st.integers(0, 3)) == 0:
        lines.append(f"TRANS {draw(ON_STEPS)}")
    if draw(st.integers(0, 3)) == 0:
        lines.append(f"INVAR {draw(ON_STATES)}")
    return "\n".join(lines) + "\n"


def decide_in_process(system, properties, method, options, limits, certify, progress):
    return [(checked, monolithic.decide(system, checked, SmvOptions(), progress)) for checked in properties]


def true_of_all_runs(text, conditions):
    """Those of the conditions that are true of all runs of the whole, by a search of the whole."""
    system = read_text(text + "\n".join(f"INVARSPEC {condition}" for condition in conditions))
    search = monolithic.session(system, SmvOptions())
    verdicts = [search(checked, no_progress).verdict for checked in system.properties]
    return [item for item, verdict in zip(conditions, verdicts, strict=True) if verdict is Verdict.HOLDS]


def contracts_of(data, text, system):
    """A contract for each variable: mostly true guarantees, and assumptions that others mostly guarantee."""
    candidates = data.draw(st.lists(CONDITIONS, min_size=6, max_size=6, unique=True))
    offered = st.sampled_from(true_of_all_runs(text, candidates) * 3 + candidates)
    # Its own truth is what a part can often guarantee over time.
    own = {name: ["c < 2" if name == "c" else name] if data.draw(st.booleans()) else [] for name in TYPES}
    guarantees = {name: list(dict.fromkeys((*own[name], *data.draw(st.lists(offered, max_size=1))))) for name in TYPES}
    contracts = []
    for name, guaranteed in guarantees.items():
        others = [item for other in TYPES if other != name for item in guarantees[other]]
        every = list(dict.fromkeys(others))
        assumed = every if data.draw(st.booleans()) else data.draw(st.lists(offered, max_size=1))
        sides = (tuple(condition(system, item) for item in items) for items in (assumed, guaranteed))
        contracts.append(Contract(name, (name,), *sides))
    return contracts, list(dict.fromkeys(item for items in guarantees.values() for item in items))


def condition(system, text):
    return ContractCondition(text, expression(system, text), "next" in text)


@pytest.mark.long
def test_what_is_concluded_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "check", decide_in_process)
    modes: Counter[str] = Counter()

    # The same examples each time: which forms of guarantee are among them is no matter of luck.
    @settings(max_examples=100, deadline=None, derandomize=True, database=None)
    @given(systems(), st.data())
    def run(text, data):
        system = read_text(text)
        contracts, guarantees = contracts_of(data, text, system)
        assume(guarantees)
        try:
            report = ContractCheck().report(system, contracts, (), no_progress)
        except InputError:
            assume(False)
        if report.verdict is Verdict.HOLDS:
            modes.update(obligation.mode or obligation.kind for obligation in report.obligations)
            assert true_of_all_runs(text, guarantees) == guarantees
        if report.circle:
            modes["circle"] += 1

    run()
    assert {"unconditional", "assumption", "circle"} <= modes.keys()
    assert modes["delayed"] + modes["immediate"]


def facts_in_process(system, target, reach, seed, limits, progress, certify):
    answer = facts_module._search(system, target, reach, seed, progress)
    assert facts_module._accepted(system, target, answer, None)
    return facts_module.ModelFacts(answer.facts, None, None, answer.is_empty, {})


@settings(max_examples=25, deadline=None)
@given(systems(), st.lists(ON_STATES, min_size=1, max_size=2), st.booleans())
def test_synthesised_guarantees_are_true_and_so_is_what_follows(text, invariants, stated):
    """Without any contract, and with one part that has an assumption and no guarantee."""
    system = read_text(text + "".join(f"INVARSPEC {condition}\n" for condition in invariants))
    premises = (ContractCondition("c < 2", expression(system, "c < 2"), False),) if stated else ()
    contracts = [Contract(name, (name,), premises if name == "a" else (), ()) for name in TYPES]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "check", decide_in_process)
        patch.setattr(checking, "model_facts", facts_in_process)
        try:
            report = ContractCheck(synthesise=True).report(system, contracts, system.properties, no_progress)
        except InputError:
            return
    synthesised = [item.text for item in report.obligations if item.mode == "fact"]
    assert true_of_all_runs(text, synthesised) == synthesised
    properties = [item for item in report.obligations if item.kind == "property"]
    followed = [item.text for item in properties if item.result.verdict is Verdict.HOLDS]
    assert true_of_all_runs(text, followed) == followed
