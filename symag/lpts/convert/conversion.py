"""A probabilistic system in PRISM's explicit files, as DRN, or as a picture: ``symag convert``."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from symag.core.ranges import missing
from symag.core.reports import Conversion
from symag.lpts.readers import FORMATS
from symag.lpts.state_values import NamedStates
from symag.traces.graphviz import quoted, transition_system


def converted(named: NamedStates, form: str, decimals: bool) -> Conversion:
    """A system in one of the formats of ``FORMATS``, with the readers' warnings."""
    return Conversion(FORMATS[form].function()(named, decimals).encode(), tuple(named.warnings))


def drn_text(named: NamedStates, decimals: bool = False) -> str:
    """Storm's explicit format. Choices have actions, fractions are exact; ``init`` and ``deadlock`` are labels too.

    DRN has no state without a choice: deadlock states get a self-loop without an action, as Storm adds it.
    """
    lpts = named.lpts
    offsets = lpts.offsets()
    stuck = np.diff(offsets) == 0
    having: dict[int, list[str]] = {state: ["init"] for state in range(named.initial_states)}
    for name, states in (("deadlock", np.flatnonzero(stuck)), *named.labels):
        for state in states.tolist():
            having.setdefault(state, []).append(name)
    lines = ["@type: MDP", "@parameters", "", "@reward_models", "", "@nr_states", str(lpts.states)]
    lines += ["@nr_choices", str(lpts.transitions + int(stuck.sum())), "@model"]
    texts = [str(probability) for probability in lpts.probabilities]
    begin, target, weight, action = (array.tolist() for array in (lpts.begin, lpts.target, lpts.weight, lpts.action))
    bounds = offsets.tolist()
    for state in range(lpts.states):
        lines.append(" ".join(["state", str(state), *map(_word, having.get(state, ()))]))
        if bounds[state] == bounds[state + 1]:
            lines += ["\taction __NOLABEL__", f"\t\t{state} : 1"]
        for choice in range(bounds[state], bounds[state + 1]):
            lines.append(f"\taction {_word(lpts.alphabet[action[choice]]) or '__NOLABEL__'}")
            lines += [f"\t\t{target[e]} : {texts[weight[e]]}" for e in range(begin[choice], begin[choice + 1])]
    return "\n".join(lines) + "\n"


def _word(label: str) -> str:
    return label.replace(" ", "_")


def transitions_text(named: NamedStates, decimals: bool = False) -> str:
    """A .tra file: states, choices and entries, then a line for each entry.

    Probabilities are decimals where these are exact, else fractions; with ``decimals``, the nearest doubles, for
    tools that read no fractions.
    """
    lpts = named.lpts
    texts = [_spelled(probability, decimals) for probability in lpts.probabilities]
    offsets = lpts.offsets()
    lines = [f"{lpts.states} {lpts.transitions} {lpts.entries}"]
    sizes = np.diff(lpts.begin)
    transition = np.repeat(np.arange(lpts.transitions), sizes)
    source = lpts.source[transition]
    choice = transition - offsets[source]
    columns = (source, choice, lpts.target, lpts.weight, lpts.action[transition])
    for s, c, t, w, a in zip(*(column.tolist() for column in columns), strict=True):
        action = f" {lpts.alphabet[a]}" if a else ""
        lines.append(f"{s} {c} {t} {texts[w]}{action}")
    return "\n".join(lines) + "\n"


def labels_text(named: NamedStates, decimals: bool = False) -> str:
    """A .lab file: ``init``, ``deadlock`` and the model's labels, then each state with the numbers of its labels."""
    stuck = missing(named.lpts.source, named.lpts.states)
    every = [("init", np.arange(named.initial_states)), ("deadlock", stuck), *named.labels]
    having: dict[int, list[int]] = {}
    for number, (_, states) in enumerate(every):
        for state in states.tolist():
            having.setdefault(state, []).append(number)
    lines = [" ".join(f'{number}="{name}"' for number, (name, _) in enumerate(every))]
    lines += [f"{state}: {' '.join(map(str, numbers))}" for state, numbers in sorted(having.items())]
    return "\n".join(lines) + "\n"


def states_text(named: NamedStates, decimals: bool = False) -> str:
    """A .sta file: the names of the variables, then the spelled values of each state."""
    names = named.values.names
    columns = [named.values.spelled(k) for k in range(len(names))]
    rows = zip(*columns, strict=True) if columns else ((),) * named.lpts.states
    lines = [f"({','.join(names)})"]
    lines += [f"{state}:({','.join(row)})" for state, row in enumerate(rows)]
    return "\n".join(lines) + "\n"


def _spelled(value: Fraction, decimals: bool) -> str:
    if decimals:
        return repr(float(value))
    if value.denominator == 1:
        return str(value)
    twos = (value.denominator & -value.denominator).bit_length() - 1
    fives, rest = 0, value.denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    digits = max(twos, fives)
    if rest != 1 or digits > 15:
        return str(value)
    return f"0.{value.numerator * 10**digits // value.denominator:0{digits}d}"


def picture(named: NamedStates, decimals: bool) -> str:
    """A graph for Graphviz: one circle a state (with its values as a tooltip) and one arrow a transition.

    A transition to several states goes through a dot, from which an arrow with its probability leads to each.
    """
    lpts = named.lpts
    states = []
    for state in range(lpts.states):
        tooltip = ", ".join(f"{name}={value}" for name, value in named.values.state(state).items())
        states.append(f'  {state} [label="{state}", tooltip={quoted(tooltip)}];')
    lines = []
    for number, (source, action, distribution) in enumerate(lpts.triples()):
        label = quoted(lpts.alphabet[action])
        if len(distribution) == 1:
            lines.append(f"  {source} -> {next(iter(distribution))} [label={label}];")
            continue
        lines.append(f"  d{number} [shape=point];")
        lines.append(f"  {source} -> d{number} [label={label}, arrowhead=none];")
        lines += [f'  d{number} -> {target} [label="{p}"];' for target, p in distribution.items()]
    return transition_system(lpts.name, states, lines)
