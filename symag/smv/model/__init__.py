"""The flat, typed system, and what is computed from it alone: bits, dependencies, wires, text."""
