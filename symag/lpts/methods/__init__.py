"""Methods for labelled probabilistic transition systems (agar-lpts-2012)."""
