"""What re-checks say of evidence, as a truth value."""

from __future__ import annotations

from collections.abc import Callable

from symag.core.errors import CertificationError


def is_accepted(check: Callable[..., object], *arguments: object) -> bool:
    """Whether a re-check of these arguments refuses nothing."""
    try:
        check(*arguments)
    except CertificationError:
        return False
    return True
