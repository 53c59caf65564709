"""Separate code that re-checks traces and certificates of labelled transition systems."""
