"""auto: the monolithic check, and agar beside it where the composition is large."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symag
from symag import read
from symag.core.limits import Deadline, MemoryExhausted
from symag.core.results import Verdict
from symag.lpts.certificates.assumptions import SimulationProof
from symag.lpts.certify.simulations import check, check_tree
from symag.lpts.composition import Composer
from symag.lpts.composition import composed as composition
from symag.lpts.lpts import Lpts
from symag.lpts.methods import contest, monolithic
from symag.lpts.methods.agar import refinement
from symag.lpts.methods.componentwise import AssumptionRefinement
from symag.lpts.methods.options import LptsOptions
from symag.lpts.problems import SimulationProblem
from tests.lpts.methods.test_abstraction import problems
from tests.lpts.strategies import composed, lossy_channel, simulated

_OPTIONS = LptsOptions()


def _decided(problem: SimulationProblem, *turns: tuple[int, int]) -> contest.ContestOutcome:
    return contest.decided(problem, "agar", partial(refinement, problem, _OPTIONS), _OPTIONS, turns=turns)


@settings(max_examples=80, deadline=None)
@given(problems(), st.lists(st.tuples(st.integers(1, 8), st.integers(0, 40)), min_size=1, max_size=3).map(sorted))
def test_wherever_it_pauses_it_decides_the_definition(problem: SimulationProblem, turns: list[tuple[int, int]]) -> None:
    outcome = _decided(problem, *turns).outcome
    whole, _ = composed(problem.components)
    assert (outcome.verdict is Verdict.HOLDS) == simulated(whole, problem.specification)
    assert isinstance(problem.specification, Lpts)
    if isinstance(outcome.proof, SimulationProof):
        check(problem, outcome.proof, Deadline(None))
    else:
        assert outcome.tree is not None
        check_tree(problem.components, problem.specification, outcome.tree, Deadline(None))


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 5))
def test_a_composition_that_pauses_is_the_same(problem: SimulationProblem, states: int) -> None:
    composer = Composer(problem.components)
    while not composer.run(states):
        states += 1
    paused, whole = composer.result("L"), composition(problem.components, "L")
    assert paused.lpts.triples() == whole.lpts.triples()
    assert (paused.local == whole.local).all()
    assert (paused.moves == whole.moves).all()


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(1, 9))
def test_a_refinement_that_pauses_is_the_same(problem: SimulationProblem, step: int) -> None:
    paused, whole = refinement(problem, _OPTIONS), refinement(problem, _OPTIONS)
    most = step
    while (outcome := paused.run(most)) is None:
        most += step
    expected = whole.run()
    assert expected is not None
    assert (outcome.verdict, outcome.statistics) == (expected.verdict, expected.statistics)
    assert paused.transitions == whole.transitions


def _channel() -> SimulationProblem:
    sender, channel, specification = lossy_channel()
    return SimulationProblem((sender, channel), specification)


def test_who_decided_and_who_ran() -> None:
    alone = _decided(_channel(), (1000, 1000))
    assert (alone.method, alone.race) == ("monolithic", ())
    small = _decided(_channel(), (1, 1000))
    assert (small.method, [(entry.method, entry.outcome) for entry in small.race]) == (
        "agar",
        [("monolithic", "overtaken"), ("agar", "decided")],
    )
    short = _decided(_channel(), (1, 1))
    assert (short.method, [(entry.method, entry.outcome) for entry in short.race]) == (
        "monolithic",
        [("agar", "overtaken"), ("monolithic", "decided")],
    )


def test_where_the_memory_for_the_whole_is_used_up_agar_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(monolithic, "decide_composed", full)
    answer = _decided(_channel(), (1, 1))
    assert (answer.method, answer.outcome.verdict) == ("agar", Verdict.HOLDS)
    assert [(entry.method, entry.outcome) for entry in answer.race] == [("monolithic", "memory"), ("agar", "decided")]


def test_where_agar_uses_up_the_memory_the_monolithic_check_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryExhausted

    problem = _channel()
    with monkeypatch.context() as patched:
        patched.setattr(AssumptionRefinement, "_round", full)
        answer = _decided(problem, (1, 1000))
        assert (answer.method, answer.outcome.verdict) == ("monolithic", Verdict.HOLDS)
        assert [entry.outcome for entry in answer.race] == ["memory", "decided"]
        patched.setattr(monolithic, "decide_composed", full)
        with pytest.raises(MemoryExhausted):
            _decided(problem, (1000, 1000))


#: 2 to the power of 30 states, of which the specification needs two.
_MANY = """mdp
module counter
  s : [0..1];
  [tick] s=0 -> 0.5:(s'=1) + 0.5:(s'=0);
endmodule
"""
_CELL = "module cell{0}\n  c{0} : [0..1];\n  [set{0}] c{0}=0 -> (c{0}'=1);\nendmodule\n"


@pytest.mark.parametrize(("probability", "verdict"), [("0.5", Verdict.HOLDS), ("0.6", Verdict.VIOLATED)])
def test_a_composition_that_does_not_fit_is_decided_by_agar(tmp_path: Path, probability: str, verdict: Verdict) -> None:
    system, specification = tmp_path / "many.nm", tmp_path / "one.nm"
    system.write_text(_MANY + "".join(_CELL.format(k) for k in range(30)))
    specification.write_text(_MANY.replace("0.5:(s'=1) + 0.5", f"{probability}:(s'=1) + 1-{probability}"))
    (answer,) = symag.check(read(system, specification=str(specification)), timeout=60)
    assert (answer.verdict, answer.certified, answer.result.method) == (verdict, True, "agar")
    assert [entry.method for entry in answer.result.race] == ["monolithic", "agar"]
