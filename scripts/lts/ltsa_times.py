"""The 98 examples of LTSA: states, verdicts and CPU seconds of symag and of LTSA.

    python -m scripts.lts.ltsa_times                       # all files, one run each
    python -m scripts.lts.ltsa_times --repeat 3 Golf Philo # medians of three, files whose names contain one of these

One command decides a whole file: deadlock, ERROR, progress and assertions of every composite process.
LTSA itself is a graphical program. If you have a build of it, LTSA_COMMAND (or ``ltsa-check`` on PATH) names a command
that takes the path of a file and does the safety and progress checks of all its composites (DEFAULT if there is
none). Without it the seconds recorded with the suites are shown, and the last line says so.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import shutil
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from scripts.measuring.measure import NOT_REPEATED, SYMAG, Run, run, suites

#: CPU seconds of LTSA on the project's kind of machine, recorded before symag was written.
RECORDED: Mapping[str, float] = {
    "chapter6_lts/DiningPhilosophers.lts": 0.27,
    "chapter9_lts/GolfClubBounded.lts": 36.0,
}


def ltsa() -> list[str] | None:
    """The command that runs LTSA on a file, None if there is none."""
    given_command = os.environ.get("LTSA_COMMAND")
    if given_command:
        return shlex.split(given_command)
    program = shutil.which("ltsa-check")
    return None if program is None else [program]


def median(command: Sequence[str], repeat: int, timeout: float) -> tuple[float | None, Run]:
    """CPU seconds (None: stopped at the limit), and the first run. Long runs are not repeated."""
    runs = [run(command, timeout)]
    while len(runs) < repeat and not runs[0].stopped and runs[0].seconds < NOT_REPEATED:
        runs.append(run(command, timeout))
    return None if runs[0].stopped else statistics.median(item.seconds for item in runs), runs[0]


def judged(targets: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]) -> str:
    """``agrees`` if every composite process has the verdict that LTSA found, else what does not."""
    wrong = []
    for target in targets:
        mine = {result["kind"]: result["verdict"] for result in results if result["target"] == target["name"]}
        expected = target.get("verdict")
        program = {
            "ok": mine.get("deadlock") == mine.get("safety") == "holds",
            "deadlock": mine.get("deadlock") == "violated",
            "violation": mine.get("safety") == "violated",
        }
        if "product" in target and not program.get(str(expected), True):
            wrong.append(f"{target['name']} not {expected}")
    return f"WRONG: {', '.join(wrong)}" if wrong else "agrees"


def states(results: Sequence[Mapping[str, Any]]) -> int:
    """The states of all composite processes together."""
    return sum({result["target"]: int(result["statistics"].get("states", 0)) for result in results}.values())


def shown(seconds: float | None, limit: float) -> str:
    """The seconds, or that the limit was reached."""
    return f"> {limit:.0f}" if seconds is None else f"{seconds:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only files whose path contains one of these")
    parser.add_argument("--repeat", type=int, default=1, help="median of this many runs")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for each run")
    parser.add_argument("--certify", action="store_true", help="have every answer of ours re-checked")
    chosen = parser.parse_args()
    folder = suites().parent / "fsp"
    files = json.loads((folder / "ltsa-verdicts.json").read_text())["files"]
    theirs = ltsa()
    print(f"{'file':46} {'states':>9} {'symag s':>8} {'LTSA s':>8}  verdicts")
    ratios: list[float] = []
    total = wrong = 0
    for name, known in files.items():
        if chosen.names and not any(item in name for item in chosen.names):
            continue
        path = str(folder / "ltsa" / name)
        certify = [] if chosen.certify else ["--no-certify"]
        seconds, first = median([*SYMAG, "check", "--json", "-q", *certify, path], chosen.repeat, chosen.timeout)
        decided = first.status in (0, 10, 30)
        results = json.loads(first.output)["results"] if decided else []
        verdict = judged(known["targets"], results) if decided else "not decided"
        peer = RECORDED.get(name)
        text = "-" if peer is None else f"{peer:.2f}"
        if theirs is not None:
            peer, _ = median([*theirs, path], chosen.repeat, chosen.timeout)
            text = shown(peer, chosen.timeout)
        print(f"{name:46} {states(results):>9} {shown(seconds, chosen.timeout):>8} {text:>8}  {verdict}", flush=True)
        if seconds is not None and peer is not None:
            ratios.append(seconds / peer)
        total += 1
        wrong += verdict != "agrees"
    where = "measured beside" if theirs is not None else "recorded; no LTSA_COMMAND and no ltsa-check on PATH"
    mean = f"{math.exp(statistics.fmean(map(math.log, ratios))):.2f}" if ratios else "-"
    print(f"{total} files, {wrong} that do not agree; LTSA's seconds are {where}; geometric mean symag / LTSA: {mean}")


if __name__ == "__main__":
    main()
