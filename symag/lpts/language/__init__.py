"""Readers of probabilistic systems: PRISM's language, explicit files, pCTL."""
