"""Equal signals of a circuit: which there are, and the circuit in which they are merged."""
