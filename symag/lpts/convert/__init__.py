"""Writes probabilistic systems in other formats."""
