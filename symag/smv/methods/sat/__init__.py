"""Shared by bounded model checking, k-induction and PDR: the problem as a circuit, runs as traces."""
