"""A tiny interpreter of guarded commands, sharing nothing with symag, and random models in its terms.

A model is a list of modules; a module has variables (name, low, high, initial) and commands (action, guard, updates),
where guards and values are Python expressions over the variables' names, which PRISM's text spells alike.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

Valuation = tuple[tuple[str, int], ...]
Step = tuple[str, tuple[tuple[Valuation, Fraction], ...]]
Update = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class HandCommand:
    action: str
    guard: str
    updates: tuple[Update, ...]


@dataclass(frozen=True)
class HandModule:
    variables: tuple[tuple[str, int, int, int], ...]
    commands: tuple[HandCommand, ...]


class LeavesRangeError(Exception):
    """An update gives a value outside the variable's range."""


class WrongSumError(Exception):
    """The probabilities of an enabled command do not sum to 1."""


def value(text: str, state: Mapping[str, int]) -> Fraction | int | bool:
    python = text.replace("!=", "<>").replace("&", " and ").replace("|", " or ").replace("=", "==").replace("<>", "!=")
    python = python.replace("<==", "<=").replace(">==", ">=")
    scope = {**state, "F": Fraction, "floor": math.floor, "ceil": math.ceil, "mod": lambda a, b: a % b}
    found: Fraction | int | bool = eval(python, {"min": min, "max": max}, scope)
    return found


def steps(modules: Sequence[HandModule], state: Mapping[str, int]) -> list[Step]:
    found: list[Step] = []
    labels = sorted({c.action for m in modules for c in m.commands if c.action})
    groups: list[tuple[str, list[list[HandCommand]]]] = [
        ("", [[c for c in m.commands if not c.action]]) for m in modules
    ]
    for label in labels:
        having = [m for m in modules if any(c.action == label for c in m.commands)]
        groups.append((label, [[c for c in m.commands if c.action == label] for m in having]))
    for label, parts in groups:
        enabled = [[c for c in part if value(c.guard, state)] for part in parts]
        for chosen in itertools.product(*enabled):
            found.append((label, distribution(chosen, state)))
    return found


def distribution(commands: Sequence[HandCommand], state: Mapping[str, int]) -> tuple[tuple[Valuation, Fraction], ...]:
    found: dict[Valuation, Fraction] = {}
    for command in commands:
        if sum(Fraction(probability(p, state)) for p, _ in command.updates) != 1:
            raise WrongSumError
    for updates in itertools.product(*(c.updates for c in commands)):
        together = Fraction(1)
        target = dict(state)
        for text, assignments in updates:
            together *= probability(text, state)
            for name, expression in assignments:
                target[name] = int(value(expression, state))
        if together:
            key = tuple(sorted(target.items()))
            found[key] = found.get(key, Fraction(0)) + together
    return tuple(sorted(found.items()))


def probability(text: str, state: Mapping[str, int]) -> Fraction:
    above, _, below = text.partition("/")
    return Fraction(value(above, state)) / (Fraction(value(below, state)) if below else 1)


def explored(
    modules: Sequence[HandModule], moves: Callable[[Valuation], list[Step]] | None = None
) -> dict[Valuation, list[Step]]:
    """The reachable states with their steps, or other ``moves``. Raises LeavesRangeError and WrongSumError."""
    ranges = {name: (low, high) for m in modules for name, low, high, _ in m.variables}
    waiting = [tuple(sorted((name, initial) for m in modules for name, _, _, initial in m.variables))]
    found: dict[Valuation, list[Step]] = {}
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        if any(not ranges[name][0] <= v <= ranges[name][1] for name, v in state):
            raise LeavesRangeError
        found[state] = moves(state) if moves is not None else steps(modules, dict(state))
        waiting += [target for _, mu in found[state] for target, _ in mu]
    return found


def assigned(assignments: Sequence[tuple[str, str]]) -> str:
    return " & ".join(f"({name}'={expression})" for name, expression in assignments) or "true"


def text_of(modules: Sequence[HandModule]) -> str:
    lines: list[str] = []
    for k, module in enumerate(modules):
        lines.append(f"module m{k}")
        lines += [f"  {name} : [{low}..{high}] init {initial};" for name, low, high, initial in module.variables]
        for command in module.commands:
            updates = " + ".join(f"{part} : {assigned(each)}" for part, each in command.updates)
            lines.append(f"  [{command.action}] {command.guard} -> {updates};")
        lines.append("endmodule")
    lines.append("mdp")
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------- random models

NAMES = ("x", "y", "z")
SPLITS = (
    ("1",),
    ("1/2", "1/2"),
    ("1/3", "2/3"),
    ("1/4", "1/4", "1/2"),
    ("x/3", "(3-x)/3"),
    ("1/(y+2)", "(y+1)/(y+2)"),
    ("0", "1"),
)
VALUES = ("min({n}+1,3)", "max({n}-1,0)", "0", "2", "mod(x+y,3)", "{n}+1", "floor(({n}+3)/2)")


@st.composite
def conditions(draw: st.DrawFn) -> str:
    atoms = st.sampled_from(
        ("true_", "x=0", "y>=1", "z!=1", "x<y", "x+y<=2", "mod(x+z,2)=0", "min(x,y,z)=0", "floor((x+y)/2)=1", "x=1|z=0")
    )
    chosen = draw(st.lists(atoms, min_size=1, max_size=2))
    return " & ".join(f"({'x=x' if each == 'true_' else each})" for each in chosen)


@st.composite
def models(draw: st.DrawFn) -> list[HandModule]:
    """Three variables in one to three modules, which read each other's."""
    count = draw(st.integers(1, 3))
    owners = [draw(st.integers(0, count - 1)) for _ in NAMES]
    modules = []
    for k in range(count):
        own = [name for name, owner in zip(NAMES, owners, strict=True) if owner == k]
        variables = tuple((name, -1 if name == "z" else 0, 3, draw(st.integers(0, 2))) for name in own)
        commands = tuple(draw(commands_of(own)) for _ in range(draw(st.integers(0, 3))))
        modules.append(HandModule(variables, commands))
    return modules


@st.composite
def commands_of(draw: st.DrawFn, own: Sequence[str]) -> HandCommand:
    action = draw(st.sampled_from(("", "a", "b")))
    updates: list[Update] = []
    for part in draw(st.sampled_from(SPLITS)):
        names = draw(st.lists(st.sampled_from(own), unique=True, max_size=2)) if own else []
        values = [
            draw(st.sampled_from((f"min({n}+1,3)", f"max({n}-1,0)", "0", "2", "mod(x+y,3)", f"{n}+1"))) for n in names
        ]
        updates.append((part, tuple(zip(names, values, strict=True))))
    return HandCommand(action, draw(conditions()), tuple(updates))
