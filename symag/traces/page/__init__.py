"""The HTML page of a trace, for every family of models: its content, and how that is packed, written and read."""
