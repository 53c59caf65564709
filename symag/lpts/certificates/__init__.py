"""Evidence about probabilistic systems, as plain values that are written to files and re-checked by ``certify``."""
