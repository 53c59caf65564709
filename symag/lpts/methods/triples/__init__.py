"""Assume-guarantee triples: the linear program of a triple, by generation of columns, and what follows from several."""
