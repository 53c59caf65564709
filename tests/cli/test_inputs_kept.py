"""No command writes to a file that it reads, however its path is spelled."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import symag as library
from symag.core.errors import UsageError
from tests.cli.conftest import Symag
from tests.conftest import ROOT

_AIGER = "aag 1 0 1 0 0 1\n2 3\n2\nc\na comment\n"
_TRA = "2 2\n0 1 1.0\n1 1 1.0\n"
_LAB = '0="init" 1="deadlock" 2="done"\n0: 0\n1: 2\n'


def _same(path: Path) -> str:
    return str(path)


def _other_spelling(path: Path) -> str:
    return f"{path.parent}/../{path.parent.name}/./{path.name}"


def _link(path: Path) -> str:
    link = path.with_name(f"link-{path.name}")
    link.symlink_to(path)
    return str(link)


def _hard_link(path: Path) -> str:
    link = path.with_name(f"hard-{path.name}")
    os.link(path, link)
    return str(link)


@pytest.mark.parametrize("spelled", [_same, _other_spelling, _link, _hard_link])
def test_convert_to_its_model(symag: Symag, tmp_path: Path, spelled: Callable[[Path], str]) -> None:
    model = tmp_path / "m.aag"
    model.write_text(_AIGER)
    output = spelled(model)
    ran = symag("convert", model, output)
    named = "" if output == str(model) else f" {model}"
    assert (ran.status, ran.out, ran.err) == (2, "", f"symag: cannot write {output}: it is the input{named}\n")
    assert model.read_text() == _AIGER
    with pytest.raises(UsageError, match="it is the input"):
        library.convert(model, output)
    assert model.read_text() == _AIGER


def _kept(symag: Symag, path: Path, *arguments: object) -> None:
    before = path.read_bytes()
    ran = symag(*arguments)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert f"cannot write {path}: it is the input" in ran.err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "option",
    ["--certificate", "--trace", "--junit", "--sarif", "--csv", "--write-order"],
)
def test_check_to_its_model(symag: Symag, tmp_path: Path, option: str) -> None:
    model = tmp_path / "m.smv"
    shutil.copy(ROOT / "models" / "counter.smv", model)
    form = ("--trace-format", "json") if option == "--trace" else ()
    method = ("--method", "monolithic")
    _kept(symag, model, "check", model, option, model, *form, *method, "--property", "below_five", "-q")


def test_no_property_is_decided_before_the_refusal(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    shutil.copy(ROOT / "models" / "counter.smv", model)
    ran = symag("check", model, "--certificate", model, "--property", "parity_right")
    assert (ran.status, ran.out) == (2, "")


def test_a_file_of_several_models_is_none_of_them(symag: Symag, tmp_path: Path) -> None:
    one, other = tmp_path / "a.smv", tmp_path / "b.smv"
    for model in (one, other):
        shutil.copy(ROOT / "models" / "counter.smv", model)
    _kept(symag, other, "check", one, other, "--csv", other)


def test_simulate_to_its_model_and_to_its_guide(symag: Symag, tmp_path: Path) -> None:
    model, guide = tmp_path / "m.smv", tmp_path / "g.json"
    shutil.copy(ROOT / "models" / "counter.smv", model)
    _kept(symag, model, "simulate", model, "--trace", model, "--trace-format", "json")
    assert symag("simulate", model, "--steps", 2, "--trace", guide).status == 0
    _kept(symag, guide, "simulate", model, "--guide", guide, "--trace", guide)


def test_pictures_over_an_input(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    shutil.copy(ROOT / "models" / "arbiter4.smv", model)
    _kept(symag, model, "partition", model, "--dot", model)


def test_report_to_its_results(symag: Symag, tmp_path: Path) -> None:
    results = tmp_path / "r.sqlite"
    assert symag("batch", "models/counter.smv", "--output", results, "-q").status == 0
    _kept(symag, results, "report", results, "--html", results)


def test_files_beside_an_explicit_model(symag: Symag, tmp_path: Path) -> None:
    model, labels = tmp_path / "m.tra", tmp_path / "m.lab"
    model.write_text(_TRA)
    labels.write_text(_LAB)
    _kept(symag, labels, "convert", model, labels, "-q")


def test_components_are_inputs(symag: Symag, tmp_path: Path) -> None:
    one, other = tmp_path / "a.aut", tmp_path / "b.aut"
    for model in (one, other):
        model.write_text('des (0, 1, 1)\n(0, "a", 0)\n')
    _kept(symag, other, "convert", one, other, "--component", other)


def test_a_proof_and_an_order_may_be_replaced(symag: Symag, tmp_path: Path) -> None:
    proof, order = tmp_path / "p.json", tmp_path / "m.ord"
    asked = ("check", "models/counter.smv", "--property", "parity_right", "--method", "monolithic")
    assert symag(*asked, "--certificate", proof, "--write-order", order).status == 0
    assert symag(*asked, "--order", order, "--write-order", order).status == 0
    ran = symag("check", "models/counter.smv", "--property", "parity_right", "--reuse", proof, "--certificate", proof)
    assert (ran.status, ran.err) == (0, "")


def test_a_file_that_was_an_input_earlier(symag: Symag, tmp_path: Path) -> None:
    """One command's inputs are nothing to the next command in the same process."""
    model, aiger = tmp_path / "m.smv", tmp_path / "m.aag"
    shutil.copy(ROOT / "models" / "counter.smv", model)
    for _ in range(2):
        assert symag("convert", model, aiger, "-q").status == 0
        assert symag("info", aiger).status == 0
        library.check(aiger, trace=tmp_path / "t.json")
