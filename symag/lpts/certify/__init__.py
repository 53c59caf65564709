"""Separate code that re-checks relations, bounds and trees of probabilistic systems."""
