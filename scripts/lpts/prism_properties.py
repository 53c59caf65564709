"""All quantitative properties of the public PRISM suite: symag's values, whether they are certified, and Storm's.

    python -m scripts.lpts.prism_properties FOLDER [--least N] [--most N] [--seconds N] [--storm PYTHON] [MODEL ...]

FOLDER is a copy of github.com/prismmodelchecker/prism-benchmarks (the properties are its .pctl files; the models and
their settings are those of ../shared/suites/prism/storm-counts.json, or SYMAG_SUITES). Each property of each setting
with --least to --most states, or of those whose name contains MODEL, is one `symag check --json` in a process of its
own; seconds are CPU seconds of all its processes. Storm runs in the Python that has stormpy (without it there is no
comparison), with sound methods and relative precision 1e-6. Exit status 1 if a value differs or is not certified.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from scripts.measuring.measure import ROOT, SYMAG, suites

SUITE = suites().parent / "prism"
_STORM = """
import json, sys, time, stormpy
model, constants, text = sys.argv[1:]
started = time.process_time()
program = stormpy.parse_prism_program(model)
properties = stormpy.parse_properties(text, program)
program, properties = stormpy.instantiate_constants(program, constants, properties)
built = stormpy.build_model[float](program, properties)
result = stormpy.model_checking(built, properties[0], only_initial_states=True)
initial = built.initial_states[0]
value = float(result.get_value(initial)) if hasattr(result, "get_value") else bool(result[initial])
print(json.dumps({"value": value, "seconds": time.process_time() - started}))
"""


@dataclass(frozen=True)
class PropertyFile:
    """One property of one setting of a model."""

    model: Path
    constants: str
    states: int
    file: Path

    @property
    def text(self) -> str:
        lines = [line for line in self.file.read_text().splitlines() if not line.strip().startswith("//")]
        return " ".join(" ".join(lines).split()).rstrip(";").partition(":")[2].strip()


def asked(folder: Path, least: int, most: int, names: list[str]) -> list[PropertyFile]:
    """Every property of every setting, the smallest models first."""
    records = json.loads((SUITE / "storm-counts.json").read_text())["results"]
    questions = []
    for record in sorted(records, key=lambda question: question["states"]):
        model = SUITE / record["model"]
        if not least <= record["states"] <= most or (names and not any(name in str(model) for name in names)):
            continue
        for file in sorted((folder / "models" / "mdps" / model.parent.name).glob("*.pctl")):
            questions.append(PropertyFile(model, record["constants"], record["states"], file))
    return questions


def run(command: list[str], seconds: int) -> tuple[str, str, float]:
    """What a command prints, on both streams, and the CPU seconds of it and its children."""
    before = os.times()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=20 * seconds, env=environment)
        out, err = ran.stdout, ran.stderr
    except subprocess.TimeoutExpired:
        out, err = "", f"stopped after {20 * seconds} s"
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return out, err, spent


def by_symag(question: PropertyFile, seconds: int) -> tuple[dict[str, Any] | None, str, float]:
    """The answer, None with a reason if there is none, and CPU seconds."""
    command = [*SYMAG, "check", str(question.model), "--properties", str(question.file), "--json", "--quiet"]
    command += ["--timeout", str(10 * seconds)]
    command += ["--const", question.constants] if question.constants else []
    out, err, spent = run(command, seconds)
    try:
        document = json.loads(out)
    except ValueError:
        return None, err.strip()[-200:] or "no output", spent
    if "results" not in document:
        return None, document["error"]["message"][:200], spent
    (result,) = document["results"]
    return result, "; ".join(document["warnings"])[:200], spent


def by_storm(question: PropertyFile, python: str, seconds: int) -> tuple[float | bool | None, float]:
    """Storm's value, None if it has none, and its CPU seconds without its start."""
    out, _, spent = run([python, "-c", _STORM, str(question.model), question.constants, question.text], seconds)
    try:
        questions = json.loads(out.splitlines()[-1])
    except (ValueError, IndexError):
        return None, spent
    return questions["value"], questions["seconds"]


def shown(result: dict[str, Any]) -> str:
    """The value as a table shows it."""
    if result["verdict"] != "computed":
        return str(result["verdict"])
    value = result["value"]
    exact = result["bounds"][0] == result["bounds"][1]
    return f"{value:.10g}{'' if exact else '~'}" if isinstance(value, int | float) else str(value)


def agree(result: dict[str, Any], value: float | bool | None) -> bool:
    """Whether Storm's value is symag's, to Storm's precision."""
    if value is None:
        return True
    if isinstance(value, bool):
        return str(result["verdict"]) == ("holds" if value else "violated")
    low, high = (float("inf") if text == "infinity" else float(Fraction(text)) for text in result["bounds"])
    near = 2e-6 * abs(value)
    return low - near <= value <= high + near if value != float("inf") else low == value


def main() -> int:
    parser = argparse.ArgumentParser(description="Quantitative properties of the public PRISM suite, beside Storm.")
    parser.add_argument("folder", type=Path, help="a copy of prism-benchmarks")
    parser.add_argument("models", nargs="*", help="only settings whose model contains one of these")
    parser.add_argument("--least", type=int, default=0, help="only settings with at least this many states")
    parser.add_argument("--most", type=int, default=300_000, help="only settings with at most this many states")
    parser.add_argument("--seconds", type=int, default=60, help="CPU seconds that count as in time")
    parser.add_argument("--storm", help="a Python with stormpy")
    arguments = parser.parse_args()
    questions = asked(arguments.folder, arguments.least, arguments.most, arguments.models)
    if not questions:
        parser.error(f"no property of a setting of that size in {arguments.folder / 'models' / 'mdps'}")
    head = f"{'model':16} {'constants':38} {'states':>7} {'property':15} {'value':>17} {'gap':>8} {'certified':9}"
    print(f"{head} {'CPU s':>6} {'Storm':>17} {'CPU s':>6}")
    good = compared = total = 0
    for question in questions:
        total += 1
        result, reason, spent = by_symag(question, arguments.seconds)
        value, storm_spent = by_storm(question, arguments.storm, arguments.seconds) if arguments.storm else (None, 0.0)
        row = f"{question.model.stem:16} {question.constants:38} {question.states:7} {question.file.stem:15}"
        compared += value is not None
        storm = "-" if value is None else str(value) if isinstance(value, bool) else f"{value:.10g}"
        if result is None or result["verdict"] == "unknown":
            why = reason if result is None else f"{result['reason']} {reason}"
            print(f"{row} {'?':>17} {'':8} {'':9} {spent:6.1f} {storm:>17} {storm_spent:6.1f} {why}", flush=True)
            continue
        gap = result["statistics"].get("gap")
        remark = "" if agree(result, value) else "DIFFERS"
        remark += "" if spent <= arguments.seconds else " slow"
        good += not remark and result["certified"]
        sure = "yes" if result["certified"] else "NO"
        width = "" if gap is None else f"{gap:.1e}"
        print(
            f"{row} {shown(result):>17} {width:>8} {sure:9} {spent:6.1f} {storm:>17} {storm_spent:6.1f} {remark}",
            flush=True,
        )
    print(
        f"{good} of {total} properties are answered and certified, each in {arguments.seconds} s of CPU;"
        f" {compared} are compared with Storm"
    )
    return 0 if good == total else 1


if __name__ == "__main__":
    sys.exit(main())
