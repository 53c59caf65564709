"""Answers about SMV models in text and pictures: certificates, traces, runs."""
