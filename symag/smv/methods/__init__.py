"""Methods for SMV models."""
