"""Proves a property of a changed model with what is left of the proof of an earlier version."""
