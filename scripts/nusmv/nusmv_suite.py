"""The public NuSMV models: symag's answers, and its CPU time, against NuSMV's recorded ones.

    python -m scripts.nusmv.nusmv_suite verdicts [--method auto] [--models msi,guidance] [--kinds CTL,LTL]
        [--timeout 60]
    python -m scripts.nusmv.nusmv_suite times [--models msi,guidance] [--timeout 60]
    python -m scripts.nusmv.nusmv_suite reachability [--models msi,guidance] [--timeout 60]

``verdicts`` decides every property; properties are matched by their kind and text, never by position.
``times`` compares the CPU time of ``symag check --no-certify`` on all properties of a model with the best of
NuSMV's three settings; ``reachability`` that of ``symag info --reachable`` with NuSMV's. NuSMV is measured
when it is on PATH, else its recorded seconds are used. One model needs m4 with NuSMV's own macros, in the
folders of M4PATH. Exit status 20 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.measuring import peers
from scripts.measuring.measure import SYMAG, check, run, say, seconds_text, suites, table
from scripts.nusmv.nusmv_record import preprocessed
from symag.suites.expectations import key, nusmv_answers, nusmv_properties

LEAST, MOST = 0.2, 60.0
#: Issue 3: at most this many times NuSMV's best setting, plus this many seconds.
FACTOR, EXTRA = 1.5, 0.5


def verdicts(models: Mapping[str, Any], folder: Path, given: argparse.Namespace) -> int:
    """Prints a row for every property that differs or stays undecided, and a summary; 20 if one is wrong."""
    rows: list[list[str]] = []
    counts = dict.fromkeys(("agree", "wrong", "unknown", "new", "not found", "not certified"), 0)
    for name, entry in models.items():
        known = nusmv_answers(entry)
        recorded_keys = [
            nusmv_property
            for nusmv_property in nusmv_properties(entry)
            if given.kinds is None or nusmv_property[0] in given.kinds.split(",")
        ]
        if not recorded_keys:
            continue
        with preprocessed(folder / name) as path:
            indices = _indices(path, given.timeout)
            for kind, text in sorted(set(recorded_keys) - set(indices)):
                counts["not found"] += 1
                rows.append([name, kind, known.get((kind, text), "?"), "NOT FOUND", "-", text[:70]])
            chosen = [
                option
                for value in sorted(set(recorded_keys) & set(indices))
                for option in ("--property", str(indices[value]))
            ]
            if not chosen:
                continue
            decided = check(path, ["--method", given.method, *chosen], given.timeout)
        for item, decision in decided:
            expected = known.get(key(item.get("kind", "?"), item["text"]))
            ours = str(item["value"]) if decision.verdict == "computed" else decision.verdict
            if decision.verdict == "unknown":
                outcome = "unknown"
            elif expected is None:
                outcome = "new"
            else:
                outcome = "agree" if ours == expected else "wrong"
            counts[outcome] += 1
            counts["not certified"] += decision.verdict != "unknown" and not decision.certified
            if outcome != "agree":
                shown = ours if outcome != "unknown" else decision.reason or "unknown"
                mark = "WRONG " if outcome == "wrong" else ""
                seconds = seconds_text(decision, given.timeout)
                rows.append(
                    [name, item.get("kind", "?"), expected or "?", f"{mark}{shown[:60]}", seconds, item["text"][:70]]
                )
        say(f"{name}: {counts}")
    print(f"Method {given.method}, limit {given.timeout:g} s of wall time a property. Properties that do not agree:\n")
    print(table(["model", "kind", "NuSMV", "symag", "CPU s", "property"], rows))
    print("\n" + ", ".join(f"{count} {word}" for word, count in counts.items()))
    return 20 if counts["wrong"] else 0


def _indices(path: Path, timeout: float) -> dict[tuple[str, str], int]:
    """The index of each property of a model by its kind and text; empty if symag cannot read the model."""
    done = run([*SYMAG, "info", str(path), "--json"], timeout)
    try:
        listed = json.loads(done.output)["properties"]
    except (json.JSONDecodeError, KeyError):
        return {}
    return {key(value["kind"], value["text"]): value["index"] for value in listed}


def times(models: Mapping[str, Any], folder: Path, given: argparse.Namespace) -> int:
    """Prints CPU seconds of both tools for all properties of each model, and how many are within the bound."""
    program = peers.nusmv()
    rows: list[list[str]] = []
    logarithms: list[float] = []
    within = decided_by_nusmv = 0
    for name, entry in models.items():
        if not entry["properties"]:
            continue
        with preprocessed(folder / name) as path:
            if program:
                theirs = peers.best_batch(program, path, given.timeout)
            else:
                settings = entry["settings"].values()
                theirs = min((setting["cpu_s"] for setting in settings if setting["status"] == "ok"), default=None)
            command = [*SYMAG, "check", str(path), "--no-certify", "--quiet", "--json", "--timeout", str(given.timeout)]
            done = run(command, given.timeout * 2)
        try:
            undecided = sum(value["verdict"] == "unknown" for value in json.loads(done.output)["results"])
        except (json.JSONDecodeError, KeyError):
            undecided = len(entry["properties"])
        ours = None if done.stopped or undecided else done.seconds
        good = "-"
        if theirs is not None:
            decided_by_nusmv += 1
            good = "yes" if ours is not None and ours <= FACTOR * theirs + EXTRA else "no"
            within += good == "yes"
            if ours is not None and theirs >= LEAST:
                logarithms.append(math.log(ours / theirs))
        ratio = "-" if ours is None or not theirs else f"{ours / theirs:.2f}"
        cells = [f"{value:.2f}" if value is not None else f"> {given.timeout:g}" for value in (ours, theirs)]
        rows.append([name, *cells, ratio, good, str(undecided)])
        say(" ".join(rows[-1]))
    source = "measured" if program else "recorded"
    print(f"All properties, CPU seconds of the whole command; NuSMV's best of three settings, {source}.\n")
    print(table(["model", "symag", "NuSMV", "ratio", f"<= {FACTOR:g}x + {EXTRA:g} s", "undecided"], rows))
    print(f"\n{within} of the {decided_by_nusmv} models that NuSMV decides are within {FACTOR:g}x + {EXTRA:g} s")
    _print_mean(logarithms, f"where both decide and NuSMV needs {LEAST:g} s or more")
    return 0


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
            measured = [peers.reach(program, folder / name, value, given.timeout) for value in ("plain", "-dynamic")]
            theirs = min((value for value in measured if value is not None), default=None)
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
        cells = [f"{value:.2f}" if value is not None else f"> {given.timeout:g}" for value in (ours, theirs, ratio)]
        if ratio is None:
            cells[2] = "-"
        rows.append([name, *cells, states[:24], str(entry.get("reachable", "-"))])
        say(" ".join(rows[-1]))
    source = "measured" if program else "recorded"
    print(f"Build plus reachability, CPU seconds of the whole process; NuSMV's better of two settings, {source}.\n")
    print(table(["model", "symag", "NuSMV", "ratio", "states", "states (NuSMV)"], rows))
    _print_mean(logarithms, f"of {len(rows)} models")
    return 0


def _print_mean(logarithms: list[float], where: str) -> None:
    if logarithms:
        mean = math.exp(sum(logarithms) / len(logarithms))
        print(f"\ngeometric mean of the ratios: {mean:.2f} over {len(logarithms)} {where}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["verdicts", "times", "reachability"])
    parser.add_argument("--method", default="auto", help="symag's method (default: %(default)s)")
    parser.add_argument("--models", help="only files whose path contains one of these (separated by commas)")
    parser.add_argument("--kinds", help="only properties of these kinds: CTL, COMPUTE, LTL, PSL, INVARSPEC")
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
    return {"verdicts": verdicts, "times": times, "reachability": reachability}[given.what](models, folder, given)


if __name__ == "__main__":
    sys.exit(main())
