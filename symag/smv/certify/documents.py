"""Documents of evidence about SMV models: which model and which property they belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symag.core.errors import InputError
from symag.core.evidence.documents import Member, read_evidence, write_evidence
from symag.smv.model.flat import FlatSystem, Property


def fingerprint(system: FlatSystem) -> str:
    """SHA-256 of the bytes of the model's file, as hexadecimal digits."""
    return system.source.digest


def write_document(
    path: str | Path, system: FlatSystem, checked: Property | None, kind: str, evidence: dict[str, Any]
) -> None:
    """Write evidence to a file, completely or not at all. Raises UsageError if it cannot be written.

    ``checked`` is None for a run that is no evidence (a simulation).
    """
    about = None
    if checked is not None:
        about = {"index": checked.index, "kind": checked.kind, "name": checked.name, "text": checked.text}
    write_evidence(path, kind, system.source.path, fingerprint(system), about, evidence)


def read_document(path: str | Path, system: FlatSystem, kind: str) -> tuple[Property | None, Member]:
    """The property in a file (None for a run that is no evidence), and the evidence.

    Raises InputError for a file that was not written for this model.
    """
    name = str(path)
    root = read_evidence(path, kind)
    if root.get("sha256", str) != fingerprint(system):
        raise InputError(
            f"{kind} of another model, or an older version of symag: the file {system.source.path} has another SHA-256",
            name,
        )
    property_ = root.member("property")
    if property_.value is None:
        return None, root.member("evidence")
    index, text = property_.get("index", int), property_.get("text", str)
    for checked in system.properties:
        if checked.index == index and checked.text == text:
            return checked, root.member("evidence")
    raise InputError(f"{kind} of a property that the model does not have: {text[:200]}", name)
