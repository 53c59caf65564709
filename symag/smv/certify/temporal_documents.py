"""The certificates of CTL and LTL verdicts as JSON, and the pieces that documents of all kinds share."""

from __future__ import annotations

from typing import Any, Literal

from symag.core.certificates import AvoidedCondition, DiagramTable, FairEmptiness, FormulaLabel, Labelling, RemovalStep
from symag.core.documents import Member

_AVOIDED: dict[str, Literal["justice", "compassion", "eventuality", "progress"]] = {
    "justice": "justice",
    "compassion": "compassion",
    "eventuality": "eventuality",
    "progress": "progress",
}
_CLAIMS: dict[str, Literal["holds", "violated"]] = {"holds": "holds", "violated": "violated"}


def node_of(item: Member, table: DiagramTable) -> int:
    """The number of a diagram node; raises InputError."""
    number = item.has(int)
    if not 0 <= number < len(table.nodes) + 2:
        raise item.wrong("the number of a diagram node")
    return number


def nodes_of(item: Member, table: DiagramTable) -> tuple[int, ...]:
    """A list of numbers of diagram nodes; raises InputError."""
    return tuple(node_of(each, table) for each in item.items())


def texts_of(item: Member) -> tuple[tuple[str, str], ...]:
    """A list of names, each with an expression; raises InputError."""
    found = []
    for each in item.items():
        both = each.items()
        if len(both) != 2:
            raise each.wrong("a name and an expression")
        found.append((both[0].has(str), both[1].has(str)))
    return tuple(found)


def temporal_document(certificate: FairEmptiness | Labelling) -> dict[str, Any]:
    """What a certificate says besides its kind and its table."""
    if isinstance(certificate, FairEmptiness):
        return {
            "observers": certificate.observers,
            "eventualities": certificate.eventualities,
            "reached": certificate.reached,
            "removals": [_removal(item) for item in certificate.removals],
        }
    return {
        "claim": certificate.claim,
        "reached": certificate.reached,
        "labels": [_label(item) for item in certificate.labels],
        "fair": None if certificate.fair is None else _label(certificate.fair),
    }


def fair_emptiness_of(evidence: Member, table: DiagramTable) -> FairEmptiness:
    """The certificate in a document; raises InputError."""
    return FairEmptiness(
        table,
        texts_of(evidence.member("observers")),
        tuple(item.has(str) for item in evidence.items("eventualities")),
        nodes_of(evidence.member("reached"), table),
        _removals_of(evidence.member("removals"), table),
    )


def labelling_of(evidence: Member, table: DiagramTable) -> Labelling:
    """The certificate in a document; raises InputError."""
    claim = evidence.get("claim", str)
    if claim not in _CLAIMS:
        raise evidence.member("claim").wrong("holds or violated")
    fair = evidence.member("fair")
    return Labelling(
        table,
        nodes_of(evidence.member("reached"), table),
        tuple(_label_of(item, table) for item in evidence.items("labels")),
        None if fair.value is None else _label_of(fair, table),
        _CLAIMS[claim],
    )


def _label(label: FormulaLabel) -> dict[str, Any]:
    return {"states": label.states, "removals": [_removal(item) for item in label.removals]}


def _label_of(item: Member, table: DiagramTable) -> FormulaLabel:
    return FormulaLabel(node_of(item.member("states"), table), _removals_of(item.member("removals"), table))


def _removal(removal: RemovalStep) -> dict[str, Any]:
    return {"positions": removal.positions, "avoids": removal.avoids.kind, "index": removal.avoids.index}


def _removals_of(item: Member, table: DiagramTable) -> tuple[RemovalStep, ...]:
    found = []
    for each in item.items():
        kind = each.get("avoids", str)
        if kind not in _AVOIDED:
            raise each.member("avoids").wrong("justice, compassion, eventuality or progress")
        avoided = AvoidedCondition(_AVOIDED[kind], each.get("index", int))
        found.append(RemovalStep(node_of(each.member("positions"), table), avoided))
    return tuple(found)
