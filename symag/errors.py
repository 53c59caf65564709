"""The errors that symag raises, for callers who catch them."""

from symag.core.errors import CertificationError, InputError, UnsupportedError, UsageError

__all__ = ["CertificationError", "InputError", "UnsupportedError", "UsageError"]
