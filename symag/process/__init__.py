"""Computations in child processes under limits, races between them, and trees of processes."""
