"""Explorations of the re-check whose states and edges are in files."""
