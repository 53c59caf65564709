"""PRISM's language: text, syntax tree, flat model, explored states."""
