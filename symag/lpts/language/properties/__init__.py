"""PRISM's properties: the text of pCTL formulas and rewards, and what they mean in one model."""
