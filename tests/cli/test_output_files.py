"""Output that cannot be written, and output that is no file."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from symag.core.errors import UsageError
from symag.core.files import write_file
from tests.cli.conftest import Symag
from tests.conftest import ROOT
from tests.small_files import with_small_files


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "content")
    assert os.read(reader, 100) == b"content"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["link", "target"]


@pytest.mark.parametrize("arguments", [("check", "--trace"), ("check", "--certificate"), ("convert",)])
def test_a_full_disk(symag: Symag, arguments: tuple[str, ...]) -> None:
    before = os.stat("/dev/full").st_rdev
    command, *options = arguments
    chosen = [*options, "/dev/full"] if options else ["/dev/full", "--to", "smv"]
    asked = ["--property", "1" if "--trace" in options else "0"] if command == "check" else []
    formed = ["--trace-format", "json"] if "--trace" in options else []
    ran = symag(command, "models/counter.smv", *chosen, *asked, *formed)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert "cannot write /dev/full: No space left on device" in ran.err
    assert os.stat("/dev/full").st_rdev == before
    with pytest.raises(UsageError):
        write_file("/nosuch/folder/file", b"")


@pytest.mark.parametrize("folder", ["/", ".", ""])
def test_a_folder_is_not_written_to(folder: str) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*: (Is a directory|No such file)"):
        write_file(folder, "content")


@pytest.mark.long
@pytest.mark.parametrize("arguments", [("check", "--no-certify"), ("info", "--json"), ("partition",), ("nusmv",)])
def test_standard_output_that_takes_no_more(arguments: tuple[str, ...]) -> None:
    command, *options = arguments
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "symag", command, *options, "models/counter.smv"],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert ran.returncode == 2
    assert ran.stderr.endswith("symag: cannot write standard output: No space left on device\n")
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_while_the_command_is_imported(number: signal.Signals) -> None:
    ran = interrupted_at("click", number)
    assert (ran.returncode, ran.stderr, ran.stdout) == (128 + signal.SIGINT, "symag: interrupted\n", "")


def test_an_interrupt_while_a_model_is_read_is_an_object_of_json() -> None:
    ran = interrupted_at("symag.smv.reader", signal.SIGTERM, "check", "models/counter.smv", "--json")
    assert (ran.returncode, ran.stderr.strip()) == (128 + signal.SIGINT, "symag: interrupted")
    assert json.loads(ran.stdout)["error"]["message"] == "interrupted"


def interrupted_at(module: str, number: signal.Signals, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that gets a signal when it imports a module."""
    program = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL);"
        "sys.meta_path.insert(0, type('Finder', (), {'find_spec':"
        f" staticmethod(lambda name, *_: os.kill(os.getpid(), {int(number)}) if name == {module!r} else None)}}));"
        "from symag.__main__ import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("m.lts", "P = " + "(a -> " * 20_000 + "STOP" + ")" * 20_000 + ".", "nested too deeply"),
        ("m.lts", f"const N = {'(' * 20_000}1{')' * 20_000}\nP = (a[N] -> P).", "nested too deeply"),
        ("m.lts", f"const N = {'9' * 5000}\nP = (a[N] -> P).", ":1:11: a number of 5,000 digits is too large"),
        ("m.nm", f"mdp\nconst int N = {'9' * 5000};\n", ":2:15: a number of 5,000 digits is too large"),
        ("m.aut", f"des (0, {'9' * 5000}, 3)\n", ":1:9: a number of 5,000 digits is too large"),
        ("m.aag", f"aag 1 0 0 1 0\n{'9' * 5000}\n", ":2: a number of 5,000 digits is too large"),
        ("m.btor2", f"1 sort bitvec {'9' * 5000}\n", ":1:15: a number of 5,000 digits is too large"),
        ("m.tra", f"2 {'9' * 5000}\n0 1 1.0\n", ":1: a number of 5,000 digits is too large"),
    ],
)
def test_huge_input(symag: Symag, tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    ran = symag("info", tmp_path / name)
    assert ran.status == 3
    assert ran.err.count("\n") == 1
    assert message in ran.err


def test_answers_are_kept_where_evidence_is_not(symag: Symag) -> None:
    one = ("check", "models/counter.smv", "--property", "0", "--certificate", "/dev/full")
    ran = symag(*one)
    assert (ran.status, "parity_right holds" in ran.out) == (2, True)
    ran = symag(*one, "--json")
    report = json.loads(ran.out)
    assert (ran.status, report["warnings"]) == (2, ["cannot write /dev/full: No space left on device"])
    assert (report["results"][0]["verdict"], report["results"][0]["certificate"]) == ("holds", None)
    both = json.loads(symag("check", "models/counter.smv", "--certificate", "/dev/full", "--json").out)
    assert [answer["warnings"] for answer in both["results"]] == [report["warnings"], []]


def test_the_answers_after_a_full_disk(tmp_path: Path) -> None:
    ran = with_small_files(64, "check", "models/counter.smv", "--certificate", tmp_path / "c.json")
    assert ran.returncode == 2
    assert "parity_right holds" in ran.stdout
    assert "below_five is violated" in ran.stdout
    assert ran.stderr == f"symag: cannot write {tmp_path / 'c-parity_right.json'}: File too large\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [("--csv", "a.csv"), ("--trace", "a.html")])
def test_a_model_whose_name_is_not_utf8(symag: Symag, tmp_path: Path, options: tuple[str, str]) -> None:
    model = tmp_path / os.fsdecode(b"m\xff.smv")
    model.write_text("MODULE main\nVAR x : boolean;\nINVARSPEC x\n")
    option, name = options
    ran = symag("check", model, option, tmp_path / name, "-q")
    assert (ran.status, ran.err) == (10, "")
    assert b"m\\udcff" in (tmp_path / name).read_bytes()


def test_a_name_that_is_not_utf8_in_the_model_as_json(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / os.fsdecode(b"m\xff.smv")
    model.write_text("MODULE main\nVAR x : boolean;\n")
    assert symag("convert", model, tmp_path / "m.json", "-q").status == 0
    assert json.loads((tmp_path / "m.json").read_text())["model"] == str(model)


def test_an_order_that_cannot_be_written(symag: Symag, tmp_path: Path) -> None:
    ran = symag("check", "models/counter.smv", "--method", "monolithic", "--write-order", tmp_path / "no" / "a.ord")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "a.ord: No such file or directory" in ran.err


@pytest.mark.parametrize(
    "properties",
    ["LTLSPEC G F a = 1 LTLSPEC G F a = 2", "PSLSPEC always {a = 0; a = 1};", "CTLSPEC EF a = 2", "INVARSPEC a <= 3"],
)
def test_the_order_that_a_search_leaves(symag: Symag, tmp_path: Path, properties: str) -> None:
    model, order = tmp_path / "m.smv", tmp_path / "m.ord"
    model.write_text(f"MODULE main VAR a : 0..3; ASSIGN init(a) := 0; next(a) := (a + 1) mod 4; {properties}")
    ran = symag("check", model, "--write-order", order)
    assert (ran.status in (0, 10), ran.err) == (True, "")
    assert sorted(order.read_text().split()) == ["a.0", "a.1"]


@pytest.mark.parametrize("option", ["--trace", "--certificate"])
def test_a_file_without_a_name(symag: Symag, option: str) -> None:
    ran = symag("check", "models/counter.smv", option, "")
    assert (ran.status, ran.out, ran.err) == (2, "", "symag: cannot write a file without a name\n")
