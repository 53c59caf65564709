"""A flat system in other formats: AIGER, JSON, Graphviz."""
