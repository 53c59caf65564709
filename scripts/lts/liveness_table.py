"""Progress and assertions by ``agar`` beside ``monolithic`` and ``reduce``, at growing sizes.

    python -m scripts.lts.liveness_table [--cases diners,buffer,..] [--timeout 20]
    python -m scripts.lts.liveness_table --suite [--timeout 10]

The systems are written here; their size is the number of processes of a kind. A cell is the CPU seconds of the whole
command, start and re-check included, and MiB of the largest process; ``>20`` is out of time, ``-`` not run, as the
method did not decide a smaller system. ``reduce`` decides progress only. Beside agar's cells stand its classes, all
parts together, and the states of the parts; and the states of the composition, where monolithic decides.

``--suite`` takes the progress properties and assertions of LTSA's examples (SYMAG_SUITES), default progress where there
are none of both, and compares the verdicts; ``--timeout`` is in CPU seconds of each process then. A cell is the CPU
seconds of one command about one composite, and how many of its questions were decided. Rows are printed where a method
takes more than a start, or methods decide different numbers of questions. Exit status 1: verdicts differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.measuring.measure import Decision, check, suites
from symag.lts import read

METHODS = ("agar", "monolithic", "reduce")
#: A composite of the examples on which no method takes longer is not shown, if all methods decide the same questions.
_START = 2.0
#: MiB of each process, for the examples.
_MEMORY = 2000
_DINERS = """
const N = {size}
FORK = (get -> put -> FORK).
PHIL = (think -> left.get -> right.get -> eat -> left.put -> right.put -> PHIL).
LEFT = (think -> right.get -> left.get -> eat -> left.put -> right.put -> LEFT).
||S = (p[0]:LEFT || forall[i:1..N-1] p[i]:PHIL || forall[i:0..N-1] {{p[i].left, p[(i+N-1)%N].right}}::FORK).
progress P = {{p[1].eat}}
assert A = [](p[1].left.get -> <>p[1].eat)
"""
_BUFFER = """
const N = {size}
CELL = (put -> check -> STORED), STORED = (get -> clean -> CELL).
SENDER = (prepare -> send -> in -> SENDER).
RECEIVER = (out -> think -> receive -> RECEIVER).
||S = (SENDER || RECEIVER || forall [i:1..N] c[i]:CELL)
    /{{in/c[1].put, forall [i:1..N-1] {{move[i]/{{c[i].get, c[i+1].put}}}}, out/c[N].get}}.
progress P = {{receive}}
assert A = [](send -> <>receive)
"""
_CLIENTS = """
const N = {size}
CLIENT = (think -> request -> grant -> use -> release -> CLIENT).
SERVER = (c[i:1..N].request -> c[i].grant -> c[i].release -> SERVER).
||S = (forall [i:1..N] c[i]:CLIENT || SERVER).
progress P = {{c[1].use}}
assert A = [](c[1].request -> <>c[1].release)
"""
_RETRY = """
const N = {size}
SENDER = (send -> TRY), TRY = (data -> WAIT), WAIT = (ack -> SENDER | timeout -> TRY).
LINK = (put -> (get -> LINK | lose -> LINK)).
RECEIVER = (arrive -> (deliver -> reply -> RECEIVER)).
PAIR = PAIR0, PAIR0 = (data -> PAIR0).
||CHANNEL = (LINK/{{data/put, arrive/get}} || LINK/{{reply/put, ack/get}}).
||LANE = (SENDER || CHANNEL || RECEIVER).
CLOCK = (lane[i:1..N].send -> CLOCK).
||S = (forall [i:1..N] lane[i]:LANE || CLOCK).
progress P = {{lane[1].deliver}}
assert A = []<>lane[1].deliver
"""
_TOKEN = """
const N = {size}
STATION(F=0) = if F then HOLDING else IDLE,
IDLE = (work -> IDLE | take -> HOLDING),
HOLDING = (use -> tidy -> PASSING | pass -> IDLE), PASSING = (pass -> IDLE).
||S = (forall [i:0..N-1] s[i]:STATION(i==0))/{{forall [i:0..N-1] {{pass[i]/{{s[i].pass, s[(i+1)%N].take}}}}}}.
progress P = {{s[1].use}}
assert A = []<>s[1].use
"""
_FAILING = """
const N = {size}
CLIENT = (think -> request -> grant -> use -> release -> CLIENT | think -> leave -> STOP).
SERVER = (c[i:1..N].request -> c[i].grant -> c[i].release -> SERVER).
||S = (forall [i:1..N] c[i]:CLIENT || SERVER).
progress P = {{c[1].use}}
assert A = []<>c[1].use
"""
#: The text and the sizes of each study.
STUDIES: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "diners": (_DINERS, (4, 6, 8, 10)),
    "buffer": (_BUFFER, (4, 6, 8, 10, 14)),
    "clients": (_CLIENTS, (4, 8, 12, 16, 24)),
    "retry": (_RETRY, (1, 2, 3, 4)),
    "token": (_TOKEN, (4, 8, 12, 16)),
    "leaving": (_FAILING, (4, 8, 12)),
}
_KINDS = {"P": "progress", "A": "assert"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One answer; ``seconds`` is CPU time, ``verdict`` None if it or its re-check did not finish."""

    verdict: str | None
    seconds: float
    memory: float
    statistics: Mapping[str, Any]


def cell(path: Path, key: str, method: str, timeout: float) -> Cell:
    """The answer to one property by one method."""
    command = [sys.executable, "-m", "symag", "check", str(path), "--property", key, "--method", method, "--json"]
    command += ["--timeout", str(timeout)]
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    (result,) = json.loads(done.stdout)["results"]
    # A wrong proof is refused, so a verdict that is not certified is one whose re-check did not finish.
    verdict = result["verdict"] if result["certified"] else None
    return Cell(verdict, seconds, result["statistics"].get("memory_mib", 0.0), result["statistics"])


def _text(answer: Cell | None) -> str:
    if answer is None:
        return "-"
    return f"{answer.seconds:.2f} {answer.memory:.0f}" if answer.verdict is not None else f">{answer.seconds:.0f}"


def studied(cases: Sequence[str], timeout: float, folder: Path) -> Iterator[str]:
    """The rows of the studies."""
    heads = f"{'agar':>11}{'monolithic':>12}{'reduce':>11}"
    yield f"{'case':9}{'k':>3} {'kind':9}{heads}  verdict   classes of states, product"
    for case in cases:
        text, sizes = STUDIES[case]
        tried = {key: list(METHODS if key == "P" else METHODS[:2]) for key in _KINDS}
        for size in sizes:
            path = folder / f"{case}{size}.lts"
            path.write_text(text.format(size=size))
            for key, kind in _KINDS.items():
                answers = {method: cell(path, key, method, timeout) for method in tried[key]}
                tried[key] = [method for method in tried[key] if answers[method].verdict is not None]
                verdicts = {answer.verdict for answer in answers.values() if answer.verdict is not None}
                if len(verdicts) > 1:
                    raise SystemExit(f"WRONG: {path.name}, {key}: {verdicts}")
                by_parts = answers["agar"].statistics if "agar" in answers else {}
                whole = answers["monolithic"].statistics if "monolithic" in answers else {}
                sizes_shown = f"{by_parts.get('assumption_states', '-')} of {by_parts.get('part_states', '-')}"
                cells = [_text(answers.get(method)) for method in METHODS]
                yield (
                    f"{case:9}{size:>3} {kind:9}{cells[0]:>11}{cells[1]:>12}{cells[2]:>11}  "
                    f"{''.join(sorted(verdicts)) or 'none':9} {sizes_shown}, "
                    f"{by_parts.get('largest_lts_states', '-')} of {whole.get('states', '-')}"
                )


#: The answers of the methods to the questions of one kind about a composite, in the order of the questions.
Answers = Mapping[str, list[Decision]]


def examples(timeout: float) -> Iterator[str]:
    """A row for each composite on which a method takes long or not all decide the same questions, and sums."""
    counts: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    folder = suites().parent / "fsp" / "ltsa"
    heads = "".join(f"{method:>13}" for method in METHODS)
    yield f"{'file':46}{'composite':20}{'kind':9}{heads}  reason of agar"
    for path in sorted(folder.rglob("*.lts")):
        for target in read(str(path)).targets:
            for kind, methods in (("progress", METHODS), ("assert", METHODS[:2])):
                answers = _answers(path, target, kind, methods, timeout)
                if answers is None:
                    continue
                decided = {method: sum(cell.known for cell in cells) for method, cells in answers.items()}
                for method in methods:
                    counts[f"{kind}, {method}"] += decided[method]
                counts[f"{kind}, questions"] += len(answers["agar"])
                seconds = {method: cells[0].seconds for method, cells in answers.items()}
                if min(decided.values()) == len(answers["agar"]):
                    sums.update({f"{kind}, {method}": spent for method, spent in seconds.items()})
                if len(set(decided.values())) > 1 or max(seconds.values()) > _START:
                    cells = (
                        f"{seconds[m]:.2f} {decided[m]}/{len(answers[m])}" if m in seconds else "" for m in METHODS
                    )
                    reason = (
                        next(
                            (cell.reason for cell in answers["agar"] if not cell.known),
                            "",
                        )
                        or ""
                    )
                    columns = "".join(f"{cell:>13}" for cell in cells)
                    yield f"{path.relative_to(folder).as_posix():46}{target:20}{kind:9}{columns}  {reason}".rstrip()
    yield ""
    yield "decided: " + ", ".join(f"{what} {count}" for what, count in counts.items())
    yield "seconds, where all decide: " + ", ".join(f"{what} {spent:.1f}" for what, spent in sums.items())


def _answers(path: Path, target: str, kind: str, methods: Sequence[str], timeout: float) -> Answers | None:
    """None if there are no such questions about the composite."""
    answers: dict[str, list[Decision]] = {}
    texts: list[str] = []
    for method in methods:
        options = [
            "--property",
            kind,
            "--method",
            method,
            "--target",
            target,
            "--memory",
            str(_MEMORY),
        ]
        entries = check(path, options, timeout, processor=True)
        if (entries[0][1].reason or "").startswith("symag: no property"):
            return None
        answers[method] = [decision for _, decision in entries]
        if len(entries) > len(texts):
            texts = [entry["text"] for entry, _ in entries]
        assert all(cell.certified for cell in answers[method] if cell.known), (
            path,
            target,
            method,
        )
    for method, decisions in answers.items():
        if len(decisions) < len(texts):  # the whole command was stopped
            answers[method] = decisions * len(texts)
    for text, *cells in zip(texts, *answers.values(), strict=True):
        verdicts = {cell.verdict for cell in cells if cell.known}
        if len(verdicts) > 1:
            raise SystemExit(f"WRONG: {path.name} {target} {text}: {verdicts}")
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(STUDIES), help="which systems")
    parser.add_argument("--suite", action="store_true", help="LTSA's examples instead")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for each method (default 20)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = examples(given.timeout) if given.suite else studied(given.cases.split(","), given.timeout, Path(folder))
        for row in rows:
            print(row, flush=True)


if __name__ == "__main__":
    main()
