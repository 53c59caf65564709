"""Files that hold no model that symag reads: one line says what they are and what to do."""

from __future__ import annotations

import gzip
import os
import subprocess
from pathlib import Path

import pytest

from symag.core import input_files
from tests.cli.conftest import Symag
from tests.conftest import ROOT

COUNTER = (ROOT / "models" / "counter.smv").read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.v", b"module m(input a); endmodule\n", "Verilog is not read; yosys makes AIGER of it"),
        ("m.sv", b"module m(input a); endmodule\n", "SystemVerilog is not read; yosys makes AIGER of it"),
        ("m.sm", b"ctmc\nmodule m x : bool; endmodule\n", "PRISM's suffix .sm is for Markov chains in continuous time"),
        ("m.jani", b"{}", "JANI is not read"),
        ("m.smv.gz", gzip.compress(COUNTER, mtime=0), "this is a file compressed by gzip; 'gunzip "),
        ("m.smv", gzip.compress(COUNTER, mtime=0), "this is a file compressed by gzip; 'gunzip "),
        ("m.aig", gzip.compress(b"aag 0 0 0 0 0\n", mtime=0), "this is a file compressed by gzip; 'gunzip "),
        ("m.zip", b"PK\x03\x04rest", "this is a zip archive; 'unzip "),
    ],
)
@pytest.mark.parametrize("command", ["check", "info"])
def test_a_format_of_another_tool_is_named(
    symag: Symag, tmp_path: Path, command: str, name: str, content: bytes, message: str
) -> None:
    model = tmp_path / name
    model.write_bytes(content)
    ran = symag(command, model)
    assert (ran.status, ran.out) == (3, "")
    assert ran.err.startswith(f"symag: {model}: {message}")
    assert ran.err.count("\n") == 1


def test_a_folder_is_a_batch(symag: Symag, tmp_path: Path) -> None:
    ran = symag("check", tmp_path)
    expected = f"symag: {tmp_path}: this is a directory, expected a model; 'symag batch {tmp_path}' checks all models"
    assert ran.status == 3
    assert ran.err.startswith(expected)


@pytest.mark.parametrize("suffix", ["smv", "lts", "aig", "nm"])
def test_a_named_pipe_is_refused_at_once(symag: Symag, tmp_path: Path, suffix: str) -> None:
    """Reading it would wait for a writer that may never come."""
    pipe = tmp_path / f"m.{suffix}"
    os.mkfifo(pipe)
    ran = symag("check", pipe, *(("--formula", "true") if suffix == "nm" else ()))
    assert (ran.status, ran.err) == (3, f"symag: {pipe}: this is a named pipe, expected a file\n")
    ran = symag("certify", "models/counter.smv", pipe)
    assert (ran.status, ran.err) == (3, f"symag: {pipe}: this is a named pipe, expected a file\n")
    ran = symag("replay", "models/counter.smv", pipe)
    assert (ran.status, ran.err) == (3, f"symag: {pipe}: this is a named pipe, expected a file\n")


def test_the_pipe_of_a_shell_is_read(symag: Symag) -> None:
    """As in ``symag check <(generate)``."""
    read_end, write_end = os.pipe()
    os.write(write_end, COUNTER)
    os.close(write_end)
    try:
        assert symag("check", f"/dev/fd/{read_end}").status == 10
    finally:
        os.close(read_end)


def test_a_stream_without_an_end_is_not_read_for_ever(symag: Symag, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in ``symag check <(yes)``."""
    monkeypatch.setattr(input_files, "LONGEST_STREAM", 3 << 20)
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout is not None
        path = f"/dev/fd/{endless.stdout.fileno()}"
        ran = symag("check", path)
        endless.kill()
    message = "more than 3 MiB come from this pipe; a model of that size is read from a file"
    assert (ran.status, ran.err) == (3, f"symag: {path}: {message}\n")


def test_a_model_without_main_says_what_to_rename(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    for text, expected in (
        ("MODULE _top\nVAR x : boolean;\n", "; rename '_top' to 'main'"),
        ("MODULE cell(a)\nVAR x : boolean;\nMODULE _top\nVAR c : cell(TRUE);\n", "; rename '_top' to 'main'"),
        ("MODULE cell\nVAR x : boolean;\nMODULE _top\nVAR c : array 0..1 of cell;\n", "; rename '_top' to 'main'"),
        ("MODULE a\nVAR x : boolean;\nMODULE b\nVAR x : boolean;\n", ", expected one among 'a', 'b'"),
        ("MODULE cell(a)\nVAR x : boolean;\n", "; write one with an instance of 'cell'"),
        ("MODULE a(x)\nVAR y : boolean;\nMODULE b(x)\nVAR y : a(x);\n", "; write one with an instance of 'b'"),
        ("MODULE a(x)\nVAR y : b(x);\nMODULE b(x)\nVAR y : a(x);\n", "; write one with an instance of 'a', 'b'"),
    ):
        model.write_text(text)
        ran = symag("check", model)
        assert (ran.status, ran.err) == (3, f"symag: {model}: there is no module 'main'{expected}\n")


@pytest.mark.parametrize(
    ("model", "method", "message"),
    [
        ("models/counter.smv", "agar", "--method agar is for labelled transition systems and PRISM models; for SMV"),
        ("models/lts/mer.lts", "rule-g", "--method rule-g is for SMV models; for labelled transition systems there"),
        ("models/lpts/sensors1.nm", "lstar", "--method lstar is for labelled transition systems; for PRISM models"),
    ],
)
def test_a_method_of_other_models_says_of_which(symag: Symag, model: str, method: str, message: str) -> None:
    ran = symag("check", model, "--method", method)
    assert ran.status == 2
    assert message in ran.err


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".SMV", "MODULE main\nVAR x : boolean;\nINVARSPEC x\n"),
        (".Aag", "aag 1 0 1 0 0 1\n2 3\n2\n"),
        (".BTOR2", "1 sort bitvec 1\n2 state 1 x\n3 bad 2\n"),
        (".LTS", "P = (a -> P).\n"),
        (".AUT", 'des (0, 1, 1)\n(0, "a", 0)\n'),
        (".NM", "mdp\nmodule m\nx : bool;\n[a] true -> 1:true;\nendmodule\n"),
        (".Tra", "2 2\n0 1 1.0\n1 1 1.0\n"),
    ],
)
def test_a_suffix_in_capitals_is_the_same_suffix(symag: Symag, tmp_path: Path, suffix: str, text: str) -> None:
    small, capital = tmp_path / f"m{suffix.lower()}", tmp_path / f"m{suffix}"
    small.write_text(text)
    capital.write_text(text)
    known, ran = symag("info", small, "--json"), symag("info", capital, "--json")
    assert (known.status, ran.status, ran.err) == (0, 0, "")
    assert {**ran.json, "model": None} == {**known.json, "model": None}


def test_an_output_with_a_suffix_in_capitals(symag: Symag, tmp_path: Path) -> None:
    assert symag("convert", "models/counter.smv", tmp_path / "m.AAG", "-q").status == 0
    assert (tmp_path / "m.AAG").read_bytes().startswith(b"aag ")
