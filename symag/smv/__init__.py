"""SMV: text to a flat system with typed expressions, independent of BDDs."""

from symag.smv.reader import read, read_text

__all__ = ["read", "read_text"]
