"""``symag.read`` and ``symag.check`` for labelled and probabilistic systems: the command line's answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import symag
from symag.core.errors import UsageError
from symag.core.results import Verdict
from symag.engine.answers import Answer
from tests.conftest import ROOT

LTS = ROOT / "models" / "lts" / "input_output.lts"
SYSTEM = ROOT / "models" / "lpts" / "client_server3.nm"


def verdicts(answers: list[Answer]) -> list[tuple[str, Verdict, bool]]:
    return [(each.property.kind, each.result.verdict, each.result.certified) for each in answers]


def test_labelled_systems() -> None:
    found = symag.check(LTS)
    assert ("deadlock", Verdict.HOLDS, True) in verdicts(found)
    by_parts = symag.check(symag.read(LTS), ["safety"], "agar", alphabet_refinement=False, timeout=60)
    assert {each.result.method for each in by_parts} == {"agar"}
    assert set(verdicts(by_parts)) == {("safety", Verdict.HOLDS, True)}


def test_constants_of_a_specification() -> None:
    broken = symag.read(ROOT / "models" / "lts" / "gas_station.lts", Race=1)
    (answer,) = symag.check(broken, ["safety"], targets=["GAS_STATION"])
    assert verdicts([answer]) == [("safety", Verdict.VIOLATED, True)]
    assert answer.result.trace is not None


@pytest.mark.parametrize(("kind", "verdict"), [("specification", Verdict.HOLDS), ("wrong", Verdict.VIOLATED)])
def test_probabilistic_systems(kind: str, verdict: Verdict) -> None:
    specification = str(SYSTEM).replace(".nm", f"_{kind}.nm")
    assert verdicts(symag.check(SYSTEM, method="agar", specification=specification)) == [("simulation", verdict, True)]


def test_what_makes_no_sense(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no argument 'parts'"):
        symag.check(LTS, parts=3)
    with pytest.raises(UsageError, match="no argument 'parts'"):
        symag.check(SYSTEM, specification="s.nm", parts=3)
    with pytest.raises(UsageError, match="say by --specification"):
        symag.check(SYSTEM)
    with pytest.raises(UsageError, match="say by --specification"):
        symag.read(SYSTEM)
    with pytest.raises(UsageError, match="constants are for FSP"):
        symag.read("m.smv", N=3)
