"""The manual on the terminal: its pages, the page of options, and the page for ``man``."""
