"""The last premise of rule-g, over letters alone: no word is rejected by all assumptions (see ``assume_guarantee``)."""

from __future__ import annotations

from msgspec import Struct

from symag.core.limits import Deadline
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.decision_diagrams import Bdd, DecisionDiagrams
from symag.smv.certify.circuits.diagrams import Diagrams
from symag.smv.certify.properties import refused
from symag.smv.model.typed import Expression


class RejectedWords(Struct, frozen=True, eq=False):
    """The assumptions of a certificate with their encoding; ``read`` are the variables that the property reads."""

    encoder: Encoder
    diagrams: Diagrams
    certificate: AssumeGuarantee
    expression: Expression
    read: frozenset[str]


def letter_roots(assumption: Assumption) -> list[int]:
    """The formulas of an assumption, as roots of the certificate's table."""
    return [root for edges in assumption.edges for _, root in edges] + list(assumption.rejects)


def check_no_word_is_rejected_by_all(claim: RejectedWords, deadline: Deadline) -> None:
    """Accept that the assumptions reject no word together: a search of the tuples of their states.

    Raises CertificationError, OutOfTimeError.
    """
    assumptions = claim.certificate.assumptions
    signals = [_AssumptionSignals(claim, assumption) for assumption in assumptions]
    context = DecisionDiagrams(claim.encoder.circuit)
    context.declare(bit for name, index in claim.certificate.table.bits for bit in [_input(claim, name, index)])
    letters = sorted({bit for item in signals for bit in item.inputs})
    safe, unsafe = _safe_and_unsafe(claim, context, letters)
    rejects = [[context.of(signal) for signal in item.rejects] for item in signals]
    edges = [
        [[(target, safe & context.of(signal)) for target, signal in outgoing] for outgoing in item.edges]
        for item in signals
    ]
    rejecting = [_may_reject(item.edges, group, context.false) for item, group in zip(signals, rejects, strict=True)]
    start = (0,) * len(assumptions)
    reached = {start}
    frontier = [start]
    while frontier:
        current = frontier.pop()
        deadline.check()
        common = unsafe
        for group, state in zip(rejects, current, strict=True):
            common = common & group[state]
        if common != context.false:
            raise refused(f"all assumptions reject an unsafe letter in states {current}")
        steps: list[tuple[tuple[int, ...], Bdd]] = [((), safe)]
        for graph, useful, state in zip(edges, rejecting, current, strict=True):
            steps = [
                ((*path, target), both)
                for path, formula in steps
                for target, edge in graph[state]
                if target in useful and (both := formula & edge) != context.false
            ]
        for target, _ in steps:
            if target not in reached:
                reached.add(target)
                frontier.append(target)


class _AssumptionSignals:
    """The formulas of an assumption as signals; ``inputs`` are the letter bits that they depend on."""

    def __init__(self, claim: RejectedWords, assumption: Assumption) -> None:
        signal = claim.diagrams.signal
        self.edges = [[(target, signal(root)) for target, root in outgoing] for outgoing in assumption.edges]
        self.rejects = [signal(root) for root in assumption.rejects]
        bits = claim.diagrams.bits(letter_roots(assumption))
        self.inputs = {_input(claim, name, index) for name, index in bits}


def _input(claim: RejectedWords, name: str, index: int) -> int:
    return claim.encoder.bits(name, False)[index]


def _safe_and_unsafe(claim: RejectedWords, context: DecisionDiagrams, letters: list[int]) -> tuple[Bdd, Bdd]:
    """The letters, as valuations of these bits, of states that satisfy the property, and of those that violate it."""
    encoder, wire = claim.encoder, claim.certificate.property_wire
    read = {wire} if wire is not None else set(claim.read)
    holds = encoder.truth(claim.expression) if wire is None else encoder.bits(wire, False)[0]
    names = read | {name for name, index in claim.certificate.table.bits if _input(claim, name, index) in letters}
    possible = encoder.circuit.all(encoder.in_range(name, False) for name in sorted(names))
    formulas = (encoder.circuit.conjunction(possible, truth) for truth in (holds, -holds))
    safe, unsafe = (context.projected(context.of(signal), letters) for signal in formulas)
    return safe, unsafe


def _may_reject(edges: list[list[tuple[int, int]]], rejects: list[Bdd], false: Bdd) -> set[int]:
    """The states from which a rejection can still follow."""
    useful = {state for state, formula in enumerate(rejects) if formula != false}
    while True:
        grown = useful | {
            state for state, outgoing in enumerate(edges) if any(target in useful for target, _ in outgoing)
        }
        if grown == useful:
            return useful
        useful = grown
