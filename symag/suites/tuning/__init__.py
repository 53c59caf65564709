"""The best setting by experiment: which are tried, what they cost, what predicts it."""
