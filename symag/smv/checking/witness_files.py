"""Traces in the model's own language: witnesses of AIGER models (``.cex``) and of BTOR2 models (``.wit``)."""

from __future__ import annotations

from collections.abc import Mapping

from symag.core.errors import InputError, UsageError
from symag.core.trace import Trace
from symag.smv.model.flat import FlatSystem, Property

#: For each format the suffixes of the models that it is for.
WITNESSES: Mapping[str, tuple[str, ...]] = {"cex": (".aag", ".aig"), "wit": (".btor2", ".btor")}
_LANGUAGE = {"cex": "an AIGER", "wit": "a BTOR2"}


def check_language(path: str, name: str, system: FlatSystem) -> None:
    """Raises UsageError if a trace is to be written in a format for models in another language."""
    if name in WITNESSES and not system.source.path.endswith(WITNESSES[name]):
        kind = ", ".join(WITNESSES[name])
        raise UsageError(f"{path}: {_LANGUAGE[name]} witness can be written of a model in {kind} only")


def witness_text(path: str, name: str, system: FlatSystem, checked: Property | None, trace: Trace) -> str:
    """The witness of a trace, for the file ``path``. Raises UsageError for a model in another language."""
    check_language(path, name, system)
    if name == "cex":
        # For start-up: only this format needs it.
        from symag.smv.aiger.witness import text as aiger_text

        return aiger_text(system, checked, trace)
    # For start-up: only this format needs it.
    from symag.smv.btor2.witness import text as btor2_text

    return btor2_text(system, checked, trace)


def read_witness(
    content: str, path: str, name: str, system: FlatSystem, expected: Property | None
) -> tuple[Property | None, tuple[Trace, ...]]:
    """The run of a witness and the property that it claims to violate; None if it claims none.

    There are several runs if it does not say to which state a loop returns. Raises InputError.
    """
    native = system.source.path.endswith(WITNESSES[name])
    if name == "cex" and native:
        # For start-up: only this format needs it.
        from symag.smv.aiger.witness_reading import read_witness as read_aiger

        return read_aiger(content, path, system, expected)
    if name == "cex":
        from symag.smv.convert.witness import read_witness as read_converted  # with certify's circuits, slow to import

        return expected, (read_converted(content, path, system, expected),)
    if not native:
        raise InputError(f"a .wit file is a witness of a BTOR2 model, and {system.source.path} is none", path)
    # For start-up: only this format needs it.
    from symag.smv.btor2.witness_reading import read_witness as read_btor2

    return read_btor2(content, path, system, expected)
