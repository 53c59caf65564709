"""JSON Schemas of the output of commands with --json."""
