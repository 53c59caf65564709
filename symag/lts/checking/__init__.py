"""Decides the questions about composite processes, re-checks the answers and shows them."""
