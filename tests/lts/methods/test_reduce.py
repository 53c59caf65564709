"""The method reduce: every step against brute force, components that are not needed, sizes that stay small."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.lts import System, read, read_text
from symag.lts.certificates import LabelledCertificate, ReductionChain
from symag.lts.certify.kinds import check_certificate
from symag.lts.certify.properties import check_violation
from symag.lts.methods.reduce import words
from symag.lts.methods.reduce.method import decide_with
from symag.lts.safety_problem import safety_problem
from symag.lts.words import realised
from tests.lts.agreement import SAFETY
from tests.lts.explicit_safety import distance_to_error
from tests.lts.strategies import safety_systems

#: A row of cells, in which at most as many values are as there are cells.
PIPELINE = """
const N = 8
CELL = (put -> get -> CELL).
property ROOM(M = N) = ROOM[0], ROOM[i:0..M] = (when (i < M) in -> ROOM[i + 1] | when (i > 0) out -> ROOM[i - 1]).
||ROW(M = N) = (c[1..N]:CELL/{in/c[1].put, out/c[N].get, pass[k:1..N-1]/{c[k].get, c[k+1].put}} || ROOM(M)).
||SYS = ROW(N).
||TIGHT = ROW(N - 1).
"""


@pytest.mark.parametrize("weak", [0, 5000])
@settings(max_examples=100, deadline=None)
@given(system=safety_systems(most=5, states=4))
def test_every_step_is_right(weak: int, system: System) -> None:
    """No composition is small enough to be made at once, so all steps are taken."""
    problem = safety_problem(system)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_MOST_WEAK", weak)
        outcome = decide_with(problem, no_progress, 0)
    expected = Verdict.HOLDS if distance_to_error(system.components) is None else Verdict.VIOLATED
    assert outcome.verdict is expected
    if outcome.word is None:
        assert isinstance(outcome.certificate, LabelledCertificate)
        check_certificate(system, SAFETY, outcome.certificate, Deadline(60))
        return
    trace = realised(system, problem.observed(outcome.word))
    assert trace is not None
    check_violation(system, SAFETY, trace, Deadline(60))


@pytest.mark.parametrize(("target", "verdict"), [("SYS", Verdict.HOLDS), ("TIGHT", Verdict.VIOLATED)])
def test_a_row_of_cells_is_never_composed_as_a_whole(target: str, verdict: Verdict) -> None:
    system = read_text(PIPELINE).composite(target)
    assert system.product().lts.states > 200
    outcome = decide_with(safety_problem(system), no_progress, 50)
    assert outcome.verdict is verdict
    assert outcome.statistics["largest_lts_states"] < 80


def test_components_that_the_property_does_not_need_are_left_out() -> None:
    system = read("models/lts/mer.lts", constants={"Users": 3, "Resources": 4}).composite("MER")
    outcome = decide_with(safety_problem(system), no_progress, 100)
    chain = outcome.certificate
    assert isinstance(chain, ReductionChain)
    assert chain.left_out == (4, 5, 6)  # the keepers of the resources that EXCLUSIVE does not speak of
    check_certificate(system, SAFETY, chain, Deadline(60))
