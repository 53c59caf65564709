"""Decides every AIGER and BTOR2 file below a folder, a line for each, and compares with ABC's ``pdr`` if it is on PATH.

python -m scripts.circuits.aiger_suite FOLDER [--timeout 60] [--processor] [--method auto] [--verdicts FILE.jsonl]
    [--abc] [--decided] [--only TEXT] [--quicker SECONDS]

A file is violated if one of its properties is, and holds if all do. ``--verdicts`` names known answers (lines such as
``{"model": path below the folder, "abc_pdr": "holds", "seconds": 1.2}``); the default is the folder's verdicts.jsonl.
If there is no answer for a file's path, its name without suffix is looked up, so that the answers to AIGER files
serve BTOR2 files of the same designs. ABC runs on AIGER files only. Seconds are CPU seconds of all processes. With
``--processor`` the limit is in CPU seconds of each process, for machines that others use too. Exit status 20 if an
answer differs from a known one or from ABC's.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.measuring import peers
from scripts.measuring.measure import PATIENCE, SYMAG, Run, run

AIGER, BTOR2 = (".aig", ".aag"), (".btor2", ".btor")


def main() -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for a file, of wall time")
    parser.add_argument("--processor", action="store_true", help="each process has --timeout seconds of CPU time")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--abc", action="store_true", help="run ABC too")
    parser.add_argument("--decided", action="store_true", help="only files with a known answer")
    parser.add_argument("--quicker", type=float, default=math.inf, help="files known to be decided in fewer seconds")
    parser.add_argument("--only", default="", help="files whose path contains this text")
    arguments = parser.parse_args()
    known = _known(arguments.verdicts or arguments.folder / "verdicts.jsonl")
    program = peers.abc() if arguments.abc else None
    files = sorted(path for path in arguments.folder.rglob("*") if path.suffix in (*AIGER, *BTOR2))
    counts = {"decided": 0, "certified": 0, "known": 0, "of these": 0, "wrong": 0}
    print(f"{'model':<44} {'known':<9} {'symag':<9} {'by':<24} {'cert':<5} {'seconds':>8} {'peer':>8}")
    for path in files:
        name = path.relative_to(arguments.folder).as_posix()
        if arguments.only not in name:
            continue
        expected, seconds = known.get(name, known.get(path.stem, (None, None)))
        if (arguments.decided and expected is None) or (seconds or 0.0) >= arguments.quicker:
            continue
        if program is not None and path.suffix in AIGER:
            expected, seconds = _abc(program, path, arguments.timeout)
        answer = _symag(path, arguments.method, arguments.timeout, arguments.processor)
        wrong = expected is not None and answer["verdict"] in ("holds", "violated") and answer["verdict"] != expected
        decided = answer["verdict"] in ("holds", "violated")
        counts["decided"] += decided
        counts["certified"] += decided and answer["certified"]
        counts["known"] += expected is not None
        counts["of these"] += expected is not None and decided
        counts["wrong"] += wrong
        print(
            f"{name[-44:]:<44} {expected or '-':<9} {answer['verdict']:<9} {answer['methods'][:24]:<24} "
            f"{'yes' if answer['certified'] else 'no':<5} {answer['seconds']:8.2f} "
            f"{'-' if seconds is None else format(seconds, '.2f'):>8}{'  DIFFERS' if wrong else ''}",
            flush=True,
        )
    print(", ".join(f"{word} {number}" for word, number in counts.items()))
    return 20 if counts["wrong"] else 0


def _known(path: Path) -> dict[str, tuple[str | None, float | None]]:
    if not path.is_file():
        return {}
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    named = {entry["model"]: (entry["abc_pdr"], entry["seconds"]) for entry in entries}
    return {Path(model).stem: answer for model, answer in named.items()} | named


def _abc(program: str, path: Path, timeout: float) -> tuple[str | None, float]:
    """ABC's answer to a file: all outputs together, constraints folded in."""
    done = run([program, "-c", f"read {path}; fold; orpos; pdr"], timeout)
    if re.search(r"Property proved|proved the property|is trivially UNSAT", done.output):
        return "holds", done.seconds
    return ("violated" if re.search(r"was asserted in frame|disproved", done.output) else None), done.seconds


def _symag(path: Path, method: str, timeout: float, processor: bool) -> Mapping[str, Any]:
    """What ``symag check`` said before the time of the file ran out."""
    wall = timeout * PATIENCE if processor else timeout
    done: Run = run([*SYMAG, "check", str(path), "--timeout", str(wall), "--method", method], timeout, processor)
    printed_answers = _ANSWER.findall(done.output)
    answer: dict[str, Any] = {"verdict": "unknown", "methods": "", "certified": False, "seconds": done.seconds}
    verdicts = [verdict for verdict, _, _ in printed_answers]
    if "is violated" in verdicts:
        answer["verdict"] = "violated"
    elif verdicts and set(verdicts) == {"holds"} and not done.stopped and done.status == 0:
        answer["verdict"] = "holds"
    else:
        answer["methods"] = (
            f"{verdicts.count('holds')} hold" if printed_answers or done.stopped else f"exit {done.status}"
        )
        return answer
    deciding = [printed for printed in printed_answers if printed[0].endswith(answer["verdict"])]
    answer["methods"] = ", ".join(dict.fromkeys(by for _, by, _ in deciding))
    answer["certified"] = all("re-checked" in rest or "replayed" in rest for _, _, rest in deciding)
    return answer


#: Verdict, method and evidence of an answer; a property may have a name, which comes first.
_ANSWER = re.compile(
    r"^     (?:.+? )?(holds|is violated|is unknown)(?: \(.*?\))?: (.+?) in [\d.]+ s(.*)$",
    re.MULTILINE,
)


if __name__ == "__main__":
    sys.exit(main())
