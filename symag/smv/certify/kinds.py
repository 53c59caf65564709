"""The kinds of certificates, and certificates and traces as files. Adding a kind is one module and one line here.

A module's ``check(property, certificate, deadline, encoded)`` accepts a certificate as a proof of what it claims about
the property. ``encoded`` is the system with what earlier re-checks proved of it, for the kinds that share premises. It
raises UnsupportedError for a property that no certificate of the kind proves.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.evidence.documented import Kinds
from symag.core.evidence.documents import Member, read_evidence, write_evidence
from symag.core.limits import Deadline
from symag.core.trace import Step, Trace, Value
from symag.smv.certificates.certificate import Certificate
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.certify.circuits.encoded import EncodedSystem

_Check = Callable[[Property, Certificate, Deadline, "EncodedSystem"], None]

KINDS = Kinds[Certificate, _Check](
    {
        "inductive-set": "symag.smv.certify.inductive_set",
        "inductive-facts": "symag.smv.certify.inductive_facts",
        "inductive-parts": "symag.smv.certify.inductive_parts",
        "induction": "symag.smv.certify.induction",
        "signal-correspondence": "symag.smv.certify.signal_correspondence",
        "assume-guarantee": "symag.smv.certify.assume_guarantee",
        "bounded-fairness": "symag.smv.certify.temporal.bounded_fairness",
        "no-fair-lasso": "symag.smv.certify.temporal.no_fair_lasso",
        "fair-emptiness": "symag.smv.certify.fair_emptiness",
        "labelling": "symag.smv.certify.labelling",
        "witness-circuit": "symag.smv.certify.witness_circuit",
    },
    "a kind of certificate that this symag knows",
)


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


def write_certificate(path: str | Path, system: FlatSystem, property: Property, certificate: Certificate) -> None:
    """Write a certificate as JSON. Raises UsageError if the file cannot be written."""
    evidence = {"kind": certificate.kind, **certificate.document()}
    write_document(path, system, property, "certificate", evidence)


def read_certificate(path: str | Path, system: FlatSystem) -> tuple[Property, Certificate]:
    """The certificate in a file and the property of the system that it is for.

    Raises InputError for a file that is truncated, malformed, of another tool or of another model. The certificate may
    prove nothing: ``check_certificate`` decides that.
    """
    property_, evidence = read_document(path, system, "certificate")
    if property_ is None:
        raise InputError("malformed: a certificate without a property", str(path))
    return property_, KINDS.read(evidence)


class EarlierProof(Struct, frozen=True):
    """A certificate of some version of a model, and the kind, name and text of the property that it is for."""

    path: str
    kind: str
    name: str | None
    text: str
    certificate: Certificate


def read_earlier_proof(path: str | Path) -> EarlierProof:
    """The certificate in a file, of any SMV model. Raises InputError for a file that is no such certificate."""
    # The new proof may take the place of the earlier one.
    root = read_evidence(path, "certificate", may_be_replaced=True)
    about = root.member("property")
    name = about.member("name")
    return EarlierProof(
        str(path),
        about.get("kind", str),
        None if name.value is None else name.has(str),
        about.get("text", str),
        KINDS.read(root.member("evidence")),
    )


def write_trace(path: str | Path, system: FlatSystem, property: Property | None, trace: Trace) -> None:
    """Write a counterexample, or a run that refutes nothing, as JSON. Raises UsageError if it cannot be written."""
    write_document(path, system, property, "trace", trace.to_json())


def read_trace(path: str | Path, system: FlatSystem) -> tuple[Property | None, Trace]:
    """The trace in a file and the property that it claims to refute; None if it claims none.

    Raises InputError for a file that is truncated, malformed, of another tool or of another model. The trace may refute
    nothing: ``replay`` decides that.
    """
    property_, evidence = read_document(path, system, "trace")
    kinds: dict[str, Literal["finite", "lasso"]] = {"finite": "finite", "lasso": "lasso"}
    kind = evidence.get("kind", str)
    if kind not in kinds:
        raise evidence.member("kind").wrong("finite or lasso")
    steps = tuple(
        Step(_valuation(item.member("state")), _valuation(item.member("input")), _action(item))
        for item in evidence.items("steps")
    )
    loop = evidence.member("loop")
    if not steps:
        raise evidence.member("steps").wrong("a list of at least one step")
    if kind == "finite" and loop.value is not None:
        raise loop.wrong("null, though the trace is finite")
    if kind == "lasso" and not 0 <= loop.has(int) < len(steps):
        raise loop.wrong("the number of a step")
    return property_, Trace(kinds[kind], steps, loop.value)


def _valuation(item: Member) -> dict[str, Value]:
    values = item.has(dict)
    for name, value in values.items():
        if not isinstance(value, bool | int | str):
            raise item.member(name).wrong("a value")
    return dict(values)


def _action(item: Member) -> str | None:
    action = item.member("action")
    return None if action.value is None else action.has(str)
