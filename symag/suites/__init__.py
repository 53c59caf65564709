"""Batches of many models: suites, jobs in processes of their own, and files of results that survive crashes."""
