"""Bad input: one line with the position, no traceback, and the right exit status."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Symag
from tests.conftest import ROOT

COUNTER = "models/counter.smv"

MODELS = {
    "empty file": ("", r"m\.smv(:1:1)?: "),
    "no main": ("MODULE other\nVAR x : boolean;\n", r"main"),
    "undeclared name": ("MODULE main\nVAR x : boolean;\nINVARSPEC z\n", r"m\.smv:3:11: .*'?z'?"),
    "type error": ("MODULE main\nVAR x : boolean; y : 0..3;\nINVARSPEC x + y = 2\n", r"m\.smv:3:\d+: "),
    "circular definition": ("MODULE main\nVAR x : boolean;\nDEFINE a := b; b := a;\nINVARSPEC a\n", r"m\.smv:3:\d+: "),
    "double assignment": (
        "MODULE main\nVAR x : boolean;\nASSIGN next(x) := TRUE;\n  next(x) := FALSE;\n",
        r"m\.smv:4:\d+: .*x",
    ),
    "infinite type": ("MODULE main\nVAR x : real;\nINVARSPEC x > 0\n", r"m\.smv:2:\d+: .*real"),
    "syntax error": ("MODULE main\nVAR x : boolean\nINVARSPEC x\n", r"m\.smv:3:\d+: .*INVARSPEC"),
}

SEMANTIC_ERRORS = {
    "value out of range": (
        "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := x + 1;\nINVARSPEC x < 3\n",
        r"m\.smv:3:\d+: .*4",
    ),
    "case without default": (
        "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := case x = 0 : 1; x = 1 : 2; esac;\nINVARSPEC x < 3\n",
        r"m\.smv:3:\d+: .*exhaustive",
    ),
    "value out of range outside the cone": (
        "MODULE main\nVAR e : boolean; x : 0..3;\n"
        "ASSIGN init(e) := FALSE; next(e) := e; next(x) := x + 1;\nINVARSPEC !e\n",
        r"m\.smv:3:\d+: .*4",
    ),
    "shift out of range in the property": (
        "MODULE main\nVAR w : word[3];\nINVARSPEC bool((-0sd1_1 >> w)[0:0])\n",
        r"m\.smv:3:\d+: shift amount",
    ),
}
SYMBOLIC = ("rule-s", "rule-g", "bmc", "k-induction", "pdr", "sweeping", "parts", "simulation")


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("command", ["info", "check", "partition"])
def test_wrong_models(symag: Symag, tmp_path: Path, name: str, command: str) -> None:
    text, expected = MODELS[name]
    model = tmp_path / "m.smv"
    model.write_text(text)
    ran = symag(command, model)
    assert ran.status == 3
    assert re.search(expected, one_line(ran.err)), ran.err
    assert ran.out == ""


@pytest.mark.parametrize("name", SEMANTIC_ERRORS)
@pytest.mark.parametrize("method", ["monolithic", "auto", *SYMBOLIC])
def test_errors_that_only_the_meaning_shows(symag: Symag, tmp_path: Path, name: str, method: str) -> None:
    text, expected = SEMANTIC_ERRORS[name]
    model = tmp_path / "m.smv"
    model.write_text(text)
    ran = symag("check", model, "--method", method)
    assert ran.status == 3
    assert re.search(expected, one_line(ran.err)), ran.err


def test_errors_as_json(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODELS["undeclared name"][0])
    error = symag("check", model, "--json").json["error"]
    assert (error["file"], error["line"], error["column"]) == (str(model), 3, 11)
    assert set(error) == {"message", "file", "line", "column"}


def test_what_is_no_text_file(symag: Symag, tmp_path: Path) -> None:
    junk = tmp_path / "junk.smv"
    junk.write_bytes(bytes(range(256)) * 40)
    for model in (tmp_path / "missing.smv", tmp_path, junk):
        ran = symag("check", model)
        assert ran.status == 3
        assert one_line(ran.err).startswith(f"symag: {model}")


def test_a_million_nested_parentheses(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "deep.smv"
    depth = 1_000_000
    model.write_text("MODULE main\nVAR x : boolean;\nINVARSPEC " + "(" * depth + "x" + ")" * depth + "\n")
    ran = symag("info", model)
    assert ran.status == 3
    assert re.search(r"deep\.smv:3:\d+: expression nested more than 10,000 levels deep$", one_line(ran.err))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("check",), "Missing argument 'MODEL...'"),
        (("check", COUNTER, "--method", "magic"), "'magic' is not one of 'monolithic', 'rule-s', "),
        (("check", COUNTER, "--property", "nosuch"), "no property 'nosuch'; there are parity_right, below_five"),
        (("check", COUNTER, "--property", "99"), "no property '99'; there are parity_right, below_five"),
        (("check", COUNTER, "--timeout", "-1"), "'--timeout': -1.0 is not in the range 0<x<=1000000000"),
        (("check", COUNTER, "--timeout", "soon"), "'--timeout': 'soon' is not a valid float"),
        (("check", COUNTER, "--timeout", "nan"), "'--timeout': nan is not a finite number"),
        (("check", COUNTER, "--timeout", "inf"), "'--timeout': inf is not in the range"),
        (("check", COUNTER, "--timeout", "1e12"), "'--timeout': 1000000000000.0 is not in the range"),
        (("check", COUNTER, "--memory", "3T"), "'3T' is not a whole number of MiB, nor one with the suffix K, M or G"),
        (("check", COUNTER, "--memory", "3.5"), "'3.5' is not a whole number of MiB, nor one with the suffix"),
        (("check", COUNTER, "--memory", "500K"), "0 is not in the range x>=1"),
        (("partition", COUNTER, "--imbalance", "nan"), "'--imbalance': nan is not a finite number"),
        (("check", COUNTER, "--target", "COUNTER"), "--target is for labelled transition systems"),
        (("check", COUNTER, "--engine", "textbook"), "--engine is for PRISM models"),
        (("check", "models/lts/mer.lts", "--grain", "bit"), "--grain is for SMV models"),
        (("check", "models/lts/mer.lts", "--no-reordering"), "--reordering is for SMV models"),
        (("check", "coin.nm", "--specification", "coin.nm", "--parts", "3"), "--parts is for SMV models"),
        (("check", COUNTER, "--parts", "1"), "'--parts': 1 is not in the range x>=2"),
        (("check", COUNTER, "--parts", "99"), "99 parts are more than the 2 variables of the model"),
        (("partition", COUNTER, "--parts", "99"), "99 parts are more than the 2 variables of the model"),
        (("partition", COUNTER, "--imbalance", "0.5"), "'--imbalance': 0.5 is not in the range x>=1.0"),
        (("partition", COUNTER, "--dot", "/nosuch/folder/x.dot"), "cannot write /nosuch/folder/x.dot: No such file"),
        (("partition", "client_server.lts"), "symag partition takes SMV models, not labelled transition systems"),
        (("check", "coin.nm"), "coin.nm: say by --specification FILE what has to simulate it"),
        (("nonsense",), "No such command 'nonsense'"),
    ],
)
def test_wrong_usage(symag: Symag, arguments: tuple[str, ...], expected: str) -> None:
    ran = symag(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert expected in ran.err.splitlines()[-1]
    assert "Traceback" not in ran.err
    assert expected in symag(*arguments, "--json").json["error"]["message"]


@pytest.mark.parametrize("model", ["models/counter.smv", "models/lts/mer.lts"])
def test_a_method_that_cannot_be_called(symag: Symag, monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    """An internal error is one line; the traceback is for ``--verbose`` and ``--json``."""
    monkeypatch.setattr("symag.smv.methods.bmc.session", lambda system: None)
    monkeypatch.setattr("symag.lts.methods.circular.method.decide", lambda system: None)
    asked = ("check", model, "--method", "bmc" if model.endswith(".smv") else "circular")
    ran = symag(*asked)
    assert ran.status == 1
    warnings = [line for line in ran.err.splitlines() if line.startswith("symag: warning: ")]
    assert len(warnings) == 1
    assert re.search(r"internal error: TypeError: .* positional argument.* \(--verbose shows where\)$", warnings[0])
    assert "Traceback" not in ran.err
    assert "unknown (internal error: TypeError: " in ran.out
    assert "Traceback" in symag(*asked, "--verbose").err
    assert any("Traceback" in warning for warning in symag(*asked, "--json").json["warnings"])


def test_other_languages_are_said_to_come_later(symag: Symag) -> None:
    assert "symag partition takes SMV models, not PRISM models" in symag("partition", "models/coin.prism").err


def test_an_order_of_another_model(symag: Symag, tmp_path: Path) -> None:
    (tmp_path / "other.ord").write_text("lamp\n-- digit\nbell.0\n")
    ran = symag("check", COUNTER, "--order", tmp_path / "other.ord")
    assert ran.status == 3
    assert ran.err == f"symag: {tmp_path}/other.ord: this orders no variable of the model; it begins with 'lamp'\n"
    ran = symag("info", COUNTER, "--reachable", "--order", tmp_path / "other.ord")
    assert (ran.status, "this orders no variable of the model" in ran.err) == (3, True)
    (tmp_path / "other.ord").write_text("lamp\ndigit\n")
    assert symag("check", COUNTER, "--order", tmp_path / "other.ord", "-q").status == 10
    (tmp_path / "m.smv").write_text("MODULE main\nVAR digit : 0..3; x : boolean;\nINVARSPEC x\nINVARSPEC x | !x\n")
    ran = symag("check", tmp_path / "m.smv", "--order", tmp_path / "other.ord", "--method", "monolithic", "-q")
    assert (ran.status, ran.err) == (10, "")


@pytest.mark.parametrize(
    ("order", "warning"),
    [
        ("odd\n\nlamp -- gone\ndigit\n", "3: the model has no variable or bit 'lamp'"),
        (
            "digit.3\ndigit.0\nodd.0\nlamp.1\n",
            "1: the model has no variable or bit 'digit.3', nor 1 more of these names",
        ),
        ("odd\ndigit\n", None),
    ],
)
def test_an_order_of_unknown_variables(symag: Symag, tmp_path: Path, order: str, warning: str | None) -> None:
    file = tmp_path / "m.ord"
    file.write_text(order)
    warnings = [] if warning is None else [f"{file}:{warning}"]
    printed = "".join(f"symag: warning: {text}\n" for text in warnings)
    ran = symag("check", COUNTER, "--order", file, "--method", "monolithic")
    assert (ran.status, ran.err) == (10, printed)
    assert (
        symag("check", COUNTER, "--order", file, "--method", "monolithic", "--json", "-q").json["warnings"] == warnings
    )
    ran = symag("info", COUNTER, "--reachable", "--order", file)
    assert (ran.status, ran.err) == (0, printed)


def test_a_graph_with_too_large_numbers(symag: Symag, tmp_path: Path) -> None:
    (tmp_path / "m.aag").write_text("aag 999999999999 0 0 1 0\n0\n")
    ran = symag("info", tmp_path / "m.aag")
    assert (ran.status, ran.err.count("\n")) == (3, 1)
    assert "M is 999999999999, and at most" in ran.err


def test_a_specification_without_processes(symag: Symag, tmp_path: Path) -> None:
    (tmp_path / "m.lts").write_text("")
    ran = symag("simulate", tmp_path / "m.lts")
    assert (ran.status, ran.err) == (
        2,
        "symag: choose one composite process with --target; the specification has none\n",
    )


def test_parts_of_any_size(symag: Symag) -> None:
    ran = symag("check", COUNTER, "--method", "rule-g", "--imbalance", "1e308", "--property", "0", "-q")
    assert (ran.status, ran.err) == (0, "")


def test_tuning_for_a_model_that_cannot_be_read(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    ran = symag("tune", model)
    assert (ran.status, ran.err) == (3, f"symag: {model}: no such file\n")
    model.write_text("MODULE main\nVAR x")
    ran, checked = symag("tune", model), symag("check", model)
    assert (ran.status, ran.err) == (checked.status, checked.err)
    assert ran.err.startswith(f"symag: {model}:2:6: ")


def test_tuning_for_a_model_that_needs_too_much_memory_to_read(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    # A small model may fit into memory that the process has already.
    model.write_text("MODULE main\nVAR " + "".join(f"x{n} : 0..7; " for n in range(5_000)) + "\nINVARSPEC x0 < 7\n")
    ran = symag("tune", model, "--memory", 1)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert f"cannot be listed within the limits; 'symag info {model}' says why" in ran.err


def test_too_few_open_files() -> None:
    script = f"ulimit -n 8; exec {sys.executable} -m symag check {COUNTER} -q"
    ran = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "symag: the operating system refuses: Too many open files\n"


def test_memory_that_is_used_up_by_reading(symag: Symag, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("symag.smv.reader.parse_source", exhausted)
    ran = symag("info", COUNTER)
    assert (ran.status, ran.err) == (1, "symag: out of memory\n")
