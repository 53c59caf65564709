"""Trees and walks of probabilistic systems: what is written about them, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from symag.core.results import PropertyResult
from symag.core.trace import Step, Trace
from symag.core.walks import Walk
from symag.lpts.checking.check import SimulationFiles, SimulationQuestion
from symag.lpts.model import LptsModel


class WrittenTree(Struct, frozen=True):
    """An answer with a tree; ``document`` is its certificate as JSON, ``file`` the file that is written."""

    model: LptsModel
    question: SimulationQuestion
    result: PropertyResult
    document: str
    file: str


class ProbabilisticWalk(Walk, frozen=True):
    """A run with the probability of each step, given its choice."""

    probabilities: tuple[Fraction, ...] = ()


class WrittenWalk(Struct, frozen=True):
    """A walk through the system of some files; ``document`` has the members of its JSON object."""

    files: SimulationFiles
    walk: ProbabilisticWalk
    document: Mapping[str, Any]


def tree_text(tree: WrittenTree) -> str:
    """A tree as its certificate."""
    return tree.document


def walk_text(walk: WrittenWalk) -> str:
    """A walk as the object that ``symag simulate --json`` prints."""
    return json.dumps(walk.document, indent=2) + "\n"


def tree_lines(trace: Trace) -> Iterator[str]:
    """Each node under its parent: action, probability if less than 1, states of the components."""
    below: dict[int, list[int]] = {}
    for number, step in enumerate(trace.steps):
        below.setdefault(int(step.inputs["parent"]), []).append(number)
    waiting = [(number, 0) for number in reversed(below.get(-1, []))]
    while waiting:
        number, depth = waiting.pop()
        step = trace.steps[number]
        probability = str(step.inputs["probability"])
        label = "" if step.action is None else f"{step.action or '(no label)'}  "
        share = "" if probability == "1" else f"{probability}  "
        yield f"{'  ' * (depth + 1)}{label}{share}{_states(step)}"
        waiting += [(child, depth + 1) for child in reversed(below.get(number, []))]


def _states(step: Step) -> str:
    return "(" + ", ".join(f"{name}={state}" for name, state in step.state.items()) + ")"
