"""Contracts: what each part of a system guarantees while the others keep what it assumes, written by the user."""
