"""The AIGER language: and-inverter graphs, and the systems that they describe."""

from symag.smv.aiger.format import Aiger, AigerLatch, ascii_text, binary_bytes
from symag.smv.aiger.reader import parse
from symag.smv.aiger.system import read, to_system

__all__ = ["Aiger", "AigerLatch", "ascii_text", "binary_bytes", "parse", "read", "to_system"]
