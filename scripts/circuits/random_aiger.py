"""Random AIGER files: every method of symag, compared with ABC's ``pdr`` if it is on PATH.

python -m scripts.circuits.random_aiger [--count 200] [--seed 0] [--latches 6]
    [--methods monolithic,bmc,k-induction,pdr,...]

Files have several bad literals, constraints, and latches that start with 0, 1 or any value. Every proof is re-checked,
every trace replayed. Each difference is printed with the file, then their number; exit status 20 if there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from scripts.measuring import peers
from scripts.measuring.measure import run
from symag.core.errors import CertificationError
from symag.core.limits import no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.source import SourceText
from symag.smv.aiger import Aiger, AigerLatch, ascii_text, binary_bytes, to_system
from symag.smv.certify.acceptance import accept
from symag.smv.checking.methods import METHODS
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

#: All methods that decide invariants in one process.
METHODS_COMPARED = ("monolithic", "rule-g", "parts", "simulation", "bmc", "k-induction", "pdr", "sweeping")


def random_graph(random: Random, latches: int) -> Aiger:
    """Up to ``latches`` latches, one or two inputs, some gates, up to three bad literals, perhaps a constraint."""
    inputs = tuple(2 * number for number in range(1, random.randint(1, 2) + 1))
    first = len(inputs) + 1
    own = tuple(2 * number for number in range(first, first + random.randint(1, latches)))
    known = [0, *inputs, *own]
    ands: list[tuple[int, int, int]] = []
    for _ in range(random.randint(1, 25)):
        left = 2 * (len(inputs) + len(own) + len(ands) + 1)
        a, b = (random.choice(known) ^ random.randint(0, 1) for _ in range(2))
        ands.append((left, max(a, b), min(a, b)))
        known.append(left)

    def any_literal() -> int:
        return random.choice(known[-12:]) ^ random.randint(0, 1)

    return Aiger(
        maximum=len(known) - 1,
        inputs=inputs,
        latches=tuple(AigerLatch(variable, any_literal(), random.choice((0, 0, 0, 1, variable))) for variable in own),
        outputs=(),
        ands=tuple(ands),
        bad=tuple(any_literal() for _ in range(random.randint(1, 3))),
        constraints=tuple(any_literal() for _ in range(random.choice((0, 0, 1)))),
    )


def answers(graph: Aiger, methods: Sequence[str]) -> dict[str, list[str]]:
    """Each method's verdict on every bad literal; ``refused`` where its evidence does not pass the re-check."""
    system = to_system(graph, SourceText.of("random.aag", ascii_text(graph)))
    answers_by_method: dict[str, list[str]] = {}
    for method in methods:
        for checked in system.properties:
            options = SmvOptions(bound=70) if method in ("bmc", "k-induction") else SmvOptions()
            result: PropertyResult = METHODS.function(method)(system, checked, options, no_progress)
            word = result.verdict.value
            if result.verdict in (Verdict.HOLDS, Verdict.VIOLATED):
                word = _accepted(system, checked, result)
            answers_by_method.setdefault(method, []).append(word)
    return answers_by_method


def _accepted(system: FlatSystem, checked: Property, result: PropertyResult) -> str:
    try:
        certified = accept(system, checked, result, None).certified
    except CertificationError:
        return "refused"
    return result.verdict.value if certified else f"{result.verdict.value}, not certified"


def with_resets(graph: Aiger) -> Aiger:
    """The same with an input for every first value that is free: ABC takes such values for 0."""
    free = [latch.literal for latch in graph.latches if latch.reset == latch.literal]
    if not free:
        return graph
    fresh = len(graph.inputs) + len(free) + 1
    numbers = {0: 0, **{literal: 2 * k for k, literal in enumerate(graph.inputs, start=1)}}
    own = {latch.literal: 2 * (fresh + k) for k, latch in enumerate(graph.latches)}
    started = 2 * (fresh + len(own))
    ands: list[tuple[int, int, int]] = []

    def gate(a: int, b: int) -> int:
        ands.append((started + 2 * len(ands) + 2, max(a, b), min(a, b)))
        return ands[-1][0]

    for k, literal in enumerate(free, start=len(graph.inputs) + 1):
        later, first = gate(started, own[literal]), gate(started ^ 1, 2 * k)
        numbers[literal] = gate(later ^ 1, first ^ 1) ^ 1
    numbers = {**own, **numbers}

    def of(literal: int) -> int:
        return numbers[literal & ~1] ^ (literal & 1)

    for left, a, b in graph.ands:
        numbers[left] = gate(of(a), of(b))
    return Aiger(
        maximum=started // 2 + len(ands),
        inputs=tuple(2 * k for k in range(1, fresh)),
        latches=(
            *(AigerLatch(own[latch.literal], of(latch.next), 1 if latch.reset == 1 else 0) for latch in graph.latches),
            AigerLatch(started, 1, 0),
        ),
        outputs=(),
        ands=tuple(ands),
        bad=tuple(map(of, graph.bad)),
        constraints=tuple(map(of, graph.constraints)),
    )


def abc_answer(program: str, graph: Aiger, folder: Path) -> str | None:
    """ABC's answer to all bad literals together."""
    path = folder / "random.aig"
    path.write_bytes(binary_bytes(with_resets(graph)))
    done = run([program, "-c", f"read {path}; fold; orpos; pdr"], 20)
    if re.search(r"Property proved|proved the property|is trivially UNSAT", done.output):
        return "holds"
    return "violated" if re.search(r"was asserted in frame|disproved|trivially SAT", done.output) else None


def main() -> int:
    """Compare; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--latches", type=int, default=6)
    parser.add_argument("--methods", default=",".join(METHODS_COMPARED))
    arguments = parser.parse_args()
    random, program = Random(arguments.seed), peers.abc()
    tally: dict[str, int] = {}
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.count):
            graph = random_graph(random, arguments.latches)
            answers_by_method = answers(graph, arguments.methods.split(","))
            decided = [{words[k] for words in answers_by_method.values()} - {"unknown"} for k in range(len(graph.bad))]
            whole = "violated" if {"violated"} in decided else "holds" if all(d == {"holds"} for d in decided) else "?"
            other = None if program is None else abc_answer(program, graph, Path(folder))
            wrong = any(len(words) > 1 for words in decided) or (other is not None and other != whole)
            differences += wrong
            for word in (f"symag {whole}", f"ABC {other}"):
                tally[word] = tally.get(word, 0) + 1
            if wrong:
                print(f"file {number}: symag {answers_by_method}, ABC {other}\n{ascii_text(graph)}")
    print(
        f"{arguments.count} files, {differences} differences; "
        + ", ".join(f"{w} {n}" for w, n in sorted(tally.items()))
    )
    return 20 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
