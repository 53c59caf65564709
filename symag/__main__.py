"""``python -m symag`` is the command ``symag``."""

from symag.cli.main import main

main()
