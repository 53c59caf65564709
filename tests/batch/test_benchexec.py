"""BenchExec runs symag: its own machinery makes the command line and reads the answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("benchexec")

from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

from symag.suites.benchexec_tool import Tool

MODELS = Path(__file__).resolve().parent.parent.parent / "models"


def answer(tool: Tool, model: Path, options: list[str], walltime: float | None = 60) -> str:
    task = BaseTool2.Task.with_files([str(model)])
    limits = BaseTool2.ResourceLimits(walltime=walltime)
    command = tool.cmdline("symag", options, task, limits)
    assert command[0] == "symag"
    done = subprocess.run([sys.executable, "-m", "symag", *command[1:]], capture_output=True, text=True)
    exit_code = ProcessExitCode.create(value=done.returncode)
    output = BaseTool2.RunOutput(done.stdout.splitlines(keepends=True))
    return tool.determine_result(BaseTool2.Run(command, exit_code, output, None))


@pytest.mark.long
def test_answers(tmp_path: Path) -> None:
    tool = Tool()
    assert tool.name() == "symag"
    assert answer(tool, MODELS / "counter.smv", ["--property", "parity_right"]) == "true"
    assert answer(tool, MODELS / "counter.smv", []) == "false"
    assert answer(tool, MODELS / "counter.smv", ["--property", "none"]) == "ERROR(exit status 2)"
    hard = tmp_path / "hard.smv"
    # Neither BDDs nor SAT see in a second that multiplication commutes.
    hard.write_text("MODULE main VAR a : unsigned word[24]; b : unsigned word[24]; INVARSPEC a * b = b * a")
    assert answer(tool, hard, [], walltime=1) == "unknown(timeout)"
