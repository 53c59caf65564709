"""The output of answers: lines, tables, JSON, JUnit, SARIF, progress."""
