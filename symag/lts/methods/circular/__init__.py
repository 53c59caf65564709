"""Circular reasoning over n parts: CAV 2016."""
