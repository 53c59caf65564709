"""Contracts by the user: what each part of a system guarantees as long as the others keep its assumptions."""
