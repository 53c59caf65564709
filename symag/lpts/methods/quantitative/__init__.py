"""Probabilities and expected rewards: floating-point values, and exact bounds made of them."""
