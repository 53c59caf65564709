"""Proves a property of a changed model with the part of an earlier version's proof that still holds."""
