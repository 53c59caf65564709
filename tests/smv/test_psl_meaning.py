"""What PSL properties mean, and NuSMV's verdicts on its own samples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symag.smv import read, read_text
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.model.printer import expression_text


def _meaning(property_: str) -> str | None:
    system = read_text(f"MODULE main VAR a : boolean; b : boolean; x : 0..3; PSLSPEC {property_};")
    expression = system.properties[0].expression
    return None if expression is None else expression_text(expression)


@pytest.mark.parametrize(
    ("property_", "formula"),
    [
        ("always (a -> next b)", "G (a -> X b)"),
        ("never a", "G !a"),
        ("eventually! a", "F a"),
        ("a until! b", "a U b"),
        ("a until b", "b V (a | b)"),
        ("a until!_ b", "a U (a & b)"),
        ("a before! b", "!b U (a & !b)"),
        ("next[2](a)", "X X a"),
        ("next_a[1:2](a)", "X (a & X a)"),
        ("next_e[1:2](a)", "X (a | X a)"),
        ("next_event!(b)(a)", "!b U (b & a)"),
        ("next_event!(b)[2](a)", "!b U (b & X (!b U (b & a)))"),
        ("next_event_a!(b)[1:2](a)", "(!b U (b & a)) & (!b U (b & X (!b U (b & a))))"),
        ("next_event_e!(b)[1:2](a)", "(!b U (b & a)) | (!b U (b & X (!b U (b & a))))"),
        ("forall i in {0, 2:3} : F x = i", "F x = 0 & F x = 2 & F x = 3"),
        ("forall i in boolean : F a = i", "F a = FALSE & F a = TRUE"),
        ("AG AF a", "AG AF a"),
    ],
)
def test_translations(property_: str, formula: str) -> None:
    kind = "SPEC" if "AG" in formula else "LTLSPEC"
    stated = read_text(f"MODULE main VAR a : boolean; b : boolean; x : 0..3; {kind} {formula}").properties[0]
    assert stated.expression is not None
    assert _meaning(property_) == expression_text(stated.expression)


@pytest.mark.parametrize(
    ("property_", "reason"),
    [
        ("forall i in {0, 2} : F forall i in {1} : x = i", "nested foralls"),
        ("forall i in boolean : F forall i in {1} : x = i", "nested foralls"),
        ("always a abort b", "PSL's abort"),
        ("next[x](a)", "not a number"),
    ],
)
def test_what_has_no_translation_says_why(property_: str, reason: str) -> None:
    system = read_text(f"MODULE main VAR a : boolean; b : boolean; x : 0..3; PSLSPEC {property_};")
    assert system.properties[0].expression is None
    assert reason in str(system.properties[0].unsupported)


@pytest.mark.long
@pytest.mark.parametrize("name", ["counter", "gigamax", "ring", "semaphore", "short", "syncarb10", "syncarb5", "dme2"])
def test_samples_have_the_verdicts_of_nusmv(name: str, suites: Path) -> None:
    entry = json.loads((suites / "smv/nusmv-verdicts.json").read_text())[f"psl-samples/{name}.smv"]
    kinds = [each["type"] for each in entry["properties"]]
    answers = zip(kinds, entry["verdicts"], strict=True)
    recorded = sorted((kind, "".join(text.split()), verdict == "true") for kind, (_, text, verdict) in answers)
    system = read(suites / f"smv/nusmv/psl-samples/{name}.smv")
    decide = monolithic.session(system, SmvOptions(direction="forward"))
    found = sorted(
        (checked.kind, "".join(checked.text.split()), decide(checked, lambda _: None).verdict.value == "holds")
        for checked in system.properties
    )
    assert found == recorded
