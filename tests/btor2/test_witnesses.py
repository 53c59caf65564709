"""Witnesses in BTOR2's format: written, read back, and accepted by btorsim where it is on PATH."""

from __future__ import annotations

import shutil
import subprocess
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.smv.btor2.witness import read_witness
from symag.smv.btor2.witness import text as witness_text
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from tests.btor2.strategies import random_model, system_of
from tests.btor2.test_commands import MODEL
from tests.judging import is_accepted
from tests.running import symag


def violations(system):
    for checked in system.properties:
        trace = monolithic.decide(system, checked, SmvOptions(), no_progress).trace
        if trace is not None:
            yield checked, trace


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32), st.booleans())
def test_a_witness_is_read_back_as_a_run_that_violates(seed, justice):
    text = random_model(Random(seed), justice)
    system = system_of(text)
    for checked, trace in violations(system):
        witness = witness_text(system, checked, trace)
        claimed, runs = read_witness(witness, "w.wit", system)
        assert claimed is checked
        assert any(is_accepted(replay, system, checked, run) for run in runs), text + witness
        if checked.kind == "INVARSPEC":
            assert runs == (trace,)


@pytest.mark.skipif(shutil.which("btorsim") is None, reason="no btorsim on PATH")
def test_btorsim_accepts_witnesses_and_refuses_others(tmp_path):
    model, file = tmp_path / "model.btor2", tmp_path / "w.wit"
    count = 0
    for seed in range(120):
        text = random_model(Random(seed))
        if any(f" {tag} " in text for tag in ("addo", "subo", "mulo", "divo", "rol", "ror")) or "o 1 " in text:
            continue  # btorsim does not know some of these and rotates otherwise
        system = system_of(text)
        for checked, trace in violations(system):
            model.write_text(text)
            file.write_text(witness_text(system, checked, trace))
            done = subprocess.run(["btorsim", "-c", model, file], capture_output=True, text=True, check=False)
            assert done.returncode == 0, text + file.read_text() + done.stderr
            count += 1
    assert count > 20
    model.write_text(MODEL)
    file.write_text("sat\nb0\n@0\n@1\n.\n")
    assert subprocess.run(["btorsim", "-c", model, file], capture_output=True, check=False).returncode != 0


@pytest.mark.long
def test_check_writes_and_replay_reads(tmp_path):
    model, file = tmp_path / "model.btor2", tmp_path / "w.wit"
    model.write_text(MODEL)
    assert symag("check", model, "--property", "large", "--trace", file).returncode == 10
    assert file.read_text().splitlines()[:4] == ["sat", "b0", "@0", "0 1 go@0"]
    assert "accepted: the property is violated" in symag("replay", model, file).stdout
    assert symag("check", model, "--trace", f"{tmp_path}/all/", "--trace-format", "wit").returncode == 10
    assert (tmp_path / "all" / "large.wit").read_text() == file.read_text()


def test_a_witness_of_another_language_is_refused(tmp_path):
    model = tmp_path / "model.smv"
    model.write_text("MODULE main\nVAR x : boolean;\nINVARSPEC x\n")
    done = symag("check", model, "--trace", tmp_path / "w.wit")
    assert done.returncode == 2
    assert "a BTOR2 witness can be written of a model in .btor2, .btor only" in done.stderr
    (tmp_path / "w.wit").write_text("sat\nb0\n@0\n.\n")
    done = symag("replay", model, tmp_path / "w.wit")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1


#: A memory of which only one element is said, a constant one, comments, and what the model determines left out.
OPEN = """1 sort bitvec 1
2 sort array 1 1
3 state 2 m
4 input 1 a
5 read 1 3 4
6 write 2 3 4 -5
7 next 2 3 6
8 state 1 free
9 and 1 5 8
10 bad 9
"""


@pytest.mark.parametrize(
    ("witness", "refuted"),
    [
        ("sat\nb0\n#0\n0 [1] 1 m#0\n1 1\n@0\n0 1 a@0\n.\n", True),
        ("; a comment\nsat\nb0 \n#0\n0 [*] 1\n1 1\n@0\n.\n", True),
        ("sat\nb0\n@0\n#1\n1 1\n@1\n.\n", True),
        ("sat\nb0\n@0\n@1\n.\n", False),
    ],
)
def test_what_a_witness_leaves_out_is_computed(witness, refuted):
    system = system_of(OPEN)
    (checked,) = system.properties
    _, runs = read_witness(witness, "w.wit", system)
    assert is_accepted(replay, system, checked, runs[0]) is refuted


WRONG = [
    ("", "1: expected a witness: a line with sat, found ''"),
    ("unsat\n", "1: expected a witness: a line with sat, found 'unsat'"),
    ("sat\n#0\n", "2: expected properties such as b0, found '#0'"),
    ("sat\nb1\n@0\n.\n", "2: the model has no property b1: is this a witness of it?"),
    ("sat\nb0\n.\n", "3: expected at least one step before the dot"),
    ("sat\nb0\n@0\n", "3: the file ends where a line with a dot was expected"),
    ("sat\nb0\n@1\n.\n", "3: expected the header of step 0, found @1"),
    ("sat\nb0\n#0\n@0\n#0\n.\n", "5: expected the header of step 1, found #0"),
    ("sat\nb0\n0 1\n.\n", "3: expected a header, a value or a dot, found '0 1'"),
    ("sat\nb0\n@0\n0 x\n.\n", "4: expected a header, a value or a dot, found '0 x'"),
    ("sat\nb0\n@0\n0 11\n.\n", "4: expected 1 binary digits for a, found 2"),
    ("sat\nb0\n@0\n1 1\n.\n", "4: the model has 1 inputs, and none has number 1: is this a witness of it?"),
    ("sat\nb0\n#0\n0 [00] 1\n.\n", "4: expected an address of 1 binary digits"),
    ("sat\nb0\n#0\n1 [0] 1\n.\n", "4: free is not an array and has no elements"),
]


@pytest.mark.parametrize(("witness", "message"), WRONG)
def test_a_wrong_witness_is_one_line(witness, message):
    with pytest.raises(InputError) as caught:
        read_witness(witness, "w.wit", system_of(OPEN))
    assert str(caught.value) == f"w.wit:{message}"
