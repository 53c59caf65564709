"""Options of the command line: declared by the families, shared by commands, grouped in help."""
