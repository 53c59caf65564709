"""What bounded model checking, k-induction and PDR share: the problem as a circuit, runs as traces."""
