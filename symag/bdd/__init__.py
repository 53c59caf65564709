"""Binary decision diagrams (BDDs): one contract, and the packages that implement it."""
