"""Families of models, and what the command line and the library do with every family."""
