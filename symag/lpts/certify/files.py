"""Evidence about probabilistic systems as JSON files, each for one system and one property.

``sha256`` is the hash of the components and the specification as they were read: constants count, comments do not.
Probabilities are texts such as "1/3".
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.core.errors import InputError
from symag.core.evidence.documents import Member, evidence_text, read_evidence
from symag.core.evidence.quantitative_evidence import QuantitativeEvidence
from symag.core.evidence.simulation_evidence import (
    AbstractSystem,
    Evidence,
    Proof,
    SafetyProof,
    SimulationProof,
    TreeCounterexample,
    TreeNode,
)
from symag.core.files import write_file
from symag.lpts.certify.quantity_files import quantity_document, quantity_fingerprint, read_quantities
from symag.lpts.lpts import Lpts
from symag.lpts.quantitative import QuantitativeProblem
from symag.lpts.safety_formulas import Liveness

_KIND = "certificate"
_LARGEST = 2**62


def fingerprint(components: Sequence[Lpts], specification: Lpts | Liveness) -> str:
    """SHA-256 of all systems, and of the formula if there is one, as hexadecimal digits."""
    digest = hashlib.sha256()
    if isinstance(specification, Liveness):
        digest.update(repr(specification).encode())
    for system in (*components, *([specification] if isinstance(specification, Lpts) else [])):
        digest.update(repr((system.alphabet, system.states, [str(p) for p in system.probabilities])).encode())
        for numbers in (system.source, system.action, system.begin, system.target, system.weight):
            digest.update(np.ascontiguousarray(numbers, dtype="<i8").tobytes())
    return digest.hexdigest()


def simulation_evidence_text(
    model: str,
    text: str,
    components: Sequence[Lpts],
    specification: Lpts | Liveness,
    evidence: Evidence,
) -> str:
    """The document of evidence about the components of a model."""
    kind = "simulation" if isinstance(specification, Lpts) else "pctl"
    about = {"index": 0, "kind": kind, "name": None, "text": text}
    document = _tree_document(evidence) if isinstance(evidence, TreeCounterexample) else _proof_document(evidence)
    sha256 = fingerprint(components, specification)
    return evidence_text(_KIND, model, sha256, about, {"kind": evidence.kind, **document})


def write_simulation_evidence(
    path: str | Path,
    model: str,
    text: str,
    components: Sequence[Lpts],
    specification: Lpts | Liveness,
    evidence: Evidence,
) -> None:
    """Write that document. Raises UsageError if the file cannot be written."""
    write_file(path, simulation_evidence_text(model, text, components, specification, evidence))


def _proof_document(proof: Proof) -> dict[str, Any]:
    if isinstance(proof, SafetyProof):
        why: dict[str, Any] = {"states": proof.states, "values": [[str(v) for v in value] for value in proof.values]}
    else:
        why = {"relation": proof.relation, "weights": proof.weights, "total": proof.total}
    return {
        "parts": proof.parts,
        "assumptions": [
            {
                "states": assumption.states,
                "transitions": [
                    (source, action, [(target, str(probability)) for target, probability in branches])
                    for source, action, branches in assumption.transitions
                ],
                "classes": [(row, class_) for *row, class_ in assumption.classes.tolist()],
            }
            for assumption in proof.assumptions
        ],
        **({"beside": proof.beside} if proof.beside else {}),
        **why,
    }


def _tree_document(tree: TreeCounterexample) -> dict[str, Any]:
    return {
        "nodes": [
            {
                "parent": node.parent,
                "move": node.move,
                "action": node.action,
                "probability": str(node.probability),
                "local": node.local,
            }
            for node in tree.nodes
        ]
    }


def quantitative_evidence_text(
    model: str, about: dict[str, Any], problem: QuantitativeProblem, evidence: QuantitativeEvidence
) -> str:
    """The file with evidence about probabilities and rewards."""
    document = {"kind": evidence.kind, **quantity_document(evidence)}
    return evidence_text(_KIND, model, quantity_fingerprint(problem), about, document)


def property_index(path: str | Path) -> int:
    """The index of the property that a file's evidence is about. Raises InputError."""
    return read_evidence(path, _KIND).member("property").get("index", int)


def read_quantitative_evidence(path: str | Path, problem: QuantitativeProblem) -> QuantitativeEvidence:
    """The evidence in a file that was written for exactly this problem. Raises InputError for every other file."""
    root = read_evidence(path, _KIND)
    if root.get("sha256", str) != quantity_fingerprint(problem):
        raise InputError("certificate of another model or property: it has another SHA-256", str(path))
    evidence = root.member("evidence")
    if evidence.get("kind", str) != "quantitative-bounds":
        raise evidence.member("kind").wrong("evidence about probabilities and rewards")
    return read_quantities(evidence)


def read_simulation_evidence(path: str | Path, components: Sequence[Lpts], specification: Lpts | Liveness) -> Evidence:
    """The evidence in a file that was written for exactly these systems, which the re-check judges.

    Raises InputError for every other file.
    """
    root = read_evidence(path, _KIND)
    if root.get("sha256", str) != fingerprint(components, specification):
        raise InputError("certificate of another model: components and specification have another SHA-256", str(path))
    evidence = root.member("evidence")
    kind = evidence.get("kind", str)
    if kind == "strong-simulation" and isinstance(specification, Lpts):
        return _proof(evidence)
    if kind == "safety-bounds" and isinstance(specification, Liveness):
        return _safety(evidence)
    if kind == "stochastic-tree":
        return TreeCounterexample(tuple(_node(item) for item in evidence.items("nodes")))
    raise evidence.member("kind").wrong("a kind of evidence about simulations that this symag knows")


def _safety(evidence: Member) -> SafetyProof:
    return SafetyProof(
        tuple(_integers(part) for part in evidence.items("parts")),
        tuple(_assumption(item) for item in evidence.items("assumptions")),
        tuple(_integers(state) for state in evidence.items("states")),
        tuple(tuple(_fraction(value) for value in row.items()) for row in evidence.items("values")),
        _beside(evidence),
    )


def _proof(evidence: Member) -> SimulationProof:
    return SimulationProof(
        tuple(_integers(part) for part in evidence.items("parts")),
        tuple(_assumption(item) for item in evidence.items("assumptions")),
        tuple(_state_and_number(item) for item in evidence.items("relation")),
        tuple(tuple(_two(entry) for entry in item.items()) for item in evidence.items("weights")),
        evidence.get("total", int),
        _beside(evidence),
    )


def _beside(evidence: Member) -> tuple[int, ...]:
    return _integers(evidence.member("beside")) if "beside" in evidence.has(dict) else ()


def _assumption(item: Member) -> AbstractSystem:
    transitions = []
    for transition in item.items("transitions"):
        parts = transition.items()
        if len(parts) != 3:
            raise transition.wrong("a state, an action and branches")
        branches = tuple(_branch(branch) for branch in parts[2].items())
        transitions.append((parts[0].has(int), parts[1].has(str), branches))
    return AbstractSystem(item.get("states", int), tuple(transitions), _classes(item.member("classes")))


def _classes(item: Member) -> NDArray[np.int64]:
    rows = [(*state, class_) for state, class_ in map(_state_and_number, item.items())]
    if len({len(row) for row in rows}) > 1 or any(not 0 <= number < _LARGEST for row in rows for number in row):
        raise item.wrong("a list of states, all of the same components, with their classes")
    return np.array(rows, dtype=np.int64).reshape(len(rows), -1) if rows else np.zeros((0, 1), dtype=np.int64)


def _branch(item: Member) -> tuple[int, Fraction]:
    parts = item.items()
    if len(parts) != 2:
        raise item.wrong("a state and a probability")
    return parts[0].has(int), _fraction(parts[1])


def _node(item: Member) -> TreeNode:
    action = item.member("action")
    return TreeNode(
        item.get("parent", int),
        item.get("move", int),
        None if action.value is None else action.has(str),
        _fraction(item.member("probability")),
        _integers(item.member("local")),
    )


def _state_and_number(item: Member) -> tuple[tuple[int, ...], int]:
    parts = item.items()
    if len(parts) != 2:
        raise item.wrong("a state and a number")
    return _integers(parts[0]), parts[1].has(int)


def _two(item: Member) -> tuple[int, int]:
    first, second = item.numbers(2)
    return first, second


def _integers(item: Member) -> tuple[int, ...]:
    return tuple(number.has(int) for number in item.items())


def _fraction(item: Member) -> Fraction:
    try:
        return Fraction(item.has(str))
    except (ValueError, ZeroDivisionError):
        raise item.wrong("a probability such as 1/3") from None
