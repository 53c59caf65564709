"""Re-check of assume-guarantee proofs, premise by premise.

The law, where p is the property and a letter is a valuation of the letter bits in one state:

- Premise of a part: its runs are paired with the states of the assumption that reads their letters. The runs of a part
  are those of all constraints of the system that depend on the next value of no variable outside the part. (Every
  constraint of the system may be used in every premise, for the system's runs satisfy it.) In assumption state q every
  unsafe letter (one that violates p) that the part can take is in ``rejects[q]``. Every safe letter that it can take is
  covered by an edge of q, and every such edge leads to a state q' with the part's next state in ``sets[q']``.
- rule-g, last premise: along safe letters the assumptions reach no tuple of states with an unsafe letter that all of
  them reject.
- rule-s, second premise: the other part, paired with the same assumption, never takes an unsafe letter that the
  assumption rejects. Safe letters without an edge need no check here, for the first premise excludes them.

A variable whose bits are in several parts belongs to each of them.

A certificate with facts is checked of the system that has them as INVAR; they are proved first (``strengthening``).

Why that proves p: take a run of the system up to its first violation. By the premises of the parts every assumption has
a state after each of its letters, and rejects the last one. The last premise says that this cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from symag.core.errors import InputError
from symag.core.limits import Deadline
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption, PartProof
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    ConstraintSignals,
    VariableReads,
    relevant,
    with_read_variables,
)
from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams
from symag.smv.certify.circuits.diagrams import Diagrams, bit_order
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.circuits.wires import through_wires
from symag.smv.certify.inductive_set import SAT_NODES
from symag.smv.certify.properties import provable_invariant, refused
from symag.smv.certify.rejected_words import RejectedWords, check_no_word_is_rejected_by_all, letter_roots
from symag.smv.certify.strengthening import strengthened
from symag.smv.expression_reader import expression as expression_of
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType


@dataclass(frozen=True, slots=True)
class _Proof:
    """Values that all premises share; ``constraints`` are those of the system and of the wires."""

    system: FlatSystem
    expression: Expression
    certificate: AssumeGuarantee
    reading: VariableReads
    constraints: list[ConstraintReads]
    encoder: Encoder
    diagrams: Diagrams
    deadline: Deadline
    sat_nodes: int


CERTIFICATE = AssumeGuarantee


def check(property: Property, certificate: AssumeGuarantee, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``."""
    claim = provable_invariant(encoded.system, property, certificate)
    # The expressions of wires are read in the system with the facts, which has the same names.
    check_assume_guarantee(strengthened(encoded, certificate.facts, deadline), claim, certificate, deadline)


def check_assume_guarantee(
    encoded: EncodedSystem,
    expression: Expression,
    certificate: AssumeGuarantee,
    deadline: Deadline,
    sat_nodes: int = SAT_NODES,
) -> None:
    """Accept assumptions as a proof that a propositional expression is invariant.

    Raises CertificationError with the premise that fails, OutOfTimeError at the deadline. Costs two questions for each
    part and assumption state (to a SAT solver if the table has at most ``sat_nodes`` nodes, else to BDDs), and of
    rule-g a search of the reachable tuples of assumption states.
    """
    _check_shape(certificate)
    proof = _prepared(encoded, expression, certificate, deadline, sat_nodes)
    _check_owned_variables(proof)
    _check_property_wire(proof)
    if certificate.rule == "rule-s":
        assumption = certificate.assumptions[0]
        _check_part(proof, 0, assumption, rejecting=True)
        _check_part(proof, 1, assumption, rejecting=False)
        return
    for number, assumption in enumerate(certificate.assumptions):
        _check_part(proof, number, assumption, rejecting=True)
    letters = proof.reading.of(expression)[0]
    check_no_word_is_rejected_by_all(
        RejectedWords(proof.encoder, proof.diagrams, certificate, expression, letters), deadline
    )


def _check_shape(certificate: AssumeGuarantee) -> None:
    count = {"rule-g": len(certificate.parts), "rule-s": 1}.get(certificate.rule)
    if count is None:
        raise refused(f"unknown rule {certificate.rule}")
    if len(certificate.assumptions) != count or not certificate.parts:
        raise refused(f"{certificate.rule} needs {count} assumptions, not {len(certificate.assumptions)}")
    if certificate.rule == "rule-s" and len(certificate.parts) != 2:
        raise refused(f"rule-s needs two parts, not {len(certificate.parts)}")
    for number, part in enumerate(certificate.parts):
        assumption = certificate.assumptions[0 if certificate.rule == "rule-s" else number]
        states = len(assumption.edges)
        if states == 0 or len(assumption.rejects) != states or len(part.sets) != states:
            raise refused(f"part {number + 1} and its assumption disagree on the number of states")
        if any(not 0 <= target < states for edges in assumption.edges for target, _ in edges):
            raise refused(f"an edge of the assumption of part {number + 1} leads nowhere")


def _prepared(
    encoded: EncodedSystem, expression: Expression, certificate: AssumeGuarantee, deadline: Deadline, sat_nodes: int
) -> _Proof:
    system, reading = encoded.system, encoded.reading
    constraints = list(encoded.constraints)
    wires: dict[str, Expression] = {}
    for name, text in certificate.wires:
        if name in wires or name in system.by_name or name in system.defines:
            raise refused(f"the wire {name} is not a fresh name")
        try:
            wires[name] = expression_of(system, text)
        except InputError as error:
            raise refused(f"the wire {name} cannot be read: {error}") from None
        if not isinstance(wires[name].type, BooleanType):
            raise refused(f"the wire {name} is not a truth value: {text}")
        if reading.of(wires[name])[1]:
            raise refused(f"the wire {name} reads the next state")
        constraints.append(ConstraintReads("state", name, wires[name], reading))
    constraints += list(through_wires(system, constraints, wires))
    encoder = Encoder(system, Circuit(encoded.package), wires)
    diagrams = Diagrams(encoder, certificate.table)
    return _Proof(system, expression, certificate, reading, constraints, encoder, diagrams, deadline, sat_nodes)


def _check_owned_variables(proof: _Proof) -> None:
    for number, part in enumerate(proof.certificate.parts):
        for name in part.variables:
            if name not in proof.system.by_name and name not in proof.encoder.wires:
                raise refused(f"part {number + 1} owns an unknown variable: {name}")


def _check_property_wire(proof: _Proof) -> None:
    name = proof.certificate.property_wire
    if name is None:
        return
    if name not in proof.encoder.wires:
        raise refused(f"the property's wire {name} is not among the wires")
    wire = proof.encoder.truth(proof.encoder.wires[name])
    difference = proof.encoder.circuit.exclusive(wire, proof.encoder.truth(proof.expression))
    read = proof.reading.of(proof.encoder.wires[name])[0] | proof.reading.of(proof.expression)[0]
    with Satisfiability(proof.encoder.circuit, proof.deadline) as solver:
        solver.require(proof.encoder.in_range(variable, False) for variable in sorted(read))
        if solver.is_satisfiable([difference]):
            raise refused(f"the wire {name} is not the property")


def _own_constraints(proof: _Proof, part: PartProof) -> list[ConstraintReads]:
    return [item for item in proof.constraints if item.following <= proof.system.frozen.union(part.variables)]


def _independent_constraints(proof: _Proof, part: PartProof, own: list[ConstraintReads]) -> list[ConstraintReads]:
    """Constraints that mention next values of other parts' variables without depending on them. Costs BDDs."""
    encoder = proof.encoder
    context = DecisionDiagrams(encoder.circuit)
    others = proof.system.by_name.keys() - proof.system.frozen - set(part.variables)
    bits = {bit for name in others for bit in encoder.bits(name, True)}
    own_ids = {id(item) for item in own}
    return [
        item
        for item in proof.constraints
        if id(item) not in own_ids and not bits & context.inputs(context.of(item.signal(encoder)))
    ]


def _check_part(proof: _Proof, number: int, assumption: Assumption, *, rejecting: bool) -> None:
    """The premise of one part: the assumption rejects every unsafe letter that the part takes (``rejecting``), or,
    for the second part of rule-s, none.
    """
    part = proof.certificate.parts[number]
    own = _own_constraints(proof, part)
    start = proof.diagrams.support([*part.sets, *letter_roots(assumption)]) | proof.reading.of(proof.expression)[0]
    if _part_failure(proof, part, assumption, rejecting, relevant(own, start), start) is None:
        return
    own += _independent_constraints(proof, part, own)
    failure = _part_failure(proof, part, assumption, rejecting, own, start.union(part.variables))
    if failure is not None:
        raise refused(f"part {number + 1}: {failure}")


def _part_failure(
    proof: _Proof,
    part: PartProof,
    assumption: Assumption,
    rejecting: bool,
    selected: list[ConstraintReads],
    start: set[str],
) -> str | None:
    encoder, diagrams = proof.encoder, proof.diagrams
    safe = encoder.truth(proof.expression)
    names = with_read_variables(start, selected)
    constraints = ConstraintSignals.of(encoder, selected, names)
    # Assumption state 0 occurs twice: at the first letter with Init, and later with its set.
    pairs = [(encoder.circuit.all(constraints.initial), 0, "at the first letter")]
    pairs += [(diagrams.signal(root), state, f"in state {state}") for state, root in enumerate(part.sets)]
    with ExitStack() as stack:
        ask: _Ask
        if len(proof.certificate.table.nodes) <= proof.sat_nodes:
            solver = stack.enter_context(Satisfiability(encoder.circuit, proof.deadline))
            ask = partial(_ask_sat, solver)
        else:
            context = DecisionDiagrams(encoder.circuit)
            order = bit_order(encoder, proof.certificate.table, selected, names)
            context.declare(encoder.bits(name, primed)[bit] for name, bit in order for primed in (False, True))
            ask = partial(_ask_diagrams, context, proof.deadline)
        questions = []
        for inside, state, _ in pairs:
            rejected = diagrams.signal(assumption.rejects[state])
            questions.append((inside, encoder.circuit.conjunction(-safe, -rejected if rejecting else rejected)))
        for (_, _, where), possible in zip(pairs, ask(constraints.state, questions), strict=False):
            if possible:
                verb = "does not reject" if rejecting else "rejects"
                return f"{where} the assumption {verb} an unsafe letter that the part can take"
        questions = []
        for inside, state, _ in pairs:
            wrong = encoder.circuit.any(_wrong_steps(encoder, diagrams, part, assumption, state, rejecting))
            questions.append((inside, encoder.circuit.conjunction(safe, wrong)))
        conjuncts = [*constraints.state, *constraints.on_steps]
        for (_, _, where), possible in zip(pairs, ask(conjuncts, questions), strict=False):
            if possible:
                return f"{where} a safe letter is not covered or leads out of the sets"
    return None


#: From conjuncts and pairs of signals: for each pair in turn, whether both can be true together with all conjuncts.
_Ask = Callable[[list[int], list[tuple[int, int]]], Iterator[bool]]


def _ask_sat(solver: Satisfiability, conjuncts: list[int], questions: list[tuple[int, int]]) -> Iterator[bool]:
    solver.require(conjuncts)
    for question in questions:
        yield solver.is_satisfiable(question)


def _ask_diagrams(
    context: DecisionDiagrams, deadline: Deadline, conjuncts: list[int], questions: list[tuple[int, int]]
) -> Iterator[bool]:
    formulas = [context.of(signal) for signal in conjuncts]
    for first, last in questions:
        yield context.is_satisfiable(context.of(first), formulas, context.of(last), deadline)


def _wrong_steps(
    encoder: Encoder, diagrams: Diagrams, part: PartProof, assumption: Assumption, state: int, rejecting: bool
) -> Iterator[int]:
    """Signals of steps that lead out of the sets and, if ``rejecting``, of letters without an edge."""
    for target, root in assumption.edges[state]:
        outside = -diagrams.signal(part.sets[target], primed=True)
        yield encoder.circuit.conjunction(diagrams.signal(root), outside)
    if rejecting:
        yield -encoder.circuit.any(diagrams.signal(root) for _, root in assumption.edges[state])
