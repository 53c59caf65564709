"""Decides, re-checks and shows the questions about composite processes."""
