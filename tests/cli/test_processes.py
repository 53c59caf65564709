"""The command line as a process: limits, interrupts, pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Symag
from tests.conftest import ROOT

COMMAND = [sys.executable, "-c", "from symag.cli.main import main; main()"]


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """A product of two words: diagrams of any order are exponential in the width."""
    path = tmp_path / "product.smv"
    path.write_text(
        "MODULE main\nVAR a : unsigned word[28]; b : unsigned word[28]; c : unsigned word[28];\n"
        "ASSIGN next(c) := a * b; next(a) := a + c; next(b) := b * c;\nINVARSPEC c != 0ud28_187654321\n"
    )
    return path


#: The same faults for each package of decision diagrams.
ENGINES = ("dd", "oxidd")


def by_diagrams(engine: str) -> list[str]:
    """Options for a search with one package; skips the test where it is not installed."""
    pytest.importorskip(engine)
    return ["--method", "monolithic", "--bdd", engine]


@pytest.mark.parametrize("engine", ENGINES)
def test_timeout(symag: Symag, hard: Path, engine: str) -> None:
    how = by_diagrams(engine)
    start = time.monotonic()
    ran = symag("check", hard, "--timeout", "1", "--json", *how)
    assert ran.status == 30
    assert ran.json["results"][0]["reason"] == "timeout"
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    ("engine", "memory"), [("dd", 15), ("dd", "15M"), ("dd", "15360k"), ("oxidd", 15), ("oxidd", 100)]
)
def test_memory(symag: Symag, hard: Path, engine: str, memory: int | str) -> None:
    how = by_diagrams(engine)
    ran = symag("check", hard, "--memory", memory, "--timeout", "60", "--json", "--no-reordering", *how)
    assert ran.status == 30
    assert ran.json["results"][0]["reason"] == "memory", ran.json  # it failed once under load, and did not say why


def test_memory_beyond_the_numbers_of_the_kernel(symag: Symag) -> None:
    ran = symag("check", "models/counter.smv", "--property", "parity_right", "--memory", 10**20, "--json")
    assert (ran.status, ran.json["results"][0]["verdict"]) == (0, "holds")


@pytest.mark.parametrize("method", ["bmc", "k-induction"])
def test_libraries_do_not_count_against_the_limit_of_memory(method: str) -> None:
    """A run needs numpy, whose import takes about 60 MiB."""
    options = ("--property", "below_five", "--method", method, "--memory", "20", "--json")
    done = subprocess.run([*COMMAND, "check", "models/counter.smv", *options], capture_output=True, text=True, cwd=ROOT)
    assert json.loads(done.stdout)["results"][0]["verdict"] == "violated", done.stdout


def _hang_up_ends() -> None:
    """Where the tests run under nohup, SIGHUP is ignored, and a command that is started so has to ignore it too."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_ending_the_command_leaves_no_process_behind(hard: Path, number: signal.Signals, engine: str) -> None:
    how = by_diagrams(engine)
    with subprocess.Popen(
        [*COMMAND, "check", str(hard), "--json", *how],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_hang_up_ends,
    ) as process:
        deadline = time.monotonic() + 20
        while not (children := children_of(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert children
        time.sleep(0.3)
        children = children_of(process.pid)
        start = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
        assert time.monotonic() - start < 3
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert json.loads(out)["results"][0]["reason"] == "interrupted"
        assert b"Traceback" not in err
    deadline = time.monotonic() + 5
    while any(os.path.exists(f"/proc/{child}") for child in children) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(os.path.exists(f"/proc/{child}") for child in children)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_commands_say_that_they_were_ended(hard: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [*COMMAND, "info", "--reachable", str(hard)], cwd=ROOT, stderr=subprocess.PIPE, preexec_fn=_hang_up_ends
    ) as process:
        deadline = time.monotonic() + 20
        while not children_of(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(number)
        assert process.communicate(timeout=10)[1].decode().split() == ["symag:", "interrupted"]
    assert process.returncode == 130


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    specifications = "".join(f"INVARSPEC x{i}\n" for i in range(3000))
    model.write_text("MODULE main\nVAR " + "".join(f"x{i} : boolean; " for i in range(3000)) + "\n" + specifications)
    process = subprocess.run(
        ["bash", "-c", '"$@" | head -1', "bash", *COMMAND, "info", str(model)], cwd=ROOT, capture_output=True, text=True
    )
    assert process.stdout.startswith("3000 variables")
    assert process.stderr == ""


def test_a_pipe_that_nobody_reads_any_more() -> None:
    """``symag check MODEL | head -1``: the status of a process that SIGPIPE ended, and no message."""
    with subprocess.Popen(
        [*COMMAND, "check", "models/counter.smv"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 141
