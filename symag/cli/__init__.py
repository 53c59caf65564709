"""The command line: one file a command; only what stands here prints and exits."""
