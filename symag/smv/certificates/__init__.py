"""Evidence about SMV models, as plain values that need no BDD library.

Rules for all kinds:

- Bit k (from 0, least significant first) of a variable is bit k of the INDEX of its value in
  ``symag.smv.model.types.values(type)`` (declaration order; FALSE before TRUE; a range from low to high);
  for a word it is bit k of its two's-complement pattern. A boolean has the one bit 0. Codes without a
  value occur in no state, so a diagram may contain them or not.
- A diagram is a DAG of if-then-else nodes: node number n >= 2 is ``nodes[n - 2] = (bit, high, low)``
  where ``bit`` indexes ``bits`` and high and low are node numbers below n; 0 is FALSE and 1 is TRUE.
  All diagrams of one certificate share one table, and a formula is a node number.
- An assumption reads a word of letters along a run: the letter at position j is the valuation of the I/O variables in
  state j. Only words of safe letters with one unsafe letter (one that violates the property) at the end matter: an
  assumption rejects at an unsafe letter only.
- A position of an infinite run is a state with the inputs of the step that leaves it. Trans relates a position to a
  state; the next position is that state with any inputs. The sets of ``FairEmptiness`` and the removals of
  ``Labelling`` are sets of positions and may mention inputs. A run is fair if it meets every JUSTICE and every
  COMPASSION of the system; without any, every infinite run is fair.
"""
