"""Strong simulation between two probabilistic systems: engines, flows, refutations."""
