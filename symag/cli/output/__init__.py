"""Where answers go: lines, tables, JSON, JUnit, SARIF, progress."""
