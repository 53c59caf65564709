"""Two processes and a property over one alphabet, in the form of the quotient method.

In the paper all processes share one alphabet without tau. Here an action that a process does not have is ``foreign``
to it and does not change its state (a self-loop that is not stored). The private actions of a process (tau, and labels
that neither the other process nor the property has) become one action: the other process and the property do not
distinguish them.

Reference: B. Finkbeiner, S. Schewe, M. Brill, "Automatic Synthesis of Assumptions for Compositional Model
Checking" (FORTE 2006), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.lts.composition import composed
from symag.lts.lts import ERROR, Lts, Numbers

_OWN = (0, 1)  # the private action of M, and that of N


class TransitionArrays(Struct, frozen=True, eq=False):
    """Transitions as parallel arrays, sorted by action, each once; ``foreign[a]``: the process lacks action a."""

    states: int
    source: Numbers
    action: Numbers
    target: Numbers
    foreign: NDArray[np.bool_]

    @classmethod
    def of(
        cls, states: int, source: Numbers, action: Numbers, target: Numbers, foreign: NDArray[np.bool_]
    ) -> TransitionArrays:
        """The arrays of transitions in any order; duplicates are removed."""
        order = np.lexsort((target, source, action))
        source, action, target = source[order], action[order], target[order]
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(source) != 0) | (np.diff(action) != 0) | (np.diff(target) != 0)
        return cls(states, source[new], action[new], target[new], foreign)

    def quotient(self, block: Numbers) -> TransitionArrays:
        """The process with state n replaced by ``block[n]``; the blocks are numbered from 0 without gaps."""
        return TransitionArrays.of(
            int(block.max()) + 1, block[self.source], self.action, block[self.target], self.foreign
        )


class TwoProcesses(Struct, frozen=True, eq=False):
    """M, N and the property P, all with actions 0 .. ``actions`` - 1.

    ``step[p, a]`` is the state of P after a in state p (p itself if P does not have a), or ERROR.
    ``present[m, p]``: M || P alone can reach (m, p).
    """

    actions: int
    m: TransitionArrays
    n: TransitionArrays
    step: Numbers
    present: NDArray[np.bool_]


def two_processes(m: Lts, n: Lts, prop: Lts) -> TwoProcesses:
    """The form of two processes and a deterministic property that is complete over its alphabet, with ERROR.

    Raises ValueError if m or n has transitions to ERROR. Costs the composition of m with the property.
    """
    shared = {*m.alphabet[1:]} & {*n.alphabet[1:]} | {*prop.alphabet[1:]}
    number: dict[str, int] = {}
    for label in (*m.alphabet[1:], *n.alphabet[1:], *prop.alphabet[1:]):
        if label in shared:
            number.setdefault(label, len(_OWN) + len(number))
    actions = len(_OWN) + len(number)
    first, second = (
        _process(process, [own, *(number.get(label, own) for label in process.alphabet[1:])], actions)
        for process, own in zip((m, n), _OWN, strict=True)
    )
    step = np.repeat(np.arange(prop.states)[:, None], actions, axis=1)
    acting = np.array([0, *(number[label] for label in prop.alphabet[1:])], dtype=np.int64)
    step[prop.source, acting[prop.action]] = prop.target
    together = composed((_without_end(m), _without_end(prop)), "M || P").local_states
    present = np.zeros((m.states, prop.states), dtype=bool)
    present[together[:, 0], together[:, 1]] = True
    return TwoProcesses(actions, first, second, step, present)


def _process(lts: Lts, number: Sequence[int], actions: int) -> TransitionArrays:
    if (lts.target == ERROR).any():
        raise ValueError(f"{lts.name} has transitions to ERROR")
    numbers = np.array(number, dtype=np.int64)
    foreign = np.ones(actions, dtype=bool)
    foreign[numbers] = False
    return TransitionArrays.of(lts.states, lts.source, numbers[lts.action], lts.target, foreign)


def _without_end(lts: Lts) -> Lts:
    """The system without its end state, so that composition merges no states."""
    return Lts(lts.name, lts.alphabet, lts.states, lts.source, lts.action, lts.target)
