"""Re-check of progress and assertions by parts."""
