"""Evidence as files: documents, their names, and what is kept of evidence that a re-check refused."""
