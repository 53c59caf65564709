"""Re-check of PSL with sequences: derivatives, truth along a lasso, the claim about automata."""
