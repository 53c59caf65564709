"""The AIGER language: and-inverter graphs, and the systems that they describe."""

from symag.aiger.format import Aiger, Latch
from symag.aiger.reader import parse
from symag.aiger.system import read, to_system
from symag.aiger.writer import ascii_text, binary_bytes

__all__ = ["Aiger", "Latch", "ascii_text", "binary_bytes", "parse", "read", "to_system"]
