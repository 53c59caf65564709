"""Replays traces with a separate interpreter."""
