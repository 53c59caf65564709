"""The AIGER language: and-inverter graphs, and the systems that they describe."""

from symag.smv.aiger.format import Aiger, AigerLatch
from symag.smv.aiger.reader import parse
from symag.smv.aiger.system import read, to_system
from symag.smv.aiger.writer import ascii_text, binary_bytes

__all__ = ["Aiger", "AigerLatch", "ascii_text", "binary_bytes", "parse", "read", "to_system"]
