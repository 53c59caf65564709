"""Labelled probabilistic transition systems: the value, its language, composition."""
