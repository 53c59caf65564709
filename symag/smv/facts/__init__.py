"""Facts: invariants of a system's states, proved by induction without a search of all states."""
