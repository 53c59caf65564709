"""Properties of the public PRISM suite: values that Storm has too, and PRISM's authors published."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from symag.core.limits import Deadline
from symag.core.source import SourceText
from symag.lpts.certify.quantities import check
from symag.lpts.language.properties.parser import parse_formula
from symag.lpts.language.properties.reading import read_quantitative
from symag.lpts.methods.quantitative.deciding import decide_quantities


@pytest.mark.parametrize(
    ("model", "constants", "formula", "value"),
    [
        ("consensus/coin2.nm", "K=2", 'Pmin=? [F "finished" & "all_coins_equal_1"]', "49/128"),
        ("consensus/coin2.nm", "K=2", 'Pmax=? [F "finished" & !"agree"]', "13/120"),
        ("consensus/coin2.nm", "K=2", 'R{"steps"}max=? [F "finished"]', "75"),
        ("consensus/coin2.nm", "K=2", 'R{"steps"}min=? [F "finished"]', "48"),
        ("csma/csma2_2.nm", "", 'Pmin=? [!"collision_max_backoff" U "all_delivered"]', "7/8"),
        ("csma/csma2_2.nm", "", "Pmin=? [F min_backoff_after_success<K]", "1/2"),
        ("firewire_abst/firewire_abst.nm", "delay=3", 'R{"time"}max=? [F "done"]', "299"),
        ("firewire_abst/firewire_abst.nm", "delay=3", 'R{"time"}min=? [F "done"]', "541/4"),
        ("firewire_abst/firewire_abst.nm", "delay=3", 'R{"rounds"}min=? [F "done"]', "1"),
        ("wlan/wlan0.nm", "COL=0", 'R{"cost"}min=? [F s1=12 & s2=12]', "7625"),
    ],
)
def test_exact_values(suites: Path, model: str, constants: str, formula: str, value: str) -> None:
    given = dict(each.split("=") for each in constants.split(",") if each)
    source = SourceText.of("--formula", formula)
    problem = read_quantitative(str(suites / "prism" / "mdps" / model), given).problem(
        parse_formula(source), source, None
    )
    evidence = decide_quantities(problem).evidence
    assert evidence is not None
    assert evidence.value == (Fraction(value), Fraction(value))
    check(problem, evidence, Deadline(None))
