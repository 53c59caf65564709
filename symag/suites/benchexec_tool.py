"""BenchExec's tool-info module for symag: ``<benchmark tool="symag.suites.benchexec_tool">``.

A task is one model, perhaps with options that choose a property. The answer is ``true`` if every chosen property
holds, ``false`` if one is violated, else ``unknown`` with the reason. BenchExec is not a dependency of symag: it is
installed on machines that use this module.
"""

from __future__ import annotations

from typing import Any

from benchexec.result import RESULT_ERROR, RESULT_FALSE_PROP, RESULT_TRUE_PROP, RESULT_UNKNOWN
from benchexec.tools.template import BaseTool2

_RESULTS = {0: RESULT_TRUE_PROP, 10: RESULT_FALSE_PROP}


class Tool(BaseTool2):  # type: ignore[misc] # BenchExec has no type hints
    """How BenchExec runs symag and reads its answers."""

    def name(self) -> str:
        """The name of the tool in reports."""
        return "symag"

    def executable(self, tool_locator: Any) -> str:
        """The path of the console script."""
        executable: str = tool_locator.find_executable("symag")
        return executable

    def version(self, executable: str) -> str:
        """The version, from ``symag --version``."""
        version: str = self._version_from_tool(executable, line_prefix="symag, version")
        return version

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        """``symag check`` with the given options, under BenchExec's limit of wall time."""
        limit = ["--timeout", f"{rlimits.walltime:g}"] if rlimits.walltime else []
        return [executable, "check", "--quiet", *limit, *options, *task.input_files_or_identifier]

    def determine_result(self, run: Any) -> str:
        """The answer from the exit status (see ``symag.cli.status``); for undecided ones the reason in the output."""
        status = run.exit_code.value
        if status in _RESULTS:
            result: str = _RESULTS[status]
            return result
        if status == 30:
            reasons = [line.partition("unknown (")[2].partition(")")[0] for line in run.output if "unknown (" in line]
            return f"{RESULT_UNKNOWN}({reasons[0]})" if reasons else str(RESULT_UNKNOWN)
        return f"{RESULT_ERROR}(exit status {status})" if status is not None else str(RESULT_ERROR)
