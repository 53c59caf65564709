"""The manual on the terminal: its pages, the page of all options, and the page for ``man``."""
