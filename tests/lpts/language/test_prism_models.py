"""Exploration of PRISM models: against a tiny interpreter, and against Storm's counts on public models."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings

from symag.core.errors import InputError
from symag.lpts.composition import composed
from symag.lpts.language.prism.components import split
from symag.lpts.language.prism.exploration import ExploredModel, explore
from symag.lpts.language.reading import component, model_of_text, read_model, read_system
from tests.lpts.prism_by_hand import (
    HandModule,
    LeavesRangeError,
    Step,
    Valuation,
    WrongSumError,
    explored,
    models,
    text_of,
)


def as_by_hand(found: ExploredModel) -> dict[Valuation, list[Step]]:
    names = [variable.name for variable in found.model.variables]
    columns = [found.values(k).tolist() for k in range(len(names))]
    lpts = found.reached.lpts
    states = [tuple(sorted(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]
    result: dict[Valuation, list[Step]] = {state: [] for state in states}
    for t in range(lpts.transitions):
        distribution = tuple(sorted((states[s], p) for s, p in lpts.distribution(t).items()))
        result[states[lpts.source[t]]].append((lpts.alphabet[lpts.action[t]], distribution))
    return {state: sorted(each) for state, each in result.items()}


@settings(max_examples=300, deadline=None)
@given(models())
def test_random_models_are_explored_as_by_hand(modules: list[HandModule]) -> None:
    model = model_of_text(text_of(modules), "model.nm", {})
    try:
        expected = explored(modules)
    except (LeavesRangeError, WrongSumError):
        with pytest.raises(InputError, match=r"expected (exactly 1|a fraction|-?[0-9]+\.\.[0-9]+)"):
            explore(model, "L")
        return
    found = explore(model, "L")
    assert found.reached.lpts.broken_law() is None
    assert as_by_hand(found) == {state: sorted(each) for state, each in expected.items()}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(models())
def test_components_compose_to_the_model(modules: list[HandModule]) -> None:
    model = model_of_text(text_of(modules), "model.nm", {})
    try:
        whole = explore(model, "L").reached.lpts
        parts = [component(explore(part, f"{k}")) for k, part in enumerate(split(model))]
    except InputError:
        reject()  # a component may leave its range where the others hold it back
    product = composed(parts, "L").lpts
    sizes = (product.states, product.transitions, product.entries, set(product.alphabet))
    assert sizes == (whole.states, whole.transitions, whole.entries, set(whole.alphabet))


def test_a_module_that_only_others_keep_in_its_range(tmp_path: Path) -> None:
    text = """
    module m x:[0..3]; [a] true -> (x'=x+1); endmodule
    module n y:[0..3]; [a] y<3 -> (y'=y+1); [b] y=3 -> true; endmodule
    """
    path = tmp_path / "held.nm"
    path.write_text(text)
    system = read_system(str(path))
    assert [(each.name, each.states, each.transitions) for each in system.components] == [("held", 4, 4)]
    assert "x gets the value 4" in system.warnings[0]
    path.write_text(text.replace("y<3", "true"))
    with pytest.raises(InputError, match="2:37: x gets the value 4 in a reachable state"):
        read_system(str(path))


@pytest.mark.long
def test_public_models_have_the_counts_of_storm(suites: Path) -> None:
    records = json.loads((suites / "prism" / "storm-counts.json").read_text())["results"]
    small = [each for each in records if each["states"] <= 30_000 and "zeroconf" not in each["model"]]
    small += [each for each in records if "zeroconf" in each["model"] and each["states"] < 1_000]
    small += [each for each in records if "zeroconf_dl" in each["model"] and each["states"] < 5_000]
    assert len(small) > 15
    for record in small:
        pairs = (each.split("=") for each in record["constants"].split(",") if each)
        model = read_model(str(suites / "prism" / record["model"]), dict(pairs))
        lpts = explore(model, "L").reached.lpts
        deadlocks = lpts.states - len(np.unique(lpts.source))
        counts = (lpts.states, lpts.transitions + deadlocks, lpts.entries + deadlocks, deadlocks, len(model.modules))
        wanted = tuple(record[key] for key in ("states", "choices", "transitions", "deadlock_states", "modules"))
        assert counts == wanted, record
