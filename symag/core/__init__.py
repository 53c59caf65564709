"""What belongs to no family of models: errors, limits, results, sources, tokens, files."""
