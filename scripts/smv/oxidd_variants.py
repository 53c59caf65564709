"""The cost of OxiDD's settings in forward search: worker threads, and the simplification of relations by care sets.

    python -m scripts.smv.oxidd_variants MODEL.smv ... [--timeout 100]

Columns: CPU seconds, and in brackets wall-clock seconds, of ``symag check MODEL --bdd oxidd --method monolithic
--direction forward --no-certify`` unchanged (a relation is intersected with the care set if that makes it smaller),
with relations that are never simplified, with relations that are always intersected, and with two worker threads.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.measuring.measure import run, say, table
from scripts.measuring.measurements import stop_with_children
from symag.bdd.oxidd_context import OxiddContext
from symag.bdd.oxidd_tables import TableSizes
from symag.cli.main import run as symag


def _as_it_is() -> None:
    pass


def _never_simplified() -> None:
    OxiddContext.restrict = lambda self, diagram, care: diagram  # type: ignore[method-assign]


def _always_simplified() -> None:
    OxiddContext.restrict = lambda self, diagram, care: diagram & care  # type: ignore[method-assign]


def _two_threads() -> None:
    made = TableSizes.manager

    def manager(self: TableSizes, make: Any) -> Any:
        return made(self, lambda nodes, cache, _: make(nodes, cache, 2))

    TableSizes.manager = manager  # type: ignore[method-assign]


VARIANTS: dict[str, Callable[[], None]] = {
    "as it is": _as_it_is,
    "no care sets": _never_simplified,
    "always care sets": _always_simplified,
    "two threads": _two_threads,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--timeout", type=float, default=100.0, help="wall-clock seconds of each run")
    parser.add_argument("--variant", choices=VARIANTS, help=argparse.SUPPRESS)  # one run, in a process of its own
    given = parser.parse_args()
    if given.variant:
        VARIANTS[given.variant]()
        options = ["--bdd", "oxidd", "--method", "monolithic", "--direction", "forward", "--no-certify", "--quiet"]
        return symag(["check", str(given.models[0]), *options])
    stop_with_children()
    rows = []
    for model in given.models:
        row = [model.stem]
        for variant in VARIANTS:
            command = [sys.executable, "-m", "scripts.smv.oxidd_variants", str(model), "--variant", variant]
            started = time.monotonic()
            done = run(command, given.timeout)
            wall = time.monotonic() - started
            row.append("none" if done.stopped else f"{done.seconds:.2f} ({wall:.1f})")
        say(" ".join(row))
        rows.append(row)
    print(table(["model", *VARIANTS], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
