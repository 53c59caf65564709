"""Certificates and traces as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from symag.core.certificates import (
    AssumeGuarantee,
    Assumption,
    Certificate,
    DiagramTable,
    Induction,
    InductiveFacts,
    InductiveSet,
    PartProof,
)
from symag.core.documents import Member
from symag.core.errors import InputError
from symag.core.trace import Step, Trace, Value
from symag.smv.certify.documents import read_document, write_document
from symag.smv.certify.temporal_documents import (
    fair_emptiness_of,
    labelling_of,
    node_of,
    nodes_of,
    temporal_document,
    texts_of,
)
from symag.smv.model.flat import FlatSystem, Property


def write_certificate(path: str | Path, system: FlatSystem, property: Property, certificate: Certificate) -> None:
    """Write a certificate as JSON. Raises UsageError if the file cannot be written."""
    evidence: dict[str, Any] = {"kind": certificate.kind}
    if not isinstance(certificate, InductiveFacts | Induction):
        evidence |= {"bits": certificate.table.bits, "nodes": certificate.table.nodes}
    if isinstance(certificate, Induction):
        evidence |= _induction_document(certificate)
    elif isinstance(certificate, InductiveFacts):
        evidence |= {"facts": certificate.facts, "uses": certificate.uses}
    elif isinstance(certificate, InductiveSet):
        evidence["conjuncts"] = certificate.conjuncts
    elif isinstance(certificate, AssumeGuarantee):
        evidence |= {
            "rule": certificate.rule,
            "parts": [{"variables": part.variables, "sets": part.sets} for part in certificate.parts],
            "assumptions": [{"edges": item.edges, "rejects": item.rejects} for item in certificate.assumptions],
            "wires": certificate.wires,
            "property_wire": certificate.property_wire,
        }
    else:
        evidence |= temporal_document(certificate)
    write_document(path, system, property, "certificate", evidence)


def read_certificate(path: str | Path, system: FlatSystem) -> tuple[Property, Certificate]:
    """The certificate in a file and the property of the system that it is for.

    Raises InputError for a file that is truncated, malformed, foreign, or of another model. Whether the
    certificate proves anything is for ``check_certificate`` to say.
    """
    property_, evidence = read_document(path, system, "certificate")
    if property_ is None:
        raise InputError("malformed: a certificate without a property", str(path))
    kind = evidence.get("kind", str)
    if kind == "inductive-facts":
        return property_, _inductive_facts(evidence)
    if kind == "induction":
        return property_, _induction(evidence)
    table = _table(evidence)
    if kind == "inductive-set":
        return property_, InductiveSet(table, nodes_of(evidence.member("conjuncts"), table))
    if kind == "assume-guarantee":
        return property_, _assume_guarantee(evidence, table)
    if kind == "fair-emptiness":
        return property_, fair_emptiness_of(evidence, table)
    if kind == "labelling":
        return property_, labelling_of(evidence, table)
    raise evidence.member("kind").wrong("a kind of certificate that this symag knows")


def write_trace(path: str | Path, system: FlatSystem, property: Property | None, trace: Trace) -> None:
    """Write a counterexample, or a run that refutes nothing, as JSON. Raises UsageError if it cannot be written."""
    write_document(path, system, property, "trace", trace.to_json())


def read_trace(path: str | Path, system: FlatSystem) -> tuple[Property | None, Trace]:
    """The trace in a file and the property of the system that it refutes, if it is said to refute one.

    Raises InputError for a file that is truncated, malformed, foreign, or of another model. Whether the
    trace is a run that refutes the property is for ``replay`` to say.
    """
    property_, evidence = read_document(path, system, "trace")
    kind = evidence.get("kind", str)
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
    known: dict[str, Literal["finite", "lasso"]] = {"finite": "finite", "lasso": "lasso"}
    if kind not in known:
        raise evidence.member("kind").wrong("finite or lasso")
    return property_, Trace(known[kind], steps, loop.value)


def _table(evidence: Member) -> DiagramTable:
    bits = []
    for item in evidence.items("bits"):
        parts = item.items()
        if len(parts) != 2:
            raise item.wrong("a variable and a bit")
        bits.append((parts[0].has(str), parts[1].has(int)))
    nodes = []
    for number, item in enumerate(evidence.items("nodes"), start=2):
        bit, high, low = item.numbers(3)
        if not (0 <= bit < len(bits) and 0 <= high < number and 0 <= low < number):
            raise item.wrong("a diagram node over known bits and earlier nodes")
        nodes.append((bit, high, low))
    return DiagramTable(tuple(bits), tuple(nodes))


def _induction_document(certificate: Induction) -> dict[str, Any]:
    """``bits`` are the state bits that the clauses mention; in a clause, n is bit n - 1 and -n its negation."""
    bits = sorted({(name, index) for clause in certificate.clauses for name, index, _ in clause})
    place = {bit: number for number, bit in enumerate(bits, start=1)}
    clauses = [
        [place[name, index] if value else -place[name, index] for name, index, value in clause]
        for clause in certificate.clauses
    ]
    return {
        "steps": certificate.steps,
        "distinct": certificate.distinct,
        "bits": bits,
        "clauses": clauses,
        "lemmas": certificate.lemmas,
    }


def _induction(evidence: Member) -> Induction:
    bits = []
    for item in evidence.items("bits"):
        parts = item.items()
        if len(parts) != 2:
            raise item.wrong("a variable and a bit")
        bits.append((parts[0].has(str), parts[1].has(int)))
    clauses = []
    for item in evidence.items("clauses"):
        literals = [literal.has(int) for literal in item.items()]
        if any(not 1 <= abs(literal) <= len(bits) for literal in literals):
            raise item.wrong("a clause over the bits")
        clauses.append(tuple((*bits[abs(literal) - 1], literal > 0) for literal in literals))
    lemmas = tuple(item.has(str) for item in evidence.items("lemmas"))
    return Induction(evidence.get("steps", int), tuple(clauses), lemmas, evidence.get("distinct", bool))


def _inductive_facts(evidence: Member) -> InductiveFacts:
    facts = tuple(item.has(str) for item in evidence.items("facts"))
    uses = tuple(tuple(number.has(int) for number in item.items()) for item in evidence.items("uses"))
    if len(uses) != len(facts) or any(not 0 <= number < len(facts) for numbers in uses for number in numbers):
        raise evidence.member("uses").wrong("a list of numbers of facts for every fact")
    return InductiveFacts(facts, uses)


def _assume_guarantee(evidence: Member, table: DiagramTable) -> AssumeGuarantee:
    parts = tuple(
        PartProof(
            tuple(name.has(str) for name in item.items("variables")),
            nodes_of(item.member("sets"), table),
        )
        for item in evidence.items("parts")
    )
    wires = texts_of(evidence.member("wires"))
    wire = evidence.member("property_wire")
    assumptions = tuple(_assumption(item, table) for item in evidence.items("assumptions"))
    name = None if wire.value is None else wire.has(str)
    return AssumeGuarantee(evidence.get("rule", str), table, parts, assumptions, wires, name)


def _assumption(item: Member, table: DiagramTable) -> Assumption:
    states = len(item.items("edges"))
    edges = []
    for outgoing in item.items("edges"):
        found = []
        for edge in outgoing.items():
            target, _ = edge.numbers(2)
            if not 0 <= target < states:
                raise edge.wrong("an edge to a state of the assumption")
            found.append((target, node_of(edge.items()[1], table)))
        edges.append(tuple(found))
    return Assumption(tuple(edges), nodes_of(item.member("rejects"), table))


def _valuation(item: Member) -> dict[str, Value]:
    found = item.has(dict)
    for name, value in found.items():
        if not isinstance(value, bool | int | str):
            raise item.member(name).wrong("a value")
    return dict(found)


def _action(item: Member) -> str | None:
    action = item.member("action")
    return None if action.value is None else action.has(str)
