"""The work with binary decision diagrams: encoding, relations, reachability, CTL and LTL."""
