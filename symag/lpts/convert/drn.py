"""An LPTS in DRN, Storm's explicit format for Markov decision processes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.lpts.lpts import Lpts, Numbers


def drn_text(lpts: Lpts, labels: Sequence[tuple[str, Numbers]] = (), initial_states: int = 1) -> str:
    """Every choice with its action and exact fractions; labels are ``init``, ``deadlock`` and ``labels``.

    DRN has no state without a choice: deadlock states get a self-loop without an action, as Storm adds it.
    """
    offsets = lpts.offsets()
    stuck = np.diff(offsets) == 0
    having: dict[int, list[str]] = {state: ["init"] for state in range(initial_states)}
    for name, states in (("deadlock", np.flatnonzero(stuck)), *labels):
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
