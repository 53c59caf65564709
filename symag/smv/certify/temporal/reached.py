"""The reached states of a labelling: a set that contains the initial states, and that no transition leaves."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.limits import Deadline
from symag.smv.certificates.temporal import Labelling
from symag.smv.certify.circuits.constraints import relevant, with_read_variables
from symag.smv.certify.circuits.decision_diagrams import Bdd
from symag.smv.certify.circuits.diagrams import Diagrams
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.operator_tree import OperatorTree
from symag.smv.certify.properties import refused
from symag.smv.certify.temporal.positions import Constraints, Positions, every_name


def reached_states(
    trees: Sequence[OperatorTree], certificate: Labelling, deadline: Deadline, encoded: EncodedSystem
) -> tuple[Bdd, Positions]:
    """The reached states of a labelling, and the system over the cone of influence of several formulas: the transitions
    from these states.

    That no transition leaves them is asked once for each set. Raises CertificationError if one does, or (for the claim
    that the formulas hold) an initial state is not among them; OutOfTimeError at the deadline.
    """
    encoder = encoded.encoder
    diagrams = Diagrams(encoder, certificate.table)
    constraints = _needed(encoded, trees, certificate, diagrams)
    positions = Positions.of(encoder, diagrams, certificate.table, constraints, deadline, encoded)
    context = positions.context
    parts = [positions.set([root]) for root in certificate.reached]
    reached = context.conjunction([*parts, *positions.always])
    for part in parts:
        check_reads_states_only(positions, part)
    inside = positions.states(reached)
    # From here on, transitions from other states are of no interest.
    positions = positions.within(inside)
    signals = frozenset(diagrams.signal(root) for root in certificate.reached)
    if not encoded.is_proved_under(("never left", signals), constraints.selected):
        if any(part != context.true and positions.may.leads(reached, ~part) for part in parts):
            raise refused("a transition leaves the reached states")
        encoded.record(("never left", signals), constraints.selected)
    everything = all(part == context.true for part in parts)
    if certificate.claim == "holds" and not everything and initial_states(positions) & ~inside != context.false:
        raise refused("an initial state is not among the reached states")
    return inside, positions


def _needed(
    encoded: EncodedSystem, trees: Sequence[OperatorTree], certificate: Labelling, diagrams: Diagrams
) -> Constraints:
    """The constraints in the cone of influence of the properties, the sets and fairness, if all others are assignments.

    An assignment always gives a value, so every run of the variables in the cone is part of a run of the system. Other
    constraints outside of the cone may forbid a run; then all constraints count.
    """
    system, reading, every = encoded.system, encoded.reading, encoded.constraints
    sets = [*certificate.labels, *([] if certificate.fair is None else [certificate.fair])]
    roots = [*certificate.reached, *(label.states for label in sets)]
    roots += [removal.positions for label in sets for removal in label.removals]
    start = diagrams.support(roots)
    expressions = [node.atom for tree in trees for node in tree.atoms() if node.atom is not None]
    for expression in [*expressions, *system.fairness]:
        start |= reading.of(expression)[0]
    in_cone = relevant(every, start)
    ids = {id(item) for item in in_cone}
    if all(id(item) in ids or item.target is not None for item in every):
        return Constraints(in_cone, with_read_variables(start, in_cone))
    return Constraints(every, every_name(system))


def initial_states(positions: Positions, *, certain: bool = False) -> Bdd:
    """The initial states; only those that are initial for every erroneous value, if ``certain``."""
    first = positions.context.conjunction([*positions.initial, *positions.always])
    return positions.states(positions.certainly(first) if certain else first)


def check_reads_states_only(positions: Positions, states: Bdd) -> None:
    """A set with a state and one of its inputs only would hide the transitions that other inputs allow."""
    if positions.context.support(states) & positions.inputs:
        raise refused("a set of states mentions inputs")
