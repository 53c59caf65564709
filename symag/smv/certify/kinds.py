"""The kinds of certificates. Adding one is one module and one line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from symag.core.deadlines import Deadline
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify.circuits.packages import Package
from symag.smv.model.flat import FlatSystem, Property


class Kind(Protocol):
    """The members of a kind's module."""

    @property
    def CERTIFICATE(self) -> type[Certificate]:  # noqa: N802 - a constant of the module
        """The value, which reads and writes itself."""

    def check(
        self,
        system: FlatSystem,
        property: Property,
        certificate: Certificate,
        deadline: Deadline,
        package: Package = "auto",
    ) -> None:
        """Accept a certificate as a proof of what it claims about the property.

        ``package`` makes the decision diagrams, if the kind needs them. Raises CertificationError with the premise that
        fails, OutOfTimeError at the deadline, UnsupportedError for a property that no certificate of the kind proves.
        """


#: The name of each kind and its module, which is imported when a certificate of the kind is read or checked: no check
#: waits for the solvers of the others.
KINDS: Mapping[str, str] = {
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
}


def kind_named(name: str) -> Kind | None:
    """The kind with this name, None if there is none."""
    return cast(Kind, importlib.import_module(KINDS[name])) if name in KINDS else None
