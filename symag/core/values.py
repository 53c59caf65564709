"""Changed copies of values, which are Structs or dataclasses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # mypy compares the changes with the fields, of Structs too, for this function only.
    from dataclasses import replace
else:
    import dataclasses

    from msgspec import Struct, structs

    def replace(value, /, **changes):
        """The value with these fields changed. Raises TypeError for the name of no field."""
        changed = structs.replace if isinstance(value, Struct) else dataclasses.replace
        return changed(value, **changes)


__all__ = ["replace"]
