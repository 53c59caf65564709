"""Witnesses of AIGER models in AIGER's format: written, read back, and accepted by aigsim where it is on PATH."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from symag.core.limits import no_progress
from symag.smv.aiger import read
from symag.smv.aiger.witness import text as witness_text
from symag.smv.methods import bmc
from symag.smv.methods.options import SmvOptions
from tests.running import symag

#: A shift register of three latches, one without a reset value, and an input that stops it.
SHIFT = """aag 6 2 3 0 1 2
2
4
6 4
8 6 8
10 12 1
10
6
12 8 2
b0 last
b1 first
"""
#: An input that is remembered; justice: it is remembered again and again, and so is that it is not.
AGAIN = "aag 2 1 1 0 0 0 0 1\n2\n4 2\n2\n4\n5\n"


@pytest.mark.long
@pytest.mark.parametrize(("text", "index"), [(SHIFT, 0), (SHIFT, 1), (AGAIN, 0)])
def test_a_witness_is_read_back(tmp_path, text, index):
    model, file = tmp_path / "model.aag", tmp_path / "w.cex"
    model.write_text(text)
    done = symag("check", model, "--property", index, "--trace", file)
    assert done.returncode == 10, done.stderr
    lines = file.read_text().splitlines()
    assert lines[:2] == ["1", f"{'j' if text is AGAIN else 'b'}{index}"]
    assert lines[-1] == "."
    done = symag("replay", model, file, "--property", index)
    assert done.returncode == 10, done.stdout + done.stderr
    if shutil.which("aigsim") is not None and text is not AGAIN:
        done = subprocess.run(["aigsim", "-c", model, file], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_an_input_whose_name_negates_it(tmp_path):
    """The witness has the values of the file's inputs, not those of their words."""
    model, file = tmp_path / "model.aag", tmp_path / "w.cex"
    model.write_text("aag 2 2 0 0 0 1 1\n2\n4\n2\n4\ni0 !x[0]\ni1 x[1]\n")
    done = symag("check", model, "--trace", file)
    assert done.returncode == 10, done.stderr
    assert "x = 0ud2_2" in done.stdout
    assert file.read_text() == "1\nb0\n\n11\n.\n"
    done = symag("replay", model, file)
    assert done.returncode == 10, done.stdout + done.stderr
    model.write_text("aag 1 1 0 0 0 1\n2\n0\ni0 !x[0]\n")
    assert symag("check", model, "--certificate", tmp_path / "proof.json").returncode == 0
    done = symag("convert", model, tmp_path / "circuit.aag", "--certificate", tmp_path / "proof.json")
    assert (done.returncode, "models whose names invert" in done.stderr) == (2, True), done.stdout


def test_a_witness_is_written_of_a_model_whose_file_is_gone(tmp_path):
    model = tmp_path / "model.aag"
    model.write_text("aag 1 1 0 0 0 1\n2\n2\n")
    system = read(model)
    result = bmc.decide(system, system.properties[0], SmvOptions(), no_progress)
    model.unlink()
    assert witness_text(system, system.properties[0], result.trace) == "1\nb0\n\n1\n.\n"


def test_a_witness_needs_no_map_of_names_any_more(tmp_path):
    model, map_file = tmp_path / "model.aag", tmp_path / "model.aim"
    model.write_text("aag 2 1 1 0 0 1\n2\n4 2 1\n4\n")
    map_file.write_text("invlatch 0 0 quiet\n")
    system = read(model)
    result = bmc.decide(system, system.properties[0], SmvOptions(), no_progress)
    map_file.unlink()
    assert witness_text(system, system.properties[0], result.trace) == "1\nb0\n1\n0\n.\n"


def test_another_model_is_no_aiger_model(tmp_path):
    model = tmp_path / "model.smv"
    model.write_text("MODULE main\nVAR x : boolean;\nINVARSPEC x\n")
    done = symag("check", model, "--trace", tmp_path / "w.cex")
    assert done.returncode == 2
    assert "an AIGER witness can be written of a model in .aag, .aig only" in done.stderr
