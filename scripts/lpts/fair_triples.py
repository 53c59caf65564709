"""Compares least probabilities under fair schedulers of random systems with Storm's.

    python -m scripts.lpts.fair_triples --storm PYTHON [--problems 500] [--seed 0]

A system has up to three components of at most four states, and a monitor. Asked is the triple ``<> system <Pmin=? [F
"goal"]>``, and of Storm (stormpy 2) ``Pmax=? [(G F "m0") & .. & (G !"goal")]``, where a label tells that the component
moved last. It is the complement where a scheduler can be fair from every state; other systems are left out. The exit
status is 1 if an answer differs by more than 1e-5.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from symag.lpts.lpts import Lpts
from symag.lpts.methods.triples.deciding import decide_triple
from symag.lpts.problems import TripleProblem
from tests.lpts.fair_by_hand import fair_states, good_moves, moves_of, negated
from tests.lpts.triples_by_hand import a_monitor, a_system

STORM = """
import json, sys, stormpy
for path, query in json.load(sys.stdin):
    program = stormpy.parse_prism_program(path)
    formulas = stormpy.parse_properties(query, program)
    model = stormpy.build_model(program, formulas)
    print(stormpy.model_checking(model, formulas[0]).get_value(model.initial_states[0]))
"""


def module(system: Lpts, name: str, variable: str) -> str:
    """A module of PRISM's language; an action without transitions has a command that is never possible."""
    lines = [f"module {name}", f"  {variable} : [0..{max(1, system.states - 1)}];"]
    for source, action, mu in system.triples():
        branches = " + ".join(f"{p.numerator}/{p.denominator} : ({variable}'={t})" for t, p in mu.items())
        lines.append(f"  [{system.alphabet[action]}] {variable}={source} -> {branches};")
    lines += [f"  [{action}] {variable}<0 -> true;" for action in system.alphabet[1:]]
    return "\n".join([*lines, "endmodule\n"])


def observer(number: int, component: Lpts, actions: Sequence[str]) -> str:
    """A module and a label: whether a component took part in the last action."""
    own = component.alphabet[1:]
    commands = [f"  [{action}] true -> (y{number}'={str(action in own).lower()});" for action in actions]
    text = "\n".join([f"module l{number}", f"  y{number} : bool;", *commands, "endmodule"])
    return f'{text}\nlabel "m{number}" = y{number};\n'


def problems(first: int, count: int) -> Iterator[tuple[int, Fraction, str, str]]:
    """The number of each problem with its least probability, and PRISM's text and query."""
    for seed in range(first, first + count):
        chance = random.Random(seed)
        components = tuple(a_system(chance, f"c{k}", 4) for k in range(chance.randint(1, 3)))
        actions = sorted({action for component in components for action in component.alphabet[1:]})
        monitor = a_monitor(chance, chance.sample(actions, min(2, len(actions))), True)
        problem = TripleProblem(components, (negated(monitor),), (), 0, None, fair=True)
        evidence, moves = decide_triple(problem).evidence, moves_of(problem)
        if (
            evidence is None
            or evidence.value is None
            or len(good_moves(moves, fair_states(problem, moves))) < len(moves)
        ):
            continue
        least = evidence.value[1]
        assert least is not None
        systems = [*components, monitor.system]
        text = "mdp\n" + "".join(module(system, f"c{k}", f"x{k}") for k, system in enumerate(systems))
        text += "".join(observer(k, component, actions) for k, component in enumerate(components))
        text += f'label "goal" = x{len(components)}={monitor.system.states - 1};\n'
        fair = " & ".join(f'(G F "m{k}")' for k in range(len(components)))
        yield seed, -least, text, f'Pmax=? [ {fair} & (G !"goal") ]'


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--storm", metavar="PYTHON", required=True)
    parser.add_argument("--problems", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(given)
    posed = list(problems(options.seed, options.problems))
    with tempfile.TemporaryDirectory() as folder:
        queries = []
        for seed, _, text, query in posed:
            path = Path(folder) / f"{seed}.nm"
            path.write_text(text)
            queries.append((str(path), query))
        ran = subprocess.run([options.storm, "-c", STORM], input=json.dumps(queries), capture_output=True, text=True)
    answers = list(map(float, ran.stdout.split()))
    if ran.returncode or len(answers) != len(posed):
        sys.exit(f"Storm: {ran.stderr[-500:]}")
    kinds, different = Counter[str](), 0
    for (seed, least, _, _), answer in zip(posed, answers, strict=True):
        kinds[str(least) if least in (0, 1) else "between"] += 1
        if abs(1 - answer - float(least)) > 1e-5:
            different += 1
            print(f"problem {seed}: {least}, Storm {1 - answer}")
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{options.problems} systems, {len(posed)} compared ({counts}), {different} differ")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
