"""``print_formula`` and ``dump_expr``: a condition as a number of models, as a list, and as a graph."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import symag
from symag.cli.nusmv.errors import command_error, formula_error
from symag.core.errors import InputError
from symag.smv import read_text
from symag.smv.elaboration.rules import NotBooleanError
from tests.cli.nusmv.conftest import Nusmv

MODEL = "MODULE main\nIVAR i : boolean;\nVAR x : 0..2; y : boolean; w : signed word[2];\nDEFINE d := x + 1;\n"


def _said(nusmv: Nusmv, *lines: str) -> list[str]:
    said = nusmv(MODEL, "-int", given="".join(f"{line}\n" for line in ("go", *lines, "quit")))
    lines_said = (line.replace("NuSMV > ", "").rstrip() for line in said.lines)
    return [line for line in lines_said if line and not line.startswith("###")]


def test_models_are_valuations_of_the_variables(nusmv: Nusmv) -> None:
    assert _said(nusmv, 'print_formula "TRUE"') == ["formula models: 48 (2^5.58496)"]
    assert _said(nusmv, 'print_formula "d = 2 & i"') == ["formula models: 8 (2^3)"]
    assert sorted(_said(nusmv, 'print_formula -v "x < 2 -> y & i"')[1:]) == [
        *("i = FALSE\tx = 2\ty = FALSE", "i = FALSE\tx = 2\ty = TRUE", "i = TRUE\tx = 0\ty = TRUE"),
        *("i = TRUE\tx = 1\ty = TRUE", "i = TRUE\tx = 2\ty = FALSE", "i = TRUE\tx = 2\ty = TRUE"),
    ]
    assert _said(nusmv, 'print_formula -f "w = -0sd2_2 & d = 3"')[-1] == "(x = 2 & w = -0sd2_2)"
    assert [_said(nusmv, f"print_formula -f {text}")[-1] for text in ("TRUE", "FALSE")] == ["TRUE", "FALSE"]


@pytest.mark.parametrize("letter", ["v", "f"])
def test_many_models_are_printed_one_by_one(tmp_path: Path, letter: str) -> None:
    """Half a billion models: the reader takes the first ones and goes."""
    (tmp_path / "m.smv").write_text("MODULE main VAR w : unsigned word[30];")
    (tmp_path / "s.cmd").write_text(f'go\nprint_formula -{letter} "w[0:0] = 0ud1_1"\nquit\n')
    command = f"{sys.executable} -m symag nusmv -source s.cmd m.smv | head -c 3000"
    root = Path(symag.__file__).parent.parent
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.count("w = 0ud30_") > 20


def test_what_some_commands_leave_out_is_the_ending_of_an_error() -> None:
    error = command_error(InputError("unexpected 'x', expected ';'", "m.smv", 3, 1), None, None)
    assert error.beginning == '\nfile m.smv: line 3: at token "x": syntax error\n'
    assert error.text == f"{error.beginning}\n\nfile m.smv: line 3: Parser error"
    error = formula_error(InputError("'z' is not declared", "m.smv", 1, 1), "Invar", "z > 1")
    assert error.beginning == "\nTYPE ERROR file <command-line>: line 1 : undefined identifier 'z'"
    assert error.text.startswith(f'{error.beginning}\nERROR: Property "z > 1 ')


def test_an_error_says_what_is_not_boolean() -> None:
    with pytest.raises(NotBooleanError) as raised:
        read_text("MODULE main\nVAR x : 0..3;\nINVARSPEC x\n", "m.smv")
    assert str(raised.value) == "m.smv:3:11: a property must be boolean, not integer"
    error = pickle.loads(pickle.dumps(raised.value)).of("a condition")
    assert str(error) == "m.smv:3:11: a condition must be boolean, not integer"


def test_wrong_formulas_are_refused(nusmv: Nusmv) -> None:
    assert _said(nusmv, "print_formula")[0] == "No expression given."
    assert _said(nusmv, "print_formula x") == ["file <command-line>: line 1: a condition must be boolean, not integer"]
    assert "undefined identifier 'z'" in _said(nusmv, "print_formula z")[0]
    assert _said(nusmv, "print_formula -v -f y")[0].startswith("usage: print_formula")
    assert _said(nusmv, 'print_formula "next(y)"') == ['Parsing error: constraints must be "simple expressions".']


def test_an_expression_becomes_a_graph(nusmv: Nusmv) -> None:
    assert _said(nusmv, 'dump_expr -e "x = 1" -f dot -o g.dot') == []
    text = Path("g.dot").read_text()
    assert text.startswith('digraph "DD" {')
    assert 'label = "x = 1"' in text
    assert _said(nusmv, "dump_expr -e y -f davinci") == ["Invalid format. Valid formats are: 'dot'"]


def test_the_stages_of_the_model_have_numbers(nusmv: Nusmv) -> None:
    given = "".join(
        f"get_internal_status\n{each}\n" for each in ("read_model", "flatten_hierarchy", "encode_variables")
    )
    said = nusmv(MODEL, "-int", given=f"{given}get_internal_status\nbuild_model\nget_internal_status\nquit\n")
    assert [line.split()[-1] for line in said.lines if "internal status" in line] == ["-1", "0", "1", "2"]
