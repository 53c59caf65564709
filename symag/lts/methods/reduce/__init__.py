"""The method ``reduce``: compositional minimisation."""
