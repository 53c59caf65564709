"""Methods for labelled transition systems."""
