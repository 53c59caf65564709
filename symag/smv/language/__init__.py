"""SMV's text: tokens, grammar, syntax trees, PSL."""
