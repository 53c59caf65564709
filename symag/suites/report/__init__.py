"""Reports from a file of results: scores, plots, tables, and one HTML page."""
