"""NuSMV and ABC for comparison: measured if they are on PATH, else the seconds recorded with the suites."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.measuring.measure import NOT_REPEATED, Decision, Run, run

#: Commands after ``read_model`` for each setting of NuSMV.
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "plain": (),
    "-dynamic": ("set dynamic_reorder 1",),
    "-coi -dynamic": ("set cone_of_influence 1", "set dynamic_reorder 1"),
    "backward": ("set cone_of_influence 1", "set dynamic_reorder 1"),
}
#: ABC's commands for each setting; ``&r`` reads latches without a reset rightly, ``fold`` does away with constraints.
ABC_SETTINGS: Mapping[str, str] = {"pdr": "fold; pdr", "scorr+pdr": "fold; scorr; pdr"}
_VERDICT = re.compile(r"^-- (?:invariant|specification) (?P<text>.*?)\s+is (?P<value>true|false)$", re.MULTILINE)


def nusmv() -> str | None:
    """The path of NuSMV, or None."""
    return shutil.which("NuSMV")


def check_invariants(program: str, path: Path, setting: str, timeout: float, repeat: int) -> Decision:
    """NuSMV's ``check_invar`` on a model with one INVARSPEC; CPU time of reading, building and deciding."""
    search = "check_invar -s backward" if setting == "backward" else "check_invar -s forward"
    runs: list[Run] = []
    while len(runs) < repeat and (not runs or runs[0].seconds < NOT_REPEATED):
        runs.append(_nusmv(program, path, setting, search, timeout))
    seconds = statistics.median(item.seconds for item in runs)
    answers = _VERDICT.findall(runs[0].output)
    if not answers:
        return Decision("unknown", seconds, "timeout" if runs[0].stopped else "failed")
    return Decision(
        "holds" if answers[0][1] == "true" else "violated", seconds, method=f"NuSMV {setting}", certified=True
    )


def invariant_verdicts(program: str, path: Path, setting: str, timeout: float) -> tuple[float, list[str]]:
    """CPU seconds of one run over all INVARSPECs of a model, and the verdicts in the order of NuSMV's answers."""
    search = "check_invar -s backward" if setting == "backward" else "check_invar -s forward"
    done = _nusmv(program, path, setting, search, timeout)
    return done.seconds, [_word(value) or "" for _, value in _VERDICT.findall(done.output)]


def abc() -> str | None:
    """The path of ABC, or None."""
    return shutil.which("abc")


def abc_prove(program: str, path: Path, setting: str, timeout: float, repeat: int) -> Decision:
    """ABC's answer to an AIGER file with one bad literal; CPU time of reading and deciding."""
    command = [program, "-c", f"&r {path}; &put; {ABC_SETTINGS[setting]}"]
    runs: list[Run] = []
    while len(runs) < repeat and (not runs or runs[0].seconds < NOT_REPEATED):
        runs.append(run(command, timeout, True))
    seconds = statistics.median(item.seconds for item in runs)
    output = runs[0].output
    verdict = "violated" if "was asserted in frame" in output else "holds" if "Property proved" in output else "unknown"
    reason = None if verdict != "unknown" else "timeout" if runs[0].stopped else "failed"
    return Decision(verdict, seconds, reason, f"ABC {setting}", certified=verdict != "unknown")


def verdicts(program: str, path: Path, timeout: float) -> dict[str, str]:
    """NuSMV's verdict for each CTL and INVARSPEC property that it decides, by the property's text."""
    done = run([program, "-coi", "-dynamic", "-dcx", str(path)], timeout)
    return {text: _word(value) or "" for text, value in _VERDICT.findall(done.output)}


def best_batch(program: str, path: Path, timeout: float) -> float | None:
    """CPU seconds of NuSMV's batch mode in the best of its three settings, None if it ends in none of them."""
    runs = [
        run([program, *options, "-dcx", str(path)], timeout) for options in ((), ("-dynamic",), ("-coi", "-dynamic"))
    ]
    return min((done.seconds for done in runs if done.status == 0), default=None)


def reach(program: str, path: Path, setting: str, timeout: float) -> float | None:
    """CPU seconds of NuSMV's building and forward reachability, None when stopped or failed.

    With -coi NuSMV builds the whole model only if that is forced. Its status is 0 too where a command fails and it
    leaves out the rest.
    """
    done = _nusmv(program, path, setting, "build_model -f\ncompute_reachable", timeout)
    return None if done.stopped or done.status != 0 or "aborting 'source" in done.errors else done.seconds


def recorded(folder: Path) -> dict[str, dict[str, Any]]:
    """The seconds recorded with the suites, by model: nusmv settings, backward and ABC; empty if there are none."""
    answers: dict[str, dict[str, Any]] = {}
    paper, coupled = folder / "paper-verdicts.json", folder / "coupled-times.json"
    if paper.is_file():
        for name, entry in json.loads(paper.read_text())["models"].items():
            by_setting = entry.get("nusmv", {})
            verdicts = {item["verdict"] for item in by_setting.values()} & {"true", "false"}
            answers[name] = {
                "plain": _seconds(by_setting.get("static")),
                "-dynamic": _seconds(by_setting.get("dyn")),
                "-coi -dynamic": _seconds(by_setting.get("coi/dyn") or by_setting.get("coi/static")),
                "pdr": str(entry.get("abc_pdr_s", "-")),
                "verdict": _word(min(verdicts, default=entry.get("paper_verdict"))),
            }
    if coupled.is_file():
        for name, entry in json.loads(coupled.read_text())["models"].items():
            answers[name] = {
                "-coi -dynamic": str(entry.get("nusmv_coi_dyn", "-")),
                "backward": str(entry.get("nusmv_backward", "-")),
                "pdr": str(entry.get("pdr", "-")),
                "scorr+pdr": str(entry.get("scorr_pdr", "-")),
                "verdict": "holds",
            }
    return answers


def _nusmv(program: str, path: Path, setting: str, last: str, timeout: float) -> Run:
    commands = [
        f"read_model -i {path}",
        "flatten_hierarchy",
        *SETTINGS[setting],
        "encode_variables",
        "build_model",
        last,
        "quit",
    ]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "commands"
        script.write_text("\n".join(commands) + "\n")
        return run([program, "-dcx", "-source", str(script)], timeout, True)


def _seconds(entry: Mapping[str, Any] | None) -> str:
    if entry is None:
        return "-"
    stopped = entry["verdict"] not in ("true", "false")
    return f"> {entry['cpu_s']:.0f}" if stopped else f"{entry['cpu_s']:.2f}"


def _word(value: str | None) -> str | None:
    return {"true": "holds", "false": "violated"}.get(value or "")
