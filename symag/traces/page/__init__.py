"""The HTML page of a trace, for every family of models: what it shows, and how that is packed, written and read."""
