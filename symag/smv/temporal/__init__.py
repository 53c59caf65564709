"""Temporal formulas over a flat system: CTL's fix-points, tableaux and monitors of LTL."""
