"""The kinds of certificates. Adding one is one module and one line here.

A module's ``check(property, certificate, deadline, encoded)`` accepts a certificate as a proof of what it claims about
the property. ``encoded`` is the system with what earlier re-checks proved of it, for the kinds that share premises. It
raises UnsupportedError for a property that no certificate of the kind proves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from symag.core.evidence.kinds import Kinds
from symag.core.limits import Deadline
from symag.smv.certificates.certificate import Certificate
from symag.smv.model.flat import Property

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
