"""Prints Table 1 of agar-lpts-2012 with the figures of symag for models/lpts, a line as each cell ends.

    python -m scripts.lpts.simulation_table [--out-timeout 600] [--timeout 120] [--textbook-timeout 60]
        [--memory 8192] [--row NAME]... [--method NAME]... [--wrong] [--record FILE [--resume]]
        [--auto [--orders 3]]

Every cell is one ``symag check``, its answer re-checked by separate code; "Textbook" is the greatest fixed point over
all pairs, the algorithm that the paper describes. Cells that the paper marks "out" get ``--out-timeout`` seconds,
the textbook engine ``--textbook-timeout``, all others ``--timeout``, for the decision and again for its re-check.
"search s" are the method's own CPU seconds, as the answer prints them; "CPU s" are those of the whole command, with
start, reading and re-check; memory in MiB is that of the child process that decides. The paper's are seconds and MB of
a machine of 2008, as printed. Sizes are the paper's / ours.

``--record`` writes each cell as a line of JSON when it ends; ``--resume`` does not run recorded cells again, so that it
continues a killed run. ``--wrong`` uses the specifications that do not hold: every answer must be a tree.
``--auto`` prints another table: the CPU seconds of every method by row, and beside them ``auto``, with its ratio to the
fastest of them; the goal is at most 1.5 times its seconds and half a second. ``--orders`` adds rows with the components
of the system in random orders, which depend on the row alone; ``--method`` leaves columns out. The exit status is 1 if
the goal is missed, or if an answer is not certified or has the wrong verdict.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.measuring.measure import SYMAG, run

MODELS = Path(__file__).resolve().parents[2] / "models" / "lpts"


@dataclass(frozen=True)
class Row:
    """A model, how its components are ordered, and the printed cells.

    ``printed``: |L|, |P|, |L1|, |L2|; then time, memory, |LM| and |AM| of ASym and of ASym-N; time and memory of Mono.
    """

    name: str
    model: tuple[str, ...]
    first: tuple[str, ...]  # the components of L1, for ASym
    order: str  # of the components, for ASym-N
    printed: str


def _clients(n: int) -> tuple[str, ...]:
    return tuple(f"client{k}" for k in range(1, n + 1))


def _row(name: str, n: int, printed: str) -> Row:
    match name:
        case "CS1":
            return Row(f"CS1({n})", ("client_server.py", str(n), "--failing", "one"), ("server",), "server", printed)
        case "CSN":
            model = ("client_server.py", str(n), "--failing", "all")
            return Row(f"CSN({n})", model, _clients(n), ",".join(_clients(n)), printed)
        case "MER":
            return Row(f"MER({n})", ("arbiter.py", str(n)), ("arbiter",), "arbiter", printed)
        case _:
            first = ("channel", *(f"sensor{k}" for k in range(1, n + 1)))
            return Row(f"SN({n})", ("sensors.py", str(n)), first, ",".join(first), printed)


ROWS = (
    _row("CS1", 5, "94 16 36 405 7.2 15.6 182 33 74.0 15.1 182 34 0.2 8.8"),
    _row("CS1", 6, "136 19 49 1215 11.6 22.7 324 41 810.7 21.4 324 40 0.5 12.2"),
    _row("CS1", 7, "186 22 64 3645 37.7 49.4 538 56 out - - - 0.8 17.9"),
    _row("CSN", 2, "34 15 25 9 0.7 7.1 51 7 2.4 6.8 40 25 0.1 5.9"),
    _row("CSN", 3, "184 54 125 16 43.0 63.0 324 12 1.6k 109.6 372 125 14.8 37.9"),
    _row("CSN", 4, "960 189 625 25 out - - - out - - - 1.8k 667.5"),
    _row("MER", 3, "16k 12 278 1728 2.6 19.7 706 7 3.6 14.6 706 7 193.8 458.5"),
    _row("MER", 4, "120k 15 465 21k 15.0 53.9 2k 11 34.7 37.8 2k 11 out -"),
    _row("MER", 5, "841k 18 700 250k out - - - 257.8 65.5 3.3k 16 out -"),
    _row("SN", 1, "462 18 43 32 0.2 6.2 43 3 1.7 8.5 165 6 1.5 27.7"),
    _row("SN", 2, "7860 54 796 32 79.5 112.9 796 3 694.4 171.7 1.4k 21 4.7k 1.3k"),
    _row("SN", 3, "78k 162 7545 32 out - - - 7.2k 528.8 1.4k 21 out -"),
)
METHODS = ("ASym", "ASym-N", "Mono", "Textbook")
#: The columns of ``--auto``: agar with its own choice of parts, and by the paper's form of assumptions, too.
COMPARED = ("ASym", "ASym-N", "agar", "agar joint", "cegar", "Mono", "auto")
#: The goal for auto: this many times the fastest method's seconds, and this many more.
FACTOR, MORE = 1.5, 0.5
#: The sizes of a model, and the names of ours.
SIZES = {"L": "system_states", "P": "specification_states", "L1": "first_states", "L2": "second_states"}
#: What is printed of a cell of the paper: time, memory, |LM| and |AM|; and of ours.
PRINTED = ("paper s", "paper MB", "paper LM", "paper AM")
OURS = (
    "search_seconds",
    "cpu_seconds",
    "memory_mib",
    "largest_composition_states",
    "assumption_states_max",
    "refinements",
)
HEADER = ("model", "method", *SIZES, *PRINTED, "search s", "CPU s", "MiB", "LM", "AM", "refinements", "answer")


def printed_cells(row: Row, method: str) -> list[str]:
    """The paper's time, memory, |LM| and |AM|."""
    cells = row.printed.split()[4:]
    match method:
        case "ASym":
            return cells[:4]
        case "ASym-N":
            return cells[4:8]
        case "Mono":
            return [*cells[8:], "", ""]
        case _:
            return [""] * 4


def arguments(row: Row, method: str) -> list[str]:
    """The arguments of ``symag check`` for a cell."""
    match method:
        case "ASym":
            return ["--method", "agar", "--group", ",".join(row.first), "--order", row.first[0]]
        case "ASym-N":
            return ["--method", "agar-n", "--order", row.order]
        case "Mono":
            return ["--method", "monolithic"]
        case "Textbook":
            return ["--method", "monolithic", "--engine", "textbook"]
        case "agar joint":
            return ["--method", "agar", "--assumptions", "joint"]
        case _:
            return ["--method", method]


def reordered(model: str, order: str) -> str:
    """A model with its modules in a random order, which depends on the text ``order`` alone."""
    pieces = re.split(r"(^module .*?^endmodule$)", model, flags=re.MULTILINE | re.DOTALL)
    random.Random(order).shuffle(modules := pieces[1::2])
    pieces[1::2] = modules
    return "".join(pieces)


def asked(row: Row, method: str, timeout: float, memory: int, wrong: bool, order: int = 0) -> dict[str, Any]:
    """What a cell's ``symag check`` answers, with its CPU seconds; a command that fails is a reason too.

    ``order`` 0 is that of the generator, any other number a random one.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        system, specification = folder / "system.nm", folder / "specification.nm"
        script, *parameters = row.model
        for path, more in ((system, []), (specification, ["--wrong" if wrong else "--specification"])):
            made = subprocess.run(
                [sys.executable, MODELS / script, *parameters, *more], stdout=subprocess.PIPE, text=True, check=True
            )
            path.write_text(reordered(made.stdout, f"{row.name} {order}") if order else made.stdout)
        limits = ["--timeout", str(timeout), "--memory", str(memory)]
        command = [*SYMAG, "check", str(system), "--specification", str(specification), "--json", "-q"]
        # The limits are symag's own; the outer one is for the day they do not hold.
        ran = run([*command, *limits, *arguments(row, method)], 4 * timeout + 60)
        result: dict[str, Any] = {"verdict": "unknown", "reason": f"exit status {ran.status}"}
        try:
            result = json.loads(ran.output)["results"][0]
        except (ValueError, LookupError):
            print(f"{row.name}, {method}: no answer, exit status {ran.status}", file=sys.stderr)
    return {
        "row": row.name,
        "method": method,
        "wrong": wrong,
        "timeout": timeout,
        "verdict": result["verdict"],
        "reason": result["reason"],
        "certified": result.get("certified", False),
        "by": result.get("method"),
        "statistics": {
            **result.get("statistics", {}),
            "search_seconds": result.get("statistics", {}).get("cpu_seconds", 0.0),
            "cpu_seconds": round(ran.seconds, 2),
        },
    }


def line(row: Row, cell: dict[str, Any]) -> str:
    """A cell as a line of the table."""
    method, statistics = cell["method"], cell["statistics"]
    sizes = [
        f"{printed} / {statistics.get(name, '-')}"
        for printed, name in zip(row.printed.split()[:4], SIZES.values(), strict=True)
    ]
    ours = [f"{statistics[name]:.5g}" if name in statistics else "" for name in OURS]
    if cell["verdict"] == "unknown":
        answer = f"{cell['reason']} at {cell['timeout']:g} s"
    else:
        answer = f"{cell['verdict']}, {'certified' if cell['certified'] else 'NOT certified'}"
    return "| " + " | ".join([row.name, method, *sizes, *printed_cells(row, method), *ours, answer]) + " |"


def known_cells(record: Path, wrong: bool) -> dict[tuple[str, str], dict[str, Any]]:
    """The cells of a record; its last line may be half written."""
    result: dict[tuple[str, str], dict[str, Any]] = {}
    for text in record.read_text().splitlines() if record.exists() else ():
        try:
            cell = json.loads(text)
        except ValueError:
            continue
        if cell["wrong"] == wrong:
            result[cell["row"], cell["method"]] = cell
    return result


def compared(row: Row, order: int, methods: Sequence[str], timeout: float, memory: int, wrong: bool) -> bool:
    """Prints a row of the other table; whether ``auto`` meets the goal, and no answer is wrong."""
    cells = {method: asked(row, method, timeout, memory, wrong, order) for method in methods}
    expected = "violated" if wrong else "holds"
    seconds = {method: cell["statistics"]["cpu_seconds"] for method, cell in cells.items()}
    right = {method for method, cell in cells.items() if cell["certified"] and cell["verdict"] == expected}
    mistaken = [method for method, cell in cells.items() if cell["verdict"] != "unknown" and method not in right]
    best = min(right - {"auto"}, key=lambda method: seconds[method], default="auto")
    mib = [f"{cells[method]['statistics'].get('memory_mib', 0):.0f}" for method in (best, "auto")]
    texts = [f"{seconds[method]:.2f}" if method in right else f"> {timeout:g}" for method in methods]
    ratio = seconds["auto"] / seconds[best]
    met = "auto" in right and seconds["auto"] <= FACTOR * seconds[best] + MORE and not mistaken
    name = f"{row.name}, order {order}" if order else row.name
    print("| " + " | ".join([name, *texts, str(cells["auto"]["by"]), best, *mib, f"{ratio:.2f}"]) + " |", flush=True)
    if not met:
        print(
            f"{name}: auto misses the goal{', not certified: ' if mistaken else ''}{', '.join(mistaken)}",
            file=sys.stderr,
        )
    return met


def auto_table(
    rows: Sequence[Row], orders: int, methods: Sequence[str], timeout: float, memory: int, wrong: bool
) -> int:
    """Prints the CPU seconds of every method beside those of ``auto``; the exit status."""
    header = ("model", *methods, "auto is", "best", "MiB of best", "MiB of auto", "auto / best")
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header), flush=True)
    met = [compared(row, order, methods, timeout, memory, wrong) for row in rows for order in range(orders + 1)]
    print(f"\n{sum(met)} of {len(met)} rows within {FACTOR:g} times the best and {MORE:g} s")
    return 0 if all(met) else 1


def main(arguments_given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--out-timeout", type=float, default=600.0)
    parser.add_argument("--textbook-timeout", type=float, default=60.0)
    parser.add_argument("--memory", type=int, default=8192)
    parser.add_argument("--row", action="append", choices=[row.name for row in ROWS])
    parser.add_argument("--method", action="append", choices=tuple(dict.fromkeys((*METHODS, *COMPARED))))
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--auto", action="store_true")
    parser.add_argument("--orders", type=int, default=0)
    given = parser.parse_args(arguments_given)
    if given.resume and given.record is None:
        parser.error("--resume needs --record FILE")
    if given.auto:
        rows = [row for row in ROWS if not given.row or row.name in given.row]
        methods = [method for method in COMPARED if method == "auto" or not given.method or method in given.method]
        return auto_table(rows, given.orders, methods, given.timeout, given.memory, given.wrong)
    known = known_cells(given.record, given.wrong) if given.resume else {}
    if given.record is not None and given.record.exists():
        # After a killed run: what was half written ends here.
        text = given.record.read_text() if given.resume else ""
        given.record.write_text(text if text.endswith("\n") or not text else text + "\n")
    print("| " + " | ".join(HEADER) + " |")
    print("|" + "---|" * len(HEADER), flush=True)
    status = 0
    expected = "violated" if given.wrong else "holds"
    cells = [(row, method) for row in ROWS for method in METHODS]
    for row, method in cells:
        if (given.row and row.name not in given.row) or (given.method and method not in given.method):
            continue
        cell = known.get((row.name, method))
        if cell is None:
            out = printed_cells(row, method)[0] == "out"
            limit = given.out_timeout if out else given.textbook_timeout if method == "Textbook" else given.timeout
            cell = asked(row, method, limit, given.memory, given.wrong)
            if given.record is not None:
                with given.record.open("a") as record:
                    record.write(json.dumps(cell) + "\n")
        print(line(row, cell), flush=True)
        if cell["verdict"] not in (expected, "unknown") or cell["certified"] != (cell["verdict"] == expected):
            print(f"{row.name}, {method}: {cell['verdict']}, certified: {cell['certified']}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
