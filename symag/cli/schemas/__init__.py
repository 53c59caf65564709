"""JSON Schemas of what commands print with --json."""
