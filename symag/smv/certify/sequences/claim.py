"""What a certificate for PSL with sequences has to prove: an LTL formula of the system with automata beside it.

It is built here from the law at the head of ``symag.smv.temporal.sequences``. Only the automata are those of the
search, and each of them is first compared with the derivatives of its sequence.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.smv.certify.sequences.derivatives import check_automaton
from symag.smv.model.flat import Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.sequences import SequenceAutomaton, automaton
from symag.smv.model.typed import (
    BOOLEAN,
    FALSE,
    TRUE,
    Expression,
    Operation,
    VariableReference,
    conjunction,
    disjunction,
    negation,
    subexpressions,
)

_FUTURE = {"X": "X", "F": "G", "G": "F", "U": "V", "V": "U"}


@dataclass(slots=True)
class _Claim:
    deadline: Deadline
    variables: list[str] = field(default_factory=list)
    steps: list[Expression] = field(default_factory=list)
    fair: list[Expression] = field(default_factory=list)
    globally: list[Expression] = field(default_factory=list)
    operators: int = 0


def sequence_claim(system: FlatSystem, formula: Expression, deadline: Deadline) -> tuple[FlatSystem, Expression]:
    """The system with automata, and the LTL formula that all its fair runs satisfy iff the formula holds.

    Raises CertificationError for an automaton that is not that of its sequence, OutOfTimeError.
    """
    claim = _Claim(deadline)
    violated = conjunction(_walk(claim, formula, False), *claim.globally)
    taken = set(system.by_name) | set(system.defines)
    if taken & set(claim.variables):
        raise CertificationError("the system has a variable with the name of an automaton's")
    added = tuple(Variable(name, BOOLEAN, VariableKind.STATE, 0) for name in claim.variables)
    whole = replace(
        system,
        variables=(*system.variables, *added),
        trans=(*system.trans, *(Constraint(step, 0) for step in claim.steps)),
        justice=(*system.justice, *(Constraint(condition, 0) for condition in claim.fair)),
    )
    return whole, negation(violated)


def _walk(claim: _Claim, formula: Expression, positive: bool) -> Expression:
    """The formula (or its negation) in negation normal form, its sequences replaced by obligations."""
    if not _has_sequences(formula):
        return formula if positive else negation(formula)
    assert isinstance(formula, Operation)
    operator, operands = formula.operator, formula.operands
    if operator.startswith("seq "):
        return _obligation(claim, operator, operands, positive)
    if operator == "not":
        return _walk(claim, operands[0], not positive)
    if operator in ("and", "or"):
        parts = [_walk(claim, operand, positive) for operand in operands]
        return conjunction(*parts) if (operator == "and") == positive else disjunction(*parts)
    if operator == "implies":
        parts = [_walk(claim, operands[0], not positive), _walk(claim, operands[1], positive)]
        return disjunction(*parts) if positive else conjunction(*parts)
    if operator in ("iff", "xnor", "xor"):
        equal = (operator != "xor") == positive
        parts = []
        for side in (True, False):
            first = _walk(claim, operands[0], side)
            parts.append(conjunction(first, _walk(claim, operands[1], side == equal)))
        return disjunction(*parts)
    if operator not in _FUTURE:
        raise CertificationError(f"sequences inside '{operator}' are not re-checked")
    inner = tuple(_walk(claim, operand, positive) for operand in operands)
    return Operation(operator if positive else _FUTURE[operator], inner, BOOLEAN, 0)


def _obligation(claim: _Claim, operator: str, operands: tuple[Expression, ...], positive: bool) -> Expression:
    sequence = operands[0]
    read = automaton(sequence)
    check_automaton(sequence, read, claim.deadline)
    kinds = {
        ("seq |->", True): "all",
        ("seq |->", False): "some",
        ("seq {}!", True): "some",
        ("seq {}!", False): "all",
        ("seq {}", True): "weak",
        ("seq {}", False): "fails",
    }
    kind = kinds[operator, positive]
    goal: Expression = _walk(claim, operands[1], positive) if operator == "seq |->" else TRUE if positive else FALSE
    name = f"PSL.{claim.operators}"
    claim.operators += 1
    claim.variables.append(name)
    if _has(goal, frozenset(_FUTURE)):
        claim.variables.append(f"{name}.goal")
        claim.globally.append(Operation("G", (disjunction(negation(_now(f"{name}.goal")), goal),), BOOLEAN, 0))
        goal = _now(f"{name}.goal")
    going = sorted({transition.source for transition in read.transitions})
    _rules(claim, name, read, goal, kind, "")
    claim.variables.extend(f"{name}.{state}" for state in going)
    if kind in ("some", "fails"):
        _rules(claim, name, read, goal, kind, ".due")
        claim.variables.extend(f"{name}.{state}.due" for state in going)
        clear = conjunction(*(negation(_now(f"{name}.{state}.due")) for state in going))
        for state in going:
            renewed = disjunction(negation(_next(f"{name}.{state}")), _next(f"{name}.{state}.due"))
            claim.steps.append(disjunction(negation(clear), renewed))
        claim.fair.append(clear)
    return _now(name)


def _rules(claim: _Claim, name: str, read: SequenceAutomaton, goal: Expression, kind: str, suffix: str) -> None:
    """The steps of an obligation from state to state; with a suffix, of the obligations that are due, of which none
    begins here.
    """
    going = {transition.source for transition in read.transitions}
    sources = [({state}, _now(f"{name}.{state}{suffix}")) for state in sorted(going)]
    if not suffix:
        sources.append((set(read.initial), _now(name)))
    for states, held in sources:
        choices: list[tuple[Expression, Expression]] = []
        for transition in read.transitions:
            if transition.source in states:
                ends = [_next(f"{name}.{transition.target}{suffix}")] if transition.target in going else []
                ends += [goal] if transition.target in read.final else []
                choices.extend((transition.letter, end) for end in ends)
        if kind in ("some", "weak"):
            claim.steps.append(disjunction(negation(held), *(conjunction(*choice) for choice in choices)))
        else:
            claim.steps.extend(disjunction(negation(held), negation(letter), end) for letter, end in choices)


def _has_sequences(formula: Expression) -> bool:
    return _has(formula, frozenset(("seq |->", "seq {}", "seq {}!")))


def _has(formula: Expression, operators: frozenset[str]) -> bool:
    return any(isinstance(part, Operation) and part.operator in operators for part in subexpressions(formula))


def _now(name: str) -> Expression:
    return VariableReference(name, False, BOOLEAN, 0)


def _next(name: str) -> Expression:
    return VariableReference(name, True, BOOLEAN, 0)
