"""The most balanced decomposition against all of them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from symag.cli.main import group, run
from symag.core.limits import no_progress
from symag.core.values import replace
from symag.lts.composition import composed
from symag.lts.language.systems import System
from symag.lts.methods.groupings import balanced
from symag.lts.safety_problem import SafetyProblem, safety_problem
from tests.lts.strategies import safety_systems

CHANNEL = Path(__file__).parents[3] / "models" / "lts" / "input_output.lts"


def _difference(problem: SafetyProblem, first: tuple[int, ...], second: tuple[int, ...]) -> int:
    parts = [[problem.components[number] for number in part] for part in (first, second)]
    parts[0].append(problem.property)
    sizes = [composed([replace(lts, end=None) for lts in part], "part").lts.states for part in parts]
    return abs(sizes[0] - sizes[1])


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(safety_systems(most=4))
def test_no_decomposition_is_more_balanced(system: System) -> None:
    problem = safety_problem(system)
    count = len(problem.components)
    found = balanced(problem, no_progress)
    assert sorted(number for part in found for number in part) == list(range(count))
    if count == 1:
        return
    cuts = [
        (first, tuple(number for number in range(count) if number not in first))
        for size in range(1, count)
        for first in itertools.combinations(range(count), size)
    ]
    least = min(_difference(problem, *cut) for cut in cuts)
    assert _difference(problem, *found) == least
    by_moves = balanced(problem, no_progress, most=1)
    assert by_moves in cuts
    kinds = [(lts.states, lts.transitions, len(lts.alphabet)) for lts in problem.components]
    firsts = [
        (first, second)
        for first, second in cuts
        if not any(kinds[k] == kinds[j] and j < k for k in first for j in second)
    ]
    assert _difference(problem, *by_moves) <= min(_difference(problem, *cut) for cut in firsts)
    moved = [cut for cut in cuts if len(set(cut[0]) ^ set(by_moves[0])) <= 1]
    assert _difference(problem, *by_moves) == min(_difference(problem, *cut) for cut in moved)


def test_the_command_line_takes_balanced_parts(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["check", str(CHANNEL), "--property", "safety", "--method", "agar", "--balance", "--json"]
    answer = CliRunner().invoke(group, command)
    assert answer.exit_code == 0, answer.output
    (result,) = json.loads(answer.stdout)["results"]
    assert (result["verdict"], result["certified"]) == ("holds", True)
    assert run([*command, "--order", "OUTPUT"]) == 2
    assert "--balance finds the parts; it excludes --group and --order" in capsys.readouterr().err
