"""Decides, re-checks and shows the properties of SMV models."""
