"""Models that are flat systems of variables: SMV, AIGER and BTOR2."""

from __future__ import annotations

from symag.smv.model.flat import FlatSystem

AIGER_SUFFIXES = (".aag", ".aig")
BTOR2_SUFFIXES = (".btor2", ".btor")


def read_flat_system(path: str) -> FlatSystem:
    """Read, type-check and flatten an SMV model, or read an AIGER file (``.aag``, ``.aig``) or a BTOR2 file
    (``.btor2``, ``.btor``) as a flat system.

    Raises InputError with the position.
    """
    # Each language is imported when it is read.
    if path.endswith(AIGER_SUFFIXES):
        from symag.smv.aiger import read as read_aiger

        return read_aiger(path)
    if path.endswith(BTOR2_SUFFIXES):
        from symag.smv.btor2 import read as read_btor2

        return read_btor2(path)
    from symag.smv import read as read_model

    return read_model(path)
