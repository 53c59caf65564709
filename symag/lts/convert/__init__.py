"""Writes labelled transition systems in other formats."""
