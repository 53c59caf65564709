"""The kinds of certificates for probabilistic systems. Adding one is one module and one line here.

A module's ``check(problem, certificate, deadline)`` accepts what the certificate claims about the problem.

Certificates in files are each for one problem and one property. ``sha256`` is the hash of the problem as it was read:
constants count, comments do not. Probabilities are texts such as "1/3".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from symag.core.errors import InputError
from symag.core.evidence.documented import Kinds
from symag.core.evidence.documents import evidence_text, read_evidence
from symag.core.limits import Deadline
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.lpts import Lpts
from symag.lpts.problems import (
    EquivalenceProblem,
    Liveness,
    Problem,
    QuantitativeProblem,
    SimulationProblem,
    TripleProblem,
)

if TYPE_CHECKING:
    # Only for the name of a type.
    import hashlib

KINDS = Kinds[ProbabilisticCertificate, Callable[[Problem, ProbabilisticCertificate, Deadline], None]](
    {
        "strong-simulation": "symag.lpts.certify.simulations",
        "safety-bounds": "symag.lpts.certify.safety_formulas",
        "stochastic-tree": "symag.lpts.certify.trees",
        "bisimulation-classes": "symag.lpts.certify.equivalences",
        "distinguishing-formula": "symag.lpts.certify.distinguishing_formulas",
        "distinguishing-tree": "symag.lpts.certify.distinguishing_trees",
        "quantitative-bounds": "symag.lpts.certify.quantities",
        "triples": "symag.lpts.certify.triples",
    },
    "a kind of evidence that this symag knows",
)


def check_certificate(problem: Problem, certificate: ProbabilisticCertificate, deadline: Deadline) -> None:
    """Accept what the certificate claims about the problem. Raises CertificationError and OutOfTimeError."""
    KINDS.check(certificate)(problem, certificate, deadline)


_KIND = "certificate"


def fingerprint(problem: Problem) -> str:
    """SHA-256 of all systems and of the formula, if there is one, as hexadecimal digits."""
    # For start-up: only evidence in files names its model.
    import hashlib

    digest = hashlib.sha256()
    if isinstance(problem, SimulationProblem):
        if isinstance(problem.specification, Liveness):
            digest.update(repr(problem.specification).encode())
        for system in (*problem.components, problem.specification):
            if isinstance(system, Lpts):
                _add_system(digest, system)
    elif isinstance(problem, EquivalenceProblem):
        digest.update(problem.relation.encode())
        for system in (*problem.components, problem.other):
            _add_system(digest, system)
    elif isinstance(problem, TripleProblem):
        question = (problem.assumed, problem.guarantee, problem.most, problem.curve, problem.plan)
        digest.update(repr((question, len(problem.components))).encode())
        if problem.fair:
            digest.update(repr([monitor.negated for monitor in problem.monitors]).encode())
        for system in (*problem.components, *(monitor.system for monitor in problem.monitors)):
            _add_system(digest, system)
        for monitor in problem.monitors:
            digest.update(repr((monitor.probability, list(map(str, monitor.costs)))).encode())
    else:
        _add_quantities(digest, problem)
    return digest.hexdigest()


def _add_system(digest: hashlib._Hash, system: Lpts) -> None:
    digest.update(repr((system.alphabet, system.states, [str(p) for p in system.probabilities])).encode())
    for numbers in (system.source, system.action, system.begin, system.target, system.weight):
        digest.update(np.ascontiguousarray(numbers, dtype="<i8").tobytes())


def _add_quantities(digest: hashlib._Hash, problem: QuantitativeProblem) -> None:
    digest.update(repr((problem.formula, problem.initial_states)).encode())
    _add_system(digest, problem.system)
    for condition in problem.conditions:
        digest.update(np.packbits(condition).tobytes())
    for rewards in problem.rewards:
        digest.update(f"{rewards.denominator}".encode())
        for earned in (rewards.state, rewards.transition):
            digest.update(",".join(map(hex, earned.tolist())).encode())


def certificate_text(
    model: str, about: Mapping[str, Any], problem: Problem, certificate: ProbabilisticCertificate
) -> str:
    """The document of a certificate; ``about`` are the members of the property."""
    evidence = {"kind": certificate.kind, **certificate.document()}
    return evidence_text(_KIND, model, fingerprint(problem), dict(about), evidence)


def property_index(path: str | Path) -> int:
    """The index of the property that a file's evidence is about. Raises InputError."""
    return read_evidence(path, _KIND).member("property").get("index", int)


def read_certificate(path: str | Path, problem: Problem) -> ProbabilisticCertificate:
    """The certificate in a file that was written for exactly this problem, which the re-check judges.

    Raises InputError for every other file.
    """
    root = read_evidence(path, _KIND)
    if root.get("sha256", str) != fingerprint(problem):
        raise InputError("certificate of another model or property: it has another SHA-256", str(path))
    return KINDS.read(root.member("evidence"))
