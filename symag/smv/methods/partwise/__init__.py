"""Part-wise reachability: a set of states for each of several overlapping parts, and never a diagram of the whole.

Sources: Cho, Hachtel, Macii, Plessier, Somenzi, "Algorithms for approximate FSM traversal based on state space
decomposition" (IEEE TCAD 1996): parts, one fix-point after the other. Moon, Kukula, Shiple, Somenzi, "Least fixpoint
approximations for reachability analysis" (ICCAD 1999): all together. Govindaraju, Dill, Hu, Horowitz, "Approximate
reachability with BDDs using overlapping projections" (DAC 1998), and Govindaraju, Dill, "Counterexample-guided choice
of projections in approximate symbolic model checking" (ICCAD 2000): overlaps, and their choice.

A *part* is a set of bits of state and frozen variables; parts may share bits. ``R_i``, a diagram over the bits of part
i, has the bits of every reachable state, and perhaps others. What a model's constructs mean for it:

- Inputs, and bits of others that the part reads, take any values that the constraints and the projections of the other
  parts' sets allow; each part quantifies them by itself, so two parts may take different values of the same input. A
  part with all the bits that read the input has no such freedom.
- Variables assigned in every state (``x := e``) belong to no part: their equations are used where they are read.
- INVAR, in the state before a step, is used by a part if the part reads its variables, but for a few that are
  quantified; after a step, projected onto the part. The last question, whether the sets imply the property, has all.
- Frozen variables keep their values in the parts that have them; elsewhere they may have another value in every step.
- Wires (boolean DEFINEs, and variables assigned in every state) belong to no part at first. Where a part's set is split
  at a wire, the wire is a bit of the part, now and next, with its equation over the bits that it reads.
- Where one variable names the interaction of a step (``symbolic.interactions``), parts are groups of components, and a
  set grows by one interaction after the other: see ``components``.
- Dead ends are states like others, and a part goes on where another is in a dead end: the sets are no smaller for it.
  The system has no reachable state iff Init and INVAR together are empty, which is asked first.
"""
