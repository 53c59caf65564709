"""The figures of the quotient paper's section 7, printed beside ours, and the curve of its Fig. 7.

    python scripts/quotient_table.py [--timeout 60] [--repeat 3] [--targets A,B,C,D] [--no-curve]

B. Finkbeiner, S. Schewe, M. Brill, "Automatic Synthesis of Assumptions for Compositional Model Checking" (FORTE
2006). The authors' models are lost: ours, models/lts/sliding_window.lts and mutual_exclusion.lts, are written from
the prose, so figures of different models stand beside each other. Their seconds are model checking with SPIN on
an Athlon XP 2600+, with the assumption in the place of the receiver and without. Fig. 7 is lost too: of its
curves the prose only says that they drop early, so the numbers of the curve are ours alone. Exit status 20 when a
verdict is not the published one.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from measure import ROOT, Decision, check, seconds_text, table

MODELS = ROOT / "models" / "lts"
SLIDING_WINDOW = MODELS / "sliding_window.lts"


@dataclass(frozen=True)
class Printed:
    """One property of the sliding window protocol as the paper has it."""

    verdict: str
    steps: int
    states: int
    with_assumption: float
    without: float


PRINTED = {
    "A": Printed("holds", 169, 8, 4, 19),
    "B": Printed("holds", 18, 1, 3, 19),
    "C": Printed("holds", 168, 8, 4, 18),
    "D": Printed("violated", 15, 1, 3, 18),
}
#: The numbers of steps at which the curve is shown.
CURVE = (0, 1, 2, 3, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120, 140, 160, 180)


def decided(target: str, given: argparse.Namespace, *options: str) -> Decision:
    """One answer about the sliding window protocol."""
    arguments = ["--target", target, "--property", "safety", *options]
    ((_, decision),) = check(SLIDING_WINDOW, arguments, given.timeout, given.repeat, processor=True)
    return decision


def number(decision: Decision, name: str) -> str:
    return str(decision.statistics.get(name, "-")) if decision.known else "-"


def rows(targets: list[str], given: argparse.Namespace) -> tuple[list[list[str]], bool]:
    """The table, and whether every verdict that was found is the published one."""
    found, agrees = [], True
    for target in targets:
        printed = PRINTED[target]
        quotient = decided(target, given, "--method", "quotient", "--abstraction")
        direct = decided(target, given, "--method", "quotient", "--no-abstraction")
        alone = decided(target, given, "--method", "monolithic")
        agrees &= all(each.verdict in (printed.verdict, "unknown") for each in (quotient, direct, alone))
        found.append(
            [
                target,
                quotient.verdict,
                *(str(printed.steps), number(quotient, "steps")),
                *(str(printed.states), number(quotient, "assumption_states")),
                f"{number(quotient, 'must_edges')}/{number(quotient, 'may_edges')}",
                *(number(quotient, "product_states"), number(alone, "states")),
                *(seconds_text(each, given.timeout) for each in (quotient, direct, alone)),
                *(f"{printed.with_assumption:g}", f"{printed.without:g}"),
            ]
        )
    return found, agrees


def curve(target: str, given: argparse.Namespace) -> list[str]:
    """The states of the quotient after so many steps; a dash where refinement has ended before, or at the limit."""
    found: list[str] = []
    for steps in CURVE:
        decision = decided(target, given, "--method", "quotient", "--abstraction", "--steps", str(steps))
        found.append(number(decision, "assumption_states"))
        if decision.statistics.get("exact") == 1:
            break
    return [target, *found, *["-"] * (len(CURVE) - len(found))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timeout", type=float, default=60, help="CPU seconds for each process (default: 60)")
    parser.add_argument("--repeat", type=int, default=3, help="the median of so many short runs (default: 3)")
    parser.add_argument("--targets", default="A,B,C,D", help="only these properties (default: A,B,C,D)")
    parser.add_argument("--no-curve", action="store_true", help="leave the curve out")
    given = parser.parse_args()
    targets = [target for target in PRINTED if target in given.targets.split(",")]
    found, agrees = rows(targets, given)
    columns = ["property", "verdict", "steps (paper)", "steps", "|A| (paper)", "|A|", "must/may", "M||A||P", "M||N||P"]
    columns += ["quotient s", "no abstraction s", "monolithic s", "SPIN with A (paper)", "SPIN (paper)"]
    print(f"Sliding window; CPU seconds of the whole command, re-check included; limit {given.timeout:g}.\n")
    print(table(columns, found))
    (mutex,) = check(
        MODELS / "mutual_exclusion.lts",
        ["--target", "SYSTEM", "--property", "safety", "--method", "quotient"],
        given.timeout,
        given.repeat,
        processor=True,
    )
    agrees &= mutex[1].verdict in ("holds", "unknown")
    print(f"\nMutual exclusion: |A| (paper) 3, |A| {number(mutex[1], 'assumption_states')} of 9 states.")
    if not given.no_curve:
        print("\nStates of the quotient after so many steps (Fig. 7; the paper's numbers are lost).\n")
        print(table(["property", *map(str, CURVE)], [curve(target, given) for target in targets]))
    return 0 if agrees else 20


if __name__ == "__main__":
    sys.exit(main())
