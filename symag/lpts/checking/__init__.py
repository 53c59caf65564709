"""Decides, re-checks and shows simulations between probabilistic systems."""
