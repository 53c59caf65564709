"""Searches over an encoded system: reachability, fair cycles, CTL, and the traces that they find."""
