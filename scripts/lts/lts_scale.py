"""Time and memory of the exploration of labelled systems and of its re-check, from 10,000 to 20 million transitions.

    python -m scripts.lts.lts_scale [--most N] [--plot FILE.png] [--states] [--memory MIB] [--progress] [--assertion]

Systems of ours: ``p`` processes that count to ``k - 1`` by themselves and start again together, two and two, so that
all of k to the power of p combinations are reached; a property allows the rounds of the first pair. Each system is
checked by a process of its own, for deadlock and safety (``symag check``); what is printed are its states and
transitions, the CPU seconds of search and re-check, and the larger peak of memory of both. The last column is the CPU
time for a million transitions: growth is linear where it does not grow. ``--states`` takes one system of 24 million
states instead. ``--memory`` is that of ``symag check``: past it the states are in files, whose size is printed too.
``--progress`` asks for progress of the last pair too, for which the transitions are kept; ``--assertion`` for an
assertion about it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

_MODEL = """
const P = {processes}
const K = {values}
COUNTER = COUNT[0], COUNT[i:0..K-1] = (when (i < K-1) step -> COUNT[i+1] | when (i == K-1) again -> COUNTER).
property ROUND = (again[1] -> ROUND).
||SYS = (forall [j:1..P] p[j]:COUNTER/{{again[(j+1)/2]/p[j].again}} || ROUND).
"""
_PROGRESS = "progress LAST = {{again[P/2]}}\n"
_ASSERTION = "assert ANSWERED = [](again[1] -> <>again[P/2])\n"
#: Processes and values: the states are values to the power of processes.
SIZES = ((4, 8), (4, 11), (4, 16), (4, 22), (4, 32), (6, 13))
LARGEST = (6, 17)


def measured(processes: int, values: int, memory: int | None, declared: str) -> dict[str, float]:
    """The figures of one system."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "scale.lts"
        model.write_text((_MODEL + declared).format(processes=processes, values=values))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "symag", "check", str(model), "--method", "monolithic", "--json"]
        command += [] if memory is None else ["--memory", str(memory)]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answers = json.loads(finished.stdout)["results"]
    if not all(answer["verdict"] == "holds" and answer["certified"] for answer in answers):
        raise SystemExit(f"{processes} processes of {values} values: {finished.stdout[:500]}{finished.stderr[:500]}")
    statistics = answers[-1]["statistics"]
    total = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "states": statistics["states"],
        "transitions": statistics["transitions"],
        "search": max(answer["statistics"]["cpu_seconds"] for answer in answers),
        "total": total,
        "memory": after.ru_maxrss / 1024,
        "disk": statistics.get("disk_mib", 0),
    }


def plotted(rows: list[dict[str, float]], path: str) -> None:
    """Both axes of both pictures are logarithmic: what is linear has the slope of the dotted line."""
    from matplotlib.figure import Figure  # an extra

    figure = Figure(figsize=(9, 4), layout="constrained")
    transitions = [row["transitions"] for row in rows]
    for axes, name, unit in zip(figure.subplots(1, 2), ("total", "memory"), ("CPU seconds", "MiB"), strict=True):
        axes.loglog(transitions, [row[name] for row in rows], "o-", label="search and re-check")
        last = rows[-1][name] / transitions[-1]
        axes.loglog(transitions, [last * count for count in transitions], "k:", label="linear")
        axes.set_xlabel("transitions")
        axes.set_ylabel(unit)
        axes.legend()
    figure.savefig(path)


def main() -> int:
    """Print the table, and draw the plot if one is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=20_000_000, help="no system of more transitions (about)")
    parser.add_argument("--plot", metavar="FILE", help="draw time and memory (.png, .svg)")
    parser.add_argument("--states", action="store_true", help="one system of 24 million states")
    parser.add_argument("--memory", type=int, metavar="MIB", help="the limit of memory of each check")
    parser.add_argument("--progress", action="store_true", help="ask for progress too")
    parser.add_argument("--assertion", action="store_true", help="ask for an assertion too")
    given = parser.parse_args()
    chosen = [size for size in SIZES if size[0] * size[1] ** size[0] <= 1.5 * given.most]
    declared = _PROGRESS * given.progress + _ASSERTION * given.assertion
    rows = []
    print("states      transitions  search s  with re-check s  MiB     MiB on disk  s a million transitions")
    for processes, values in [LARGEST] if given.states else chosen:
        row = measured(processes, values, given.memory, declared)
        rows.append(row)
        million = row["total"] / row["transitions"] * 1e6
        shown = f"{row['states']:<11.0f} {row['transitions']:<12.0f} {row['search']:<9.2f} {row['total']:<16.2f}"
        print(f"{shown} {row['memory']:<7.0f} {row['disk']:<12.0f} {million:.2f}", flush=True)
    if given.plot:
        plotted(rows, given.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
