"""Changed copies of values, which are Structs or dataclasses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # mypy compares the changes with the fields, of Structs too, for this function only.
    from dataclasses import replace
else:
    from msgspec import Struct, structs

    def replace(value, /, **changes):
        """The value with these fields changed. Raises TypeError for the name of no field."""
        if isinstance(value, Struct):
            return structs.replace(value, **changes)
        import dataclasses  # for start-up: small checks have Structs only

        return dataclasses.replace(value, **changes)


__all__ = ["replace"]
