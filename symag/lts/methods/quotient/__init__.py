"""The assumption quotient: FORTE 2006."""
