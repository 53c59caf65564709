"""The assume-guarantee methods on LTSA's examples: the monolithic verdict, with accepted evidence."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from symag.core.errors import UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.lts import System, read
from symag.lts.methods.monolithic import decide
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import safety_problem
from tests.lts.agreement import METHODS, SAFETY, answered

#: Examples whose components together have more states than this are left to the command line.
MOST_STATES = 400


@pytest.fixture(scope="module")
def examples(suites: Path) -> list[tuple[str, System, Verdict]]:
    """By name the small examples and their verdicts; to compile them takes ten times as long as to decide them."""
    folder = suites / "fsp"
    systems = []
    for name in sorted(json.loads((folder / "ltsa-verdicts.json").read_text())["files"]):
        model = read(str(folder / "ltsa" / name))
        for target in model.targets:
            system = model.composite(target)
            if math.prod(lts.states for lts in system.components) > MOST_STATES:
                continue
            (expected,) = decide(system, [SAFETY], no_progress)
            systems.append((f"{name}, {target}", system, expected.verdict))
    return systems


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_small_examples_of_ltsa(method: str, examples: Sequence[tuple[str, System, Verdict]]) -> None:
    compared = refused = 0
    for name, system, expected in examples:
        try:
            safety_problem(system)
        except UnsupportedError:
            refused += 1
            continue
        assert answered(system, method, LtsOptions()).verdict is expected, name
        compared += 1
    assert (compared, refused) == (99, 12)  # refused: with priorities
