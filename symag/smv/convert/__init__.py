"""Writes SMV models in other formats."""
