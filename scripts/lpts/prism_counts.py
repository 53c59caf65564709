"""States, choices and transitions of the public PRISM models compared with Storm's, with CPU seconds and memory.

    python -m scripts.lpts.prism_counts [--most STATES] [--seconds N] [--memory MIB] [MODEL ...]

`symag info --json` counts every setting of ../shared/suites/prism/storm-counts.json (or SYMAG_SUITES) with at most
--most states, or those whose name contains MODEL, in a process of its own under the limits. Exit status 1 if a count
differs or a limit is reached.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from scripts.measuring.measure import SYMAG, run, suites

SUITE = suites().parent / "prism"
COUNTED = ("states", "choices", "transitions", "deadlock_states", "modules")


def counted(record: dict[str, Any], seconds: int, memory: int) -> tuple[dict[str, Any] | None, float, float]:
    """What symag says (None over a limit), CPU seconds and MiB."""
    command = [*SYMAG, "info", str(SUITE / record["model"]), "--json", "--quiet"]
    command += ["--const", record["constants"]] if record["constants"] else []

    ran = run(command, seconds, processor=True, memory=memory)
    return json.loads(ran.output) if ran.status == 0 else None, ran.seconds, ran.memory


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the sizes of PRISM models with Storm's.")
    parser.add_argument("models", nargs="*", help="only settings whose model contains one of these")
    parser.add_argument("--most", type=int, default=1_000_000, help="only settings with at most this many states")
    parser.add_argument("--seconds", type=int, default=60, help="CPU seconds for each setting")
    parser.add_argument("--memory", type=int, default=4096, help="MiB")
    arguments = parser.parse_args()
    records = json.loads((SUITE / "storm-counts.json").read_text())["results"]
    chosen = [
        record_
        for record_ in records
        if record_["states"] <= arguments.most
        and (not arguments.models or any(name in record_["model"] for name in arguments.models))
    ]
    wrong = 0
    print(f"{'model':24} {'constants':40} {'states':>9} {'choices':>9} {'transitions':>11} {'CPU s':>7} {'MiB':>6}")
    for record in chosen:
        counts, spent, peak = counted(record, arguments.seconds, arguments.memory)
        remark = "limit" if counts is None else "" if all(counts[key] == record[key] for key in COUNTED) else "DIFFERS"
        wrong += remark != ""
        sizes = f"{record['states']:9} {record['choices']:9} {record['transitions']:11}"
        name = record["model"].rpartition("/")[2]
        print(f"{name:24} {record['constants']:40} {sizes} {spent:7.1f} {peak:6.0f} {remark}", flush=True)
    print(f"{len(chosen) - wrong} of {len(chosen)} settings have Storm's counts within {arguments.seconds} s of CPU")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
