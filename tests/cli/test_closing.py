"""What stands after the answers: a table of many properties, what to try next, names in every line."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.cli.output.reporting import hints
from symag.core.results import PropertyResult, Verdict
from symag.engine.answers import Answer
from symag.engine.families import family_of
from tests.cli.conftest import Symag

MODEL = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\n"


def model_with(folder: Path, properties: int) -> Path:
    model = folder / "m.smv"
    specifications = [f"INVARSPEC NAME at_most_{k} := x <= {k}\n" for k in range(properties - 1)]
    model.write_text(MODEL + "".join(specifications) + "INVARSPEC x < 4\n")
    return model


@pytest.mark.long
def test_more_than_five_properties_are_listed_again(symag: Symag, tmp_path: Path) -> None:
    few = symag("check", model_with(tmp_path, 5))
    assert "verdict" not in few.out
    ran = symag("check", model_with(tmp_path, 6))
    lines = ran.out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.split() == ["property", "verdict", "method", "s"])
    table = [line.split() for line in lines[start + 2 : -1]]
    assert [row[1:3] for row in table[:5]] == [
        ["at_most_0", "violated"], ["at_most_1", "violated"], ["at_most_2", "violated"],
        ["at_most_3", "holds"], ["at_most_4", "holds"],
    ]  # fmt: skip
    assert table[5][1:5] == ["x", "<", "4", "holds"]
    assert lines[-1].startswith("-- 6 properties")
    assert "\x1b" not in ran.out
    assert symag("check", model_with(tmp_path, 6), "--json").json["results"][5]["text"] == "x < 4"


def test_a_long_property_hides_no_verdict(symag: Symag, tmp_path: Path) -> None:
    model = model_with(tmp_path, 5)
    model.write_text(f"{model.read_text()}INVARSPEC {' & '.join(f'x < {k}' for k in range(4, 40))}\n")
    ran = symag("check", model, "--method", "monolithic")
    (row,) = [line for line in ran.out.splitlines() if line.startswith("5 ")]
    assert row.split()[-4:-2] == ["holds", "monolithic"]
    assert len(row) <= 160


def test_computed_values_are_counted_together_and_said_to_be_unchecked(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(f"{MODEL}COMPUTE MIN [x = 0, x = 2]\nCOMPUTE MAX [x = 0, x = 3]\nINVARSPEC x < 4\n")
    ran = symag("check", model)
    assert "     is 2 (not certified): monolithic (compute)" in ran.out
    assert ran.out.endswith("-- 3 properties: 2 computed (not certified), 1 holds\n")


def test_names_stand_in_every_answer(symag: Symag, tmp_path: Path) -> None:
    ran = symag("check", model_with(tmp_path, 2))
    assert "     at_most_0 is violated: " in ran.out
    assert "     holds: " in ran.out
    specification = tmp_path / "m.lts"
    specification.write_text("A = (a -> b -> A).\n||S = A.\nassert M = []<>a\n")
    ran = symag("check", specification, "--property", "M")
    assert ran.out.startswith("-- ||S: assert M\n     holds: ")


def test_what_to_try_next(symag: Symag, tmp_path: Path) -> None:
    model = model_with(tmp_path, 2)
    ran = symag("check", model, "--timeout", "0.000001", "--method", "monolithic")
    assert ran.status == 30
    (line,) = ran.err.splitlines()
    assert line.startswith("symag: 2 properties are undecided (timeout); to try next: a larger --timeout, or another")
    assert "rule-g" in line
    assert "monolithic" not in line
    assert symag("check", model, "--timeout", "0.000001", "--quiet").err == ""
    assert symag("check", model, "--timeout", "0.000001", "--json").err == ""


@pytest.mark.parametrize(("wall", "used", "told"), [(20.0, 3.0, True), (20.0, 15.0, False), (2.0, 0.1, False)])
def test_a_starved_processor_is_told(tmp_path: Path, wall: float, used: float, told: bool) -> None:
    family = family_of("m.smv")
    system = family.read(str(model_with(tmp_path, 2)), family.request())
    result = PropertyResult(Verdict.HOLDS, "bmc", statistics={"seconds": wall, "cpu_seconds": used})
    question = family.questions(system, family.request())[0]
    found = list(hints([Answer(question, result, family)]))
    assert [each.startswith("the CPU was starved: 20 s passed") for each in found] == ([True] if told else [])
