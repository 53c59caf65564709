"""The states that tau alone leads to: the reflexive and transitive closure of a graph, on arrays."""

from __future__ import annotations

import numpy as np

from symag.lts.lts import Numbers


def silent_closure(states: int, source: Numbers, target: Numbers) -> tuple[Numbers, Numbers]:
    """``ends[begin[s]:begin[s + 1]]`` are the states that s leads to, itself among them.

    There may be as many ends as the square of the states; raises MemoryError. Costs a product of sparse matrices for
    each doubling of the longest path.
    """
    every = np.arange(states)
    if not len(source):
        return np.arange(states + 1), every
    from scipy.sparse import coo_array  # slow to import

    rows = np.concatenate([every, source]), np.concatenate([every, target])
    closure = coo_array((np.ones(len(rows[0]), dtype=bool), rows), shape=(states, states)).tocsr()
    while True:
        further = (closure @ closure).tocsr()
        if further.nnz == closure.nnz:
            return closure.indptr.astype(np.int64), closure.indices.astype(np.int64)
        closure = further
