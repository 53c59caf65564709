"""Every process and composite of LTSA's 98 examples has the states and transitions that LTSA counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.lts.determinisation import minimised, without_needless_tau
from tests.lts.ltsa_examples import examples


@pytest.mark.long
def test_sizes_are_those_of_ltsa(suites: Path) -> None:
    files = compared = 0
    for name, model, known in examples(suites):
        files += 1
        for process, size in known["process_lts"].items():
            lts = model.process(process)
            found = (lts.states, lts.transitions, len(lts.alphabet) - 1, lts.has_error)
            expected = (size["states"], size["transitions"], size["alphabet"], size["has_error"])
            assert found == expected, (name, process)
            compared += 1
        for target in known["targets"]:
            if "product" not in target:
                continue
            system = model.composite(target["name"])
            product = system.product()
            lts = system.finished(product.lts)
            for stage, found_lts in (("product", product.lts), ("composed", lts)):
                size = target[stage]
                found = (found_lts.states, found_lts.transitions, len(found_lts.alphabet) - 1)
                assert found == (size["states"], size["transitions"], size["alphabet"]), (name, target["name"], stage)
            assert (target["kind"] == "default") == (model.targets == ("DEFAULT",))
            assert bool(len(product.deadlocks)) == target["potential_deadlock"], (name, target["name"])
            compared += 1
    assert (files, compared) == (98, 414)


@pytest.mark.long
def test_weakly_minimal_sizes_are_those_of_ltsa(suites: Path) -> None:
    compared = 0
    for name, model, known in examples(suites):
        for target in known["targets"]:
            if not target.get("minimised"):
                continue
            system = model.composite(target["name"])
            lts = minimised(without_needless_tau(system.finished(system.product().lts)))
            size = target["minimised"]
            found = (lts.states, lts.transitions, lts.has_error)
            assert found == (size["states"], size["transitions"], size["has_error"]), (name, target["name"])
            compared += 1
    assert compared == 162
