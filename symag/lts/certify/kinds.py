"""The kinds of certificates for labelled transition systems. Adding one is one module and one line here.

A module's ``check(system, question, certificate, deadline)`` accepts that nothing violates the question.

Certificates in files are documents of ``symag.core.evidence.documents``. A certificate belongs to a composite process
as compiled: ``sha256`` is that of its components, so constants and further component files count, comments do not.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from symag.core.errors import InputError
from symag.core.evidence.documented import Kinds
from symag.core.evidence.documents import read_evidence, write_evidence
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lts.certificates import LabelledCertificate
from symag.lts.language.composites import Model
from symag.lts.language.systems import System
from symag.lts.questions import CompositeQuestion, questions

KINDS = Kinds[LabelledCertificate, Callable[[System, CompositeQuestion, LabelledCertificate, Deadline], None]](
    {
        "exploration": "symag.lts.certify.exploration",
        "labelled-assumptions": "symag.lts.certify.rules",
        "modal-abstractions": "symag.lts.certify.liveness.modal_abstraction",
        "reduction-chain": "symag.lts.certify.reduction_chain",
        "state-quotient": "symag.lts.certify.state_quotient",
        "watched-reduction": "symag.lts.certify.liveness.watched_reduction",
    },
    "a kind of certificate that this symag knows for this model",
)


def check_certificate(
    system: System, question: CompositeQuestion, certificate: LabelledCertificate, deadline: Deadline
) -> None:
    """Accept that nothing violates the question. Raises CertificationError and OutOfTimeError."""
    KINDS.check(certificate)(system, question, certificate, deadline)


_KIND = "certificate"


def fingerprint(system: System) -> str:
    """SHA-256 of the components (names, alphabets, transitions) and the priorities, as hexadecimal digits."""
    # For start-up: only evidence in files names its model.
    import hashlib

    digest = hashlib.sha256()
    for lts in system.components:
        digest.update(repr((lts.name, lts.alphabet, lts.states, lts.end, lts.is_property)).encode())
        for numbers in (lts.source, lts.action, lts.target):
            digest.update(np.ascontiguousarray(numbers, dtype="<i8").tobytes())
    if system.priority is not None:
        digest.update(repr((sorted(system.priority.labels), system.priority.low)).encode())
    return digest.hexdigest()


def write_labelled_certificate(
    path: str | Path, model: Model, question: CompositeQuestion, certificate: LabelledCertificate
) -> None:
    """Write a certificate of one question about a model. Raises UsageError if the file cannot be written."""
    about = {
        "index": question.index,
        "kind": question.kind,
        "name": question.name,
        "text": question.text,
        "target": question.target,
    }
    evidence = {"kind": certificate.kind, **certificate.document()}
    sha256 = fingerprint(model.composite(question.target))
    write_evidence(path, _KIND, model.source.path, sha256, about, evidence)


def read_labelled_certificate(path: str | Path, model: Model) -> tuple[System, CompositeQuestion, LabelledCertificate]:
    """The certificate in a file, with the composite process and the question that it is for.

    Raises InputError for a file that is truncated, malformed, of another tool, or of another model. Does not check
    the certificate: see ``kinds.check_certificate``.
    """
    root = read_evidence(path, _KIND)
    about = root.member("property")
    target, kind, text = (about.get(key, str) for key in ("target", "kind", "text"))
    if target not in model.targets:
        raise InputError(f"certificate of a composite that the model does not have: {target[:200]}", str(path))
    system = model.composite(target)
    if root.get("sha256", str) != fingerprint(system):
        message = f"certificate of another model: {target} in {model.source.path} has another SHA-256"
        raise InputError(message, str(path))
    for candidate in questions(model, target, default_progress=True):
        if (candidate.kind, candidate.text) == (kind, text):
            question = replace(candidate, index=about.get("index", int))
            return system, question, KINDS.read(root.member("evidence"))
    raise InputError(f"certificate of a property that the model does not have: {text[:200]}", str(path))
