"""The generator of parallel systems: the verdicts that it claims, whatever its parameters, and the same text again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.lts import read_text
from symag.lts.checking.check import select
from symag.lts.methods.monolithic import decide

FOLDER = Path(__file__).resolve().parent.parent.parent / "models" / "lts"


def _generated(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", str(FOLDER / "parallel.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def _verdicts(text: str) -> list[tuple[Verdict, Verdict]]:
    """Deadlock and safety of HOLDS and VIOLATED."""
    model = read_text(text)
    answers = []
    for target in ("HOLDS", "VIOLATED"):
        questions = select(model, (target,), ("deadlock", "safety"))
        deadlock, safety = decide(model.composite(target), questions, no_progress)
        answers.append((deadlock.verdict, safety.verdict))
    return answers


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 5), st.integers(1, 3), st.integers(3, 5), st.integers(0, 2), st.integers(0, 3), st.integers(0, 9999)
)
def test_verdicts_are_those_of_construction(
    components: int, shared: int, depth: int, work: int, links: int, seed: int
) -> None:
    sys.path.insert(0, str(FOLDER))
    try:
        import parallel
    finally:
        sys.path.remove(str(FOLDER))
    try:
        text = parallel.system(components, shared, depth, work, links, 5, 5, seed)
    except ValueError:  # ROOT can do every word
        assume(False)
    assert _verdicts(text) == [(Verdict.HOLDS, Verdict.HOLDS), (Verdict.HOLDS, Verdict.VIOLATED)]


def test_the_same_parameters_give_the_same_text() -> None:
    first, second, other = _generated(4, "--seed", 3), _generated(4, "--seed", 3), _generated(4, "--seed", 4)
    assert first.stdout == second.stdout != other.stdout
    assert "--seed 3" in first.stdout


@pytest.mark.parametrize("arguments", [(0,), (3, "--depth", 0), (3, "--actions", 1)])
def test_parameters_without_a_system_are_one_line(arguments: tuple[object, ...]) -> None:
    ending = _generated(*arguments)
    assert (ending.returncode, ending.stdout) == (2, "")
    assert len(ending.stderr.splitlines()) == 1
