"""The command line, as the tests of commands run it."""

from tests.cli.conftest import symag

__all__ = ["symag"]
