"""Facts: invariants of a system's states that are found from the model, without a search of its states."""
