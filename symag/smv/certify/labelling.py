"""Re-check of CTL labels: what the proofs of the operators (``temporal.operator_laws``) say of the property."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.smv.certificates.temporal import Labelling
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.operator_tree import OperatorNode, constant_truth, operator_tree
from symag.smv.certify.properties import branching_formula, provable, refused
from symag.smv.certify.temporal.operator_laws import LabelProofs
from symag.smv.certify.temporal.reached import initial_states, reached_states
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property
from symag.smv.model.typed import Expression

CERTIFICATE = Labelling


def check(property: Property, certificate: Labelling, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``. Labels prove that a CTL formula holds, or (``claim``) is violated.

    Costs a backward search in BDDs for each least fixed point of the property; the reached states are only checked to
    be closed.
    """
    formula = provable(branching_formula(encoded.system, property), property, certificate)
    if certificate.claim == "holds" and constant_truth(formula):
        return
    proved = _proved([formula], certificate, deadline, encoded)
    if proved[0] is not None:
        raise proved[0]


def check_together(properties: Sequence[Property], certificate: Labelling, encoded: EncodedSystem) -> frozenset[int]:
    """The numbers of those CTL properties that a labelling without labels proves: its reached states serve all.

    Raises CertificationError if they are not closed or do not contain the initial states, UnsupportedError for other
    properties.
    """
    with deep_recursion():
        formulas = [provable(branching_formula(encoded.system, item), item, certificate) for item in properties]
        holds = certificate.claim == "holds"
        shown = {number for number, formula in enumerate(formulas) if holds and constant_truth(formula)}
        others = [number for number in range(len(formulas)) if number not in shown]
        if others:
            searched = [formulas[number] for number in others]
            proved = _proved(searched, certificate, Deadline(None), encoded)
            shown.update(number for number, error in zip(others, proved, strict=True) if error is None)
    return frozenset(shown)


def _proved(
    formulas: Sequence[Expression], certificate: Labelling, deadline: Deadline, encoded: EncodedSystem
) -> list[CertificationError | None]:
    """Why each formula is not proved; None if it is. Raises CertificationError if the reached states are not right."""
    trees = [operator_tree(formula) for formula in formulas]
    inside, positions = reached_states(trees, certificate, deadline, encoded)
    # Most often every state starts a fair run, and the search for the others costs most.
    every, with_unfair = (
        LabelProofs(encoded.encoder, positions, inside, certificate, unfair) for unfair in (False, True)
    )
    errors: list[CertificationError | None] = []
    for tree in trees:
        if certificate.labels and len(tree.operators) != len(certificate.labels):
            raise refused(f"it has {len(certificate.labels)} labels, but the property {len(tree.operators)} operators")
        errors.append(None)
        try:
            _conclude(every, tree.root)
        except CertificationError as error:
            errors[-1] = error
        if errors[-1] is not None and (certificate.fair is not None or not certificate.labels):
            try:
                _conclude(with_unfair, tree.root)
                errors[-1] = None
            except CertificationError as error:
                errors[-1] = error
    return errors


def _conclude(labels: LabelProofs, root: OperatorNode) -> None:
    positions, false = labels.positions, labels.context.false
    expected = labels.certificate.claim == "holds"
    shown = labels.proved(root, expected)
    if expected:
        if labels.is_everywhere(shown):
            return
        if initial_states(positions) & ~shown & ~labels.unfair() != false:
            raise refused("an initial state is not shown to satisfy the property")
    else:
        violating = initial_states(positions, certain=True) & shown
        if violating == false or violating & labels.fair() == false:
            raise refused("no initial state is shown to violate the property")
