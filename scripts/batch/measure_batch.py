"""The cost of a batch beyond its jobs: scheduling and storing trivial jobs, in milliseconds each.

    python -m scripts.batch.measure_batch [--jobs 10000] [--workers 2]

Each job is the program ``true`` in place of symag, under all limits. The figures are the CPU time of the batch itself
(this process: starting supervisors, reading outcomes, SQLite with synchronous=FULL), that of the supervisors and the
jobs, and the wall time, all divided by the number of jobs; and the same for the program alone, started and waited for
without a batch. The difference is the cost of the batch beyond the process itself.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import tempfile
import time
from pathlib import Path

from symag.core.limits import JobLimits
from symag.suites.jobs import Job
from symag.suites.run import Batch
from symag.suites.store import Results


def _nothing(module: str, *arguments: str) -> list[str]:
    """A command that does nothing, instead of that of a job."""
    return [shutil.which("true") or "/bin/true"]


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def alone(count: int) -> float:
    """CPU seconds of starting the program this many times and waiting for it, its own included."""
    program = shutil.which("true") or "/bin/true"
    own, others = time.process_time(), _children()
    for _ in range(count):
        os.waitpid(os.posix_spawn(program, [program], os.environ), 0)
    return time.process_time() - own + _children() - others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=10000, help="how many (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="this many at a time (default: %(default)s)")
    given = parser.parse_args()
    jobs: dict[str, Job] = {f"k{number}": Job(f"m{number}.smv", "0", "INVARSPEC", "p") for number in range(given.jobs)}
    wall, own = time.monotonic(), time.process_time()
    with tempfile.TemporaryDirectory() as folder, Results(Path(folder) / "r.sqlite", writing=True) as results:
        Batch(results, JobLimits(60, 60, 4096), given.workers, launch=_nothing).run(jobs)
        stored = len(results.keys())
    wall, own = time.monotonic() - wall, time.process_time() - own
    others = _children()
    bare = alone(given.jobs)
    print(f"{stored} jobs, {given.workers} at a time; milliseconds a job:")
    figures = {
        "the batch (scheduling and storing), CPU": own,
        "supervisors and jobs, CPU": others,
        "the program alone, CPU": bare,
        "all beyond the program alone, CPU": own + others - bare,
        "wall": wall,
    }
    for name, seconds in figures.items():
        print(f"  {name}: {1000 * seconds / given.jobs:.2f}")


if __name__ == "__main__":
    main()
