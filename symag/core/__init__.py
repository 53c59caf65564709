"""Values and services for all families of models: errors, limits, results, sources, tokens, files."""
