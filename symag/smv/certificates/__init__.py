"""Evidence about SMV models, as plain values that need no BDD library: a file for each kind.

What holds for all kinds:

- Bit k (from 0, least significant first) of a variable is bit k of the INDEX of its value in
  ``symag.smv.model.types.values(type)`` (declaration order; FALSE before TRUE; a range from low to high);
  for a word it is bit k of its two's-complement pattern. A boolean has the one bit 0. Codes without a
  value never occur in a state, so a diagram may say anything of them.
- A diagram is a DAG of if-then-else nodes: node number n >= 2 is ``nodes[n - 2] = (bit, high, low)``
  where ``bit`` indexes ``bits`` and high and low are node numbers below n; 0 is FALSE and 1 is TRUE.
  All diagrams of one certificate share one table, and a formula is a node number.
- A word over I/O valuations ("letters") is read along a run: the letter at position j
  is the valuation of the I/O variables in state j. Only words in safe* . unsafe matter: an assumption
  never rejects before an unsafe letter (one that violates the property) has been read.
- A position of an infinite run is a state with the inputs that it leaves with; Trans relates a position to
  a state, and the next position is that state with any inputs. A set in ``FairEmptiness`` and ``Labelling``
  may mention inputs too: then it is a set of positions. A run is fair if it meets every JUSTICE and every
  COMPASSION of the system; where nothing is demanded, every infinite run is fair.
"""
