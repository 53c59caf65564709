"""The kinds of inquiries that share their loop with others."""
