"""Assume-guarantee certificates: complete ones are accepted, and nothing proves what is false."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption, PartProof
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certify.assume_guarantee import check_assume_guarantee
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import invariant
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression, Operation
from symag.smv.model.types import BooleanType
from tests.brute_force import Explicit
from tests.certify.explicit_assumptions import Component, certificate
from tests.certify.packages import PACKAGES
from tests.strategies import models


def refusal(system: FlatSystem, expression: Expression, evidence: AssumeGuarantee) -> str | None:
    """The reason, which SAT and the BDDs of both packages must give alike; None where the certificate is accepted."""
    reasons: set[str | None] = set()
    for sat_nodes, package in [*((0, package) for package in PACKAGES), (10_000, PACKAGES[0])]:
        try:
            check_assume_guarantee(EncodedSystem(system, package), expression, evidence, Deadline(None), sat_nodes)
            reasons.add(None)
        except CertificationError as error:
            reasons.add(str(error))
    (reason,) = reasons
    return reason


@st.composite
def cuts(draw: st.DrawFn, system: FlatSystem, least: int = 1, most: int = 3) -> list[list[str]]:
    """The variables in parts, some of them possibly empty."""
    count = draw(st.integers(least, most))
    parts: list[list[str]] = [[] for _ in range(count)]
    for variable in system.variables:
        parts[draw(st.integers(0, count - 1))].append(variable.name)
    return parts


SMALL = models(largest=16, properties=1, fairness=False)


@settings(max_examples=30, deadline=None)
@given(SMALL, st.booleans(), st.data())
def test_complete_certificates_are_accepted_exactly_where_the_invariant_holds(
    text: str, wired: bool, data: st.DataObject
) -> None:
    system = read_text(text)
    checked = system.properties[-1]
    expression = invariant(system, checked)
    assert expression is not None
    holds = Explicit(system).holds(checked)
    for rule, least, most in (("rule-g", 1, 3), ("rule-s", 2, 2)):
        parts = data.draw(cuts(system, least, most))
        message = refusal(system, expression, certificate(system, expression, parts, rule, wired))
        kept = [set(part) for part in parts]
        split = any(not any(item.following <= part for part in kept) for item in Component(system, expression, ()).lost)
        if split:
            assert message is not None or holds
        else:
            assert (message is None) is holds, message


@pytest.mark.smoke
@settings(max_examples=60, deadline=None)
@given(SMALL, st.booleans(), st.data())
def test_no_change_of_a_certificate_makes_it_prove_what_is_false(text: str, wired: bool, data: st.DataObject) -> None:
    system = read_text(text)
    checked = system.properties[-1]
    expression = invariant(system, checked)
    assert expression is not None
    explicit = Explicit(system)
    if explicit.holds(checked):
        # Then its negation is false in the initial states, if there are any.
        expression = Operation("not", (expression,), BooleanType(), expression.position)
        assume(not explicit.holds(replace(checked, expression=expression)))
    rule = data.draw(st.sampled_from(["rule-g", "rule-s"]))
    parts = data.draw(cuts(system, 2, 2 if rule == "rule-s" else 3))
    evidence = certificate(system, expression, parts, rule, wired)
    for _ in range(data.draw(st.integers(1, 4))):
        evidence = data.draw(changes(evidence))
        assert refusal(system, expression, evidence) is not None


@st.composite
def changes(draw: st.DrawFn, evidence: AssumeGuarantee) -> AssumeGuarantee:
    """The certificate with one change to it."""
    root = st.integers(0, len(evidence.table.nodes) + 1)
    kind = draw(st.sampled_from(["set", "sets", "reject", "rejects", "edge", "drop", "target", "node", "owner"]))
    if kind == "node" and evidence.table.nodes:
        place = draw(st.integers(0, len(evidence.table.nodes) - 1))
        below = st.integers(0, place + 1)
        node = (draw(st.integers(0, len(evidence.table.bits) - 1)), draw(below), draw(below))
        nodes = (*evidence.table.nodes[:place], node, *evidence.table.nodes[place + 1 :])
        return replace(evidence, table=replace(evidence.table, nodes=nodes))
    if kind in ("set", "sets", "owner"):
        place = draw(st.integers(0, len(evidence.parts) - 1))
        part = evidence.parts[place]
        if kind == "owner":
            part = replace(part, variables=part.variables[1:])
        elif kind == "sets":
            part = replace(part, sets=(draw(st.sampled_from([0, 1])),) * len(part.sets))
        else:
            state = draw(st.integers(0, len(part.sets) - 1))
            part = replace(part, sets=(*part.sets[:state], draw(root), *part.sets[state + 1 :]))
        return replace(evidence, parts=(*evidence.parts[:place], part, *evidence.parts[place + 1 :]))
    place = draw(st.integers(0, len(evidence.assumptions) - 1))
    assumption = evidence.assumptions[place]
    state = draw(st.integers(0, len(assumption.edges) - 1))
    edges, rejects = list(assumption.edges), list(assumption.rejects)
    if kind == "reject":
        rejects[state] = draw(root)
    elif kind == "rejects":
        rejects = [draw(st.sampled_from([0, 1]))] * len(rejects)
    elif edges[state]:
        chosen = draw(st.integers(0, len(edges[state]) - 1))
        target, formula = edges[state][chosen]
        new = {
            "drop": (),
            "edge": ((target, draw(root)),),
            "target": ((draw(st.integers(0, len(edges) - 1)), formula),),
        }.get(kind, ((target, formula),))
        edges[state] = (*edges[state][:chosen], *new, *edges[state][chosen + 1 :])
    changed = Assumption(tuple(edges), tuple(rejects))
    return replace(evidence, assumptions=(*evidence.assumptions[:place], changed, *evidence.assumptions[place + 1 :]))


TOKEN = """
MODULE main
VAR a : boolean; b : boolean;
ASSIGN
  init(a) := TRUE; next(a) := b;
  init(b) := FALSE; next(b) := a;
INVARSPEC !(a & b)
"""


def token() -> tuple[FlatSystem, Expression, AssumeGuarantee]:
    system = read_text(TOKEN)
    expression = system.properties[0].expression
    assert expression is not None
    return system, expression, certificate(system, expression, [["a"], ["b"]], "rule-g", False)


def with_assumption(evidence: AssumeGuarantee, **changed: object) -> AssumeGuarantee:
    first, second = evidence.assumptions
    return replace(evidence, assumptions=(replace(first, **changed), second))  # type: ignore[arg-type]


def reject_all(assumption: Assumption) -> Assumption:
    return replace(assumption, rejects=(1,) * len(assumption.rejects))


def test_each_premise_gives_its_own_reason() -> None:
    system, expression, evidence = token()
    assert refusal(system, expression, evidence) is None
    first = evidence.assumptions[0]
    nothing = tuple(() for _ in first.edges)
    never = (0,) * len(first.rejects)
    empty = tuple(replace(part, sets=(0,) * len(part.sets)) for part in evidence.parts)
    for changed, reason in (
        (with_assumption(evidence, edges=nothing), "part 1: at the first letter a safe letter is not covered"),
        (with_assumption(evidence, rejects=never), "part 1: in state 2 the assumption does not reject"),
        (replace(evidence, assumptions=tuple(map(reject_all, evidence.assumptions))), "all assumptions reject"),
        (replace(evidence, parts=empty), "leads out of the sets"),
        (replace(evidence, rule="rule-x"), "unknown rule rule-x"),
        (replace(evidence, assumptions=evidence.assumptions[:1]), "needs 2 assumptions"),
        (replace(evidence, parts=(evidence.parts[0], evidence.parts[0])), "part 2: in state 2"),
        (replace(evidence, parts=(PartProof(("z",), evidence.parts[0].sets), evidence.parts[1])), "variable: z"),
        (replace(evidence, wires=(("a", "b"),)), "not a fresh name"),
        (replace(evidence, wires=(("w", "next(b)"),)), "reads the next state"),
        (replace(evidence, wires=(("w", "1 + 1"),)), "the wire w is not a truth value: 1 + 1"),
        (replace(evidence, wires=(("w", "nosuch"),)), "the wire w cannot be read: "),
        (replace(evidence, wires=(("w", "{TRUE, FALSE}"),)), "the wire w is not a truth value"),
        (replace(evidence, wires=(("w", "b"),), property_wire="w"), "is not the property"),
        (replace(evidence, property_wire="w"), "is not among the wires"),
    ):
        message = refusal(system, expression, changed)
        assert message is not None
        assert reason in message


@pytest.mark.parametrize("edges", [((5, 1),), ((-1, 1),)])
def test_edges_lead_to_states(edges: tuple[tuple[int, int], ...]) -> None:
    system, expression, evidence = token()
    first = evidence.assumptions[0]
    message = refusal(system, expression, with_assumption(evidence, edges=(edges, *first.edges[1:])))
    assert message is not None
    assert "leads nowhere" in message


def test_a_constraint_belongs_to_a_part_by_its_meaning() -> None:
    """The TRANS mentions next(b) but is FALSE: a part that owns only a may rely on it."""
    system = read_text(
        "MODULE main VAR a : boolean; b : boolean; ASSIGN init(a) := FALSE; next(a) := !a;"
        " TRANS next(b) & a & !a INVARSPEC !a"
    )
    expression = system.properties[0].expression
    assert expression is not None
    table = DiagramTable((("a", 0),), ((0, 1, 0), (0, 0, 1)))
    stuck = AssumeGuarantee(
        "rule-g", table, (PartProof(("a",), (0, 0)), PartProof(("b",), (1, 0))), (Assumption(((), ()), (0, 0)),) * 2
    )
    message = refusal(system, expression, stuck)
    assert message is not None
    assert "part 2: in state 0" in message
    covered = Assumption((((1, 3),), ()), (0, 0))
    both = (PartProof(("a",), (0, 0)), PartProof(("b",), (0, 0)))
    assert refusal(system, expression, replace(stuck, parts=both, assumptions=(covered, covered))) is None
