"""The BTOR2 language: word-level models, and the systems that they describe."""

from symag.smv.btor2.reader import parse
from symag.smv.btor2.system import read, to_system

__all__ = ["parse", "read", "to_system"]
