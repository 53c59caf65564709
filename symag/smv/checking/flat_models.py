"""Models that are flat systems of variables: SMV, and AIGER."""

from __future__ import annotations

from symag.smv.model.flat import FlatSystem


def read_flat_system(path: str) -> FlatSystem:
    """Read, type-check and flatten an SMV model, or read an AIGER file (``.aag``, ``.aig``) as a flat system.

    Raises InputError with the position.
    """
    # Each language is imported when it is read.
    if path.endswith((".aag", ".aig")):
        from symag.smv.aiger import read as read_aiger

        return read_aiger(path)
    from symag.smv import read as read_model

    return read_model(path)
