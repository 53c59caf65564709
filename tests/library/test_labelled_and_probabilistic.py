"""``symag.read`` and ``symag.check`` for labelled and probabilistic systems: the command line's answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import symag
from symag.core.errors import UsageError
from symag.core.results import Verdict
from symag.engine.answers import Answer
from tests.conftest import ROOT

MODELS = ROOT / "models"
MER = MODELS / "lts" / "mer.lts"
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
    assert verdicts(symag.check(SYSTEM, method="agar", specification=Path(specification)))[0][1] is verdict


def test_constants_are_keywords_of_every_function() -> None:
    (answer,) = symag.check(MER, "safety", targets="MER", Rescinding=0, certify=False)
    assert answer.verdict is Verdict.VIOLATED
    with pytest.raises(UsageError, match="no constant 'metod'; there are"):
        symag.check(MER, "safety", metod="agar")
    with pytest.raises(UsageError, match=r"check\(\) has no argument 'metod' for SMV models; there are properties, "):
        symag.check("models/counter.smv", metod="bmc")
    with pytest.raises(UsageError, match=r"no argument 'Rescinding' .*; values of constants are for read\(\)"):
        symag.check(symag.read(MER), Rescinding=0)
    with pytest.raises(UsageError, match=r"no argument 'target' .*there are properties, targets, "):
        symag.check(symag.read(MER), target="MER")


def test_a_probabilistic_model_is_read_once_and_asked_later() -> None:
    clients = MODELS / "lpts" / "client_server3.nm"
    model = symag.read(clients)
    assert repr(model) == f"{clients} (a probabilistic system)"
    with pytest.raises(UsageError, match="say by --specification FILE"):
        symag.check(model)
    for formula, verdict in (("P<=0.1 [F use1]", Verdict.VIOLATED), ("Pmax=? [F use1]", Verdict.COMPUTED)):
        (answer,) = symag.check(model, formula=formula)
        assert answer.verdict is verdict
        assert str(answer).startswith(str(clients))


def test_a_file_of_properties(tmp_path: Path) -> None:
    file = tmp_path / "q.props"
    file.write_text('"best": Pmax=? [F use1];\nP<=0.1 [F use1]\n')
    for path in (str(file), file, [str(file)]):
        best, bound = symag.check(SYSTEM, path)
        assert (best.verdict, bound.verdict) == (Verdict.COMPUTED, Verdict.VIOLATED)
    (best,) = symag.check(SYSTEM, properties=file, selected="best")
    assert best.verdict is Verdict.COMPUTED
    with pytest.raises(UsageError, match="'properties' is one file for PRISM models; 'selected' names some"):
        symag.check(SYSTEM, ["best", "worst"])


def test_evidence_of_every_family_is_written(tmp_path: Path) -> None:
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("lpts/client_server3.nm", {"formula": "P<=0.1 [F use1]"}),
        ("lts/mer.lts", {"properties": "safety", "targets": "MER", "Rescinding": 0}),
        ("junction.smv", {}),
    )
    for name, keywords in asked:
        (answer,) = symag.check(MODELS / name, trace=tmp_path / "t.json", **keywords)
        again = {key: value for key, value in keywords.items() if key not in ("properties", "targets")}
        assert symag.replay(MODELS / name, str(answer.trace_file), **again).violated


def test_functions_for_one_family_name_it() -> None:
    with pytest.raises(UsageError, match=r"mer\.lts: partition takes SMV models, not labelled"):
        symag.partition(MER)
    with pytest.raises(UsageError, match=r"mer\.lts: tune takes SMV models, not labelled"):
        symag.tune(MER)


def test_what_makes_no_sense(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no argument 'parts'"):
        symag.check(LTS, parts=3)
    with pytest.raises(UsageError, match="no argument 'parts'"):
        symag.check(SYSTEM, specification="s.nm", parts=3)
    with pytest.raises(UsageError, match="say by --specification"):
        symag.check(SYSTEM)
    with pytest.raises(UsageError, match="constants are for FSP"):
        symag.read("m.smv", N=3)
