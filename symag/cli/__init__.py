"""The command line: one file for each command. Only this package prints and exits."""
