"""The weakest assumption at once, for where L* needs many conjectures to come near it.

Source: D. Giannakopoulou, C. S. Pasareanu, H. Barringer, "Assumption generation for software component verification"
(ASE 2002): subset construction of what leads ``M1 || P`` to ERROR, then the minimal automaton of the other words. L*
arrives at the same automaton, with one counterexample and one check of both premises for every state.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.lts.lts import Lts
from symag.lts.methods.residuals import Residuals
from symag.lts.minimisation import strongly_minimised


def weakest_assumption(letters: Sequence[str], teacher: Residuals, most: int) -> Lts | None:
    """The least deterministic automaton of the safe words; None if they have more than ``most`` residuals.

    The empty word must be safe. Costs a successor for each residual and letter; they stay in ``teacher``.
    """
    number = {teacher.initial(): 0}
    waiting = [teacher.initial()]
    targets: list[int] = []
    for residual in waiting:
        for letter in range(len(letters)):
            after = teacher.successor(residual, letter)
            if not teacher.is_member(after):
                targets.append(-1)
                continue
            if after not in number:
                if len(number) >= most:
                    return None
                number[after] = len(number)
                waiting.append(after)
            targets.append(number[after])
    table = np.array(targets, dtype=np.int64).reshape(len(number), len(letters))
    state, column = np.nonzero(table >= 0)
    safe = Lts("A", ("tau", *letters), len(number), state, column + 1, table[state, column])
    # All states accept, so deterministic states have the same words iff they are bisimilar.
    return strongly_minimised(safe)
