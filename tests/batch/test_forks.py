"""A job in a fork answers as the same command in a new process does."""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from symag.cli.forks import forked
from symag.cli.main import run
from symag.core.limits import JobLimits
from symag.process.supervision import Launch, SupervisedCommand, python_command
from symag.suites.store import Results
from tests.conftest import ROOT

COUNTER = str(ROOT / "models" / "counter.smv")
#: What differs from run to run.
_COSTS = ("seconds", "statistics", "race", "trace_file")


def answer(launch: Launch, folder: Path, module: str, *arguments: str) -> tuple[int, Any, str]:
    """The exit status, standard output and standard error of a command."""
    folder.mkdir()
    output, errors = folder / "output", folder / "errors"
    words = [word.replace("HERE", str(folder)) for word in arguments]
    command = SupervisedCommand(launch(module, *words), JobLimits(60), str(output), str(errors), lambda end: end)
    status = command.result().status
    text = output.read_text().replace(str(folder), "HERE")
    return status, _without_costs(json.loads(text)) if text.startswith("{") else text, errors.read_text()


def _without_costs(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_costs(member) for name, member in value.items() if name not in _COSTS}
    return [_without_costs(member) for member in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, ("symag", "check", COUNTER, "--property", "0", "--certificate", "HERE/", "--json")),
        (10, ("symag", "check", COUNTER, "--property", "1", "--trace", "HERE/", "--json")),
        (0, ("symag", "info", COUNTER, "--reachable", "--json")),
        (0, ("symag", "info", str(ROOT / "models" / "lpts" / "client_server3.nm"), "--json")),
        (2, ("symag", "check", COUNTER, "--method", "nothing", "--json")),
        (2, ("symag", "check", COUNTER, "--nothing")),
        (2, ("symag", "check", COUNTER, "--property", "nothing", "--json")),
        (3, ("symag", "check", "missing.smv", "--json")),
        (0, ("symag.suites.listing", COUNTER)),
        (3, ("symag.suites.listing", "missing.smv")),
    ],
)
def test_a_fork_answers_as_a_new_process(tmp_path: Path, status: int, words: tuple[str, ...]) -> None:
    ended, output, errors = answer(forked, tmp_path / "fork", *words)
    assert (ended, bool(output or errors)) == (status, True)
    assert (ended, output, errors) == answer(python_command, tmp_path / "new", *words)


@pytest.mark.parametrize(("jobs", "imported"), [(7, False), (8, True)])
def test_many_jobs_share_the_imports(jobs: int, imported: bool) -> None:
    program = f"""
import sys
from symag.cli.forks import import_for
import_for(["m.smv", "m.nm"], {jobs})
print(all(name in sys.modules for name in {_NEEDED!r}), "symag.lts.checking.check" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"{imported} False\n"


def test_what_the_caller_has_mapped_is_not_the_jobs_memory(tmp_path: Path) -> None:
    """A table of decision diagrams maps gigabytes that it does not use."""
    errors = tmp_path / "errors"
    with mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE):
        command = forked("symag", "check", COUNTER, "--json")
        limits = JobLimits(60, memory=1000)
        job = SupervisedCommand(command, limits, str(tmp_path / "output"), str(errors), lambda end: end)
        assert job.result().status == 10, errors.read_text()


def test_a_batch_starts_no_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "posix_spawn")
    output = tmp_path / "results.sqlite"
    assert run(["batch", COUNTER, "--output", str(output), "--quiet"]) == 0
    with Results(output, writing=False) as results:
        assert {row.outcome.verdict for row in results.rows()} == {"holds", "violated"}


_NEEDED = (
    "symag.cli.check",
    "symag.cli.info",
    "symag.smv.certify.assume_guarantee",
    "symag.lpts.checking.check",
    "dd.cudd",
)
