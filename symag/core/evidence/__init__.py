"""Evidence as files: documents, their names, and the files that keep refused evidence."""
