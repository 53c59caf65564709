"""One job in a process of its own, on this machine, started by a worker of a distributed batch.

``python -m symag.suites.alone`` reads a job and its limits as JSON from standard input, runs it, and prints the
outcome as JSON. When its parent dies, it ends together with everything that it started.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from msgspec import convert

from symag.core.limits import JobLimits
from symag.process.kernel import signal_when_parent_dies
from symag.process.pool import supervised
from symag.process.supervision import python_command
from symag.suites.jobs import Job
from symag.suites.run import started
from symag.suites.store import JobOutcome


def run_elsewhere(job: Mapping[str, Any], limits: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """Run a job from any thread of any program, which does not fork. Job and outcome are plain values.

    Relative paths in the job start at ``folder``.
    """
    if not os.path.isdir(folder):
        reason = f"bad input: the worker on {platform.node()} has no folder {folder}"
        return asdict(JobOutcome("unknown", reason=reason))
    # Not a fork, because this process may have threads; the new process supervises.
    done = subprocess.run(
        python_command("symag.suites.alone"),
        cwd=folder,
        input=json.dumps({"job": job, "limits": limits, "parent": os.getpid()}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        return asdict(
            JobOutcome("unknown", reason=f"crashed: the job's supervisor ended with {done.returncode}: {last}")
        )
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def run(job: Job, limits: JobLimits) -> JobOutcome:
    """Run one job and wait for it."""
    with tempfile.TemporaryDirectory(prefix="symag-job-") as folder:
        result: JobOutcome | None = supervised(lambda: started(job, limits, f"{folder}/output", f"{folder}/errors"))
    return result or JobOutcome("unknown", reason="crashed: the job's supervisor was killed")


def main() -> None:
    """Read the request from standard input, run the job, print the outcome."""
    request = json.loads(sys.stdin.read())
    if not signal_when_parent_dies(request["parent"], signal.SIGKILL):
        sys.exit(1)
    print(json.dumps(asdict(run(convert(request["job"], Job), convert(request["limits"], JobLimits)))))


if __name__ == "__main__":
    main()
