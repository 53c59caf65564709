"""Assume-guarantee reasoning with learned assumptions: Rule 1, nested for several parts."""
