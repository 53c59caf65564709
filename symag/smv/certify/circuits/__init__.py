"""Separate bit-blasting and decision diagrams, for re-checks only."""
