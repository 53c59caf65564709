"""The public NuSMV models: our verdicts against NuSMV's recorded ones, and build plus reachability in CPU time.

    python scripts/nusmv_suite.py verdicts [--method auto] [--models msi,guidance] [--timeout 60]
    python scripts/nusmv_suite.py reachability [--models msi,guidance] [--timeout 60]

``verdicts`` decides every propositional ``AG p`` and INVARSPEC; properties are matched by their text, never
by position. ``reachability`` compares the CPU time of ``symag info --reachable`` with NuSMV's on the models
where NuSMV's best setting takes 0.2 to 60 s, and prints the geometric mean of the ratios; NuSMV is measured
when it is on PATH, else its recorded seconds are used. Exit status 20 when a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import peers
from measure import SYMAG, check, run, say, seconds_text, suites, table

LEAST, MOST = 0.2, 60.0


def verdicts(models: Mapping[str, Any], folder: Path, given: argparse.Namespace) -> int:
    """Prints a row for every property that differs or stays undecided, and a summary; 20 if one is wrong."""
    rows: list[list[str]] = []
    counts = dict.fromkeys(("agree", "wrong", "unknown", "new", "not certified"), 0)
    for name, entry in models.items():
        wanted = {each["formula"] for each in entry["properties"] if "AG_propositional" in each}
        wanted |= {each["formula"] for each in entry["properties"] if each["type"] == "Invar"}
        if not wanted:
            continue
        known = {text: {"true": "holds", "false": "violated"}.get(value) for _, text, value in entry["verdicts"]}
        options = ["--method", given.method]
        texts = _indices(folder / name, given.timeout)
        missing = sorted(wanted - set(texts))
        for text in missing:
            rows.append([name, known.get(text) or "?", "NOT FOUND", "-", text[:70]])
        chosen = [option for text in sorted(wanted & set(texts)) for option in ("--property", str(texts[text]))]
        if not chosen:
            continue
        for item, decision in check(folder / name, [*options, *chosen], given.timeout):
            expected = known.get(item["text"])
            if not decision.known:
                outcome = "unknown"
            elif expected is None:
                outcome = "new"
            else:
                outcome = "agree" if decision.verdict == expected else "wrong"
            counts[outcome] += 1
            counts["not certified"] += decision.known and not decision.certified
            if outcome != "agree":
                ours = decision.verdict if decision.known else decision.reason or "unknown"
                mark = "WRONG " if outcome == "wrong" else ""
                seconds = seconds_text(decision, given.timeout)
                rows.append([name, expected or "?", f"{mark}{ours[:60]}", seconds, item["text"][:70]])
        say(f"{name}: {counts}")
    print(f"Method {given.method}, limit {given.timeout:g} s of wall time a property. Properties that do not agree:\n")
    print(table(["model", "NuSMV", "symag", "CPU s", "property"], rows))
    print("\n" + ", ".join(f"{count} {word}" for word, count in counts.items()))
    return 20 if counts["wrong"] else 0


def _indices(path: Path, timeout: float) -> dict[str, int]:
    """The index of each property of a model by its text; empty if symag cannot read the model."""
    done = run([*SYMAG, "info", str(path), "--json"], timeout)
    try:
        return {each["text"]: each["index"] for each in json.loads(done.output)["properties"]}
    except (json.JSONDecodeError, KeyError):
        return {}


def reachability(models: Mapping[str, Any], folder: Path, given: argparse.Namespace) -> int:
    """Prints CPU seconds of both tools and the geometric mean of the ratios."""
    program = peers.nusmv()
    rows: list[list[str]] = []
    logarithms: list[float] = []
    for name, entry in models.items():
        recorded = {
            setting: phase["reach"]["cpu_s"]
            for setting, phase in entry.get("phases", {}).items()
            if "cpu_s" in phase.get("reach", {})
        }
        if not recorded or not LEAST <= min(recorded.values()) <= MOST:
            continue
        if program:
            measured = [peers.reach(program, folder / name, each, given.timeout) for each in ("plain", "-dynamic")]
            theirs = min((each for each in measured if each is not None), default=None)
        else:
            theirs = min(recorded.values())
        done = run([*SYMAG, "info", str(folder / name), "--reachable", "--json"], given.timeout)
        try:
            states = str(json.loads(done.output)["reachable_states"])
        except (json.JSONDecodeError, KeyError):
            states = "-"
        ours = None if done.stopped or states == "-" else done.seconds
        ratio = ours / theirs if ours is not None and theirs else None
        if ratio is not None:
            logarithms.append(math.log(ratio))
        cells = [f"{each:.2f}" if each is not None else f"> {given.timeout:g}" for each in (ours, theirs, ratio)]
        if ratio is None:
            cells[2] = "-"
        rows.append([name, *cells, states[:24], str(entry.get("reachable", "-"))])
        say(" ".join(rows[-1]))
    source = "measured" if program else "recorded"
    print(f"Build plus reachability, CPU seconds of the whole process; NuSMV's better of two settings, {source}.\n")
    print(table(["model", "symag", "NuSMV", "ratio", "states", "states (NuSMV)"], rows))
    if logarithms:
        mean = math.exp(sum(logarithms) / len(logarithms))
        print(f"\ngeometric mean of the ratios: {mean:.2f} over {len(logarithms)} of {len(rows)} models")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["verdicts", "reachability"])
    parser.add_argument("--method", default="auto", help="symag's method (default: %(default)s)")
    parser.add_argument("--models", help="only files whose path contains one of these (separated by commas)")
    parser.add_argument("--timeout", type=float, default=60, help="wall seconds (default: 60)")
    given = parser.parse_args()
    folder = suites() / "nusmv"
    record = suites() / "nusmv-verdicts.json"
    if not record.is_file():
        print(f"no suite at {suites()} (SYMAG_SUITES)", file=sys.stderr)
        return 2
    models = json.loads(record.read_text())
    if given.models:
        keys = given.models.split(",")
        models = {name: entry for name, entry in models.items() if any(key in name for key in keys)}
    return (verdicts if given.what == "verdicts" else reachability)(models, folder, given)


if __name__ == "__main__":
    sys.exit(main())
