"""Runs the public suite unattended: a batch that is killed once at a random moment, resumed, and reported.

    python -m scripts.batch.run_public_suite SUITES FOLDER [--timeout 60] [--memory 4096] [--jobs 2]

SUITES is a folder with models and verdict files of other tools; ``results.sqlite``, ``report.html``, ``tables/`` and
``batch.log`` are written to FOLDER (outside the repository). The parent of the batch gets SIGKILL after
``--kill-after`` seconds (default: a random number from ``--kill-between``), then ``--resume`` runs the rest.

It prints a summary by formalism. The exit status is 1 if a verdict contradicts an expected one, a job crashed, a
process outlived the batch, a finished job was run twice or a job has no row; else 0.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from symag.suites.store import Results, Row

ROOT = Path(__file__).resolve().parents[2]
#: Every process of the batch inherits this variable, by which those that outlive it are found.
MARK = "SYMAG_PUBLIC_SUITE_RUN"
SECONDS_TO_END = 15.0
FORMALISMS = {".smv": "SMV", ".lts": "FSP", ".aut": "Aldebaran"}


class Run:
    """One batch that may be started several times."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.output = given.folder / "results.sqlite"
        self.log = given.folder / "batch.log"
        self._mark = uuid.uuid4().hex
        limits = ["--timeout", f"{given.timeout:g}", "--memory", str(given.memory), "--jobs", str(given.jobs)]
        self._arguments = ["batch", str(given.suites), "--output", str(self.output), *limits]

    def start(self, *further: str) -> subprocess.Popen[bytes]:
        """The batch's parent process; what it prints goes to the log."""
        command = [sys.executable, "-P", "-m", "symag", *self._arguments, *further]
        environment = {**os.environ, MARK: self._mark, "PYTHONPATH": str(ROOT)}
        with self.log.open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)

    def rows(self) -> dict[str, Row]:
        """Finished jobs by their keys."""
        with Results(self.output, writing=False) as results:
            return {row.key: row for row in results.rows()}

    def orphans(self) -> list[int]:
        """Processes of the batch that still run some seconds after its end."""
        end = time.monotonic() + SECONDS_TO_END
        while (left := list(self._running())) and time.monotonic() < end:
            time.sleep(0.2)
        return left

    def _running(self) -> Iterator[int]:
        mark = f"{MARK}={self._mark}".encode()
        for item in Path("/proc").iterdir():
            if item.name.isdigit():
                try:
                    environment = (item / "environ").read_bytes()
                except OSError:
                    continue
                if mark in environment.split(b"\0"):
                    yield int(item.name)

    def planned(self) -> list[int]:
        """How many jobs each start had before it, from the log."""
        return [int(item) for item in re.findall(r"^(\d+) jobs? to run$", self.log.read_text(), re.MULTILINE)]


def killed(run: Run, seconds: float) -> tuple[dict[str, Row], list[str]]:
    """Start, kill after this many seconds; the rows that were kept, and what went wrong."""
    process = run.start()
    try:
        process.wait(seconds)
        return run.rows(), [f"the batch ended by itself before {seconds:.0f} s: it was not killed"]
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    finally:
        process.terminate()
    orphans = run.orphans()
    kept = run.rows()
    print(f"killed after {seconds:.0f} s with {len(kept)} rows; {len(orphans)} orphans", flush=True)
    return kept, [f"process {orphan} outlived the kill -9" for orphan in orphans]


def resumed(run: Run, kept: dict[str, Row]) -> list[str]:
    """Go on to the end; what went wrong."""
    process = run.start("--resume")
    try:
        status = process.wait()
    finally:
        process.terminate()
    rows = run.rows()
    problems = [f"process {orphan} outlived the batch" for orphan in run.orphans()]
    problems += [
        f"run twice or lost: {row.command}"
        for key, row in kept.items()
        if key not in rows or rows[key].finished != row.finished
    ]
    remaining = run.planned()[-1]
    if len(rows) != len(kept) + remaining:
        problems.append(f"{len(rows)} rows, but {len(kept)} were kept and {remaining} were to run")
    if status not in (0, 20):
        problems.append(f"the batch ended with status {status}; see {run.log}")
    return problems


def crashed(row: Row) -> bool:
    return (row.outcome.reason or "").startswith(("crashed", "internal error", "wrong usage", "exit status"))


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Lines of a table: a formalism each, and the jobs that are bad input."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(FORMALISMS.get(Path(row.job.model).suffix, "PRISM"), []).append(row)
    columns = ("rows", "solved", "certified", "as expected", "wrong", "crashes", "CPU s")
    yield f"{'':10}" + "".join(f"{name:>13}" for name in columns) + "   undecided"
    for name, mine in [*sorted(groups.items()), ("all", list(rows))]:
        solved = [row for row in mine if row.outcome.verdict != "unknown"]
        reasons = Counter((row.outcome.reason or "").partition(":")[0] for row in mine if row not in solved)
        cells = (
            len(mine),
            len(solved),
            sum(row.outcome.certified for row in solved),
            sum(row.job.expected is not None and not row.is_wrong for row in solved),
            sum(row.is_wrong for row in mine),
            sum(map(crashed, mine)),
            round(sum(row.outcome.cpu_seconds for row in mine)),
        )
        undecided = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        yield f"{name:10}" + "".join(f"{cell:13}" for cell in cells) + f"   {undecided}"
    for row in rows:
        if (row.outcome.reason or "").startswith("bad input"):
            yield f"  {row.outcome.reason}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", type=Path, help="folder with models and verdict files")
    parser.add_argument("folder", type=Path, help="where results go; must not hold results yet")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for a job (default: %(default)g)")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for a job (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="this many at a time (default: %(default)s)")
    parser.add_argument("--kill-after", type=float, help="seconds until the parent is killed")
    parser.add_argument("--kill-between", type=float, nargs=2, default=(120.0, 600.0), metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the random moment (default: the clock)")
    given = parser.parse_args()
    given.folder = given.folder.resolve()
    if given.folder.is_relative_to(ROOT):
        parser.error("results stay outside the repository")
    if (given.folder / "results.sqlite").exists():
        parser.error(f"there are results in {given.folder} already")
    given.folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    moment = given.kill_after or random.Random(given.seed).uniform(*given.kill_between)
    run = Run(given)
    kept, problems = killed(run, moment)
    problems += resumed(run, kept)
    report = ["report", str(run.output), "--html", str(given.folder / "report.html"), "--title", "Public suite"]
    tables = ["--csv", str(given.folder / "tables"), "--latex", str(given.folder / "tables")]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "symag", *report, *tables],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 20):
        problems.append(f"the report ended with status {done.returncode}: {done.stderr.strip()}")
    rows = list(run.rows().values())
    for line in summary(rows):
        print(line)
    problems += [
        f"WRONG {row.outcome.answer()}, expected {row.job.expected}: {row.command}" for row in rows if row.is_wrong
    ]
    problems += [f"{row.outcome.reason}: {row.command}" for row in rows if crashed(row)]
    print(f"{time.monotonic() - started:.0f} s; {run.output}, report.html and tables/ beside it")
    print("\n".join(f"PROBLEM: {problem}" for problem in problems) or "no problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
