"""SMV: text to a flat system with typed expressions, independent of BDDs."""

from symag.smv.expression_reader import expression
from symag.smv.reader import read, read_text

__all__ = ["expression", "read", "read_text"]
