"""Facts in the model's own names: a clause, a linear relation or a conditional equality of atoms as an expression."""

from __future__ import annotations

from collections.abc import Sequence

from symag.smv.facts.atoms import StateAtom, negation, number
from symag.smv.facts.candidates import Clause, LinearRelation
from symag.smv.facts.conditionals import ConditionalEquality
from symag.smv.facts.pool import Candidate
from symag.smv.model.typed import Expression, Operation, conjunction, disjunction, implication
from symag.smv.model.types import BooleanType, IntegerType

_BOOLEAN = BooleanType()
_INTEGER = IntegerType()


def fact_expression(candidate: Candidate, atoms: Sequence[StateAtom]) -> Expression:
    """A candidate over the model's names: an implication, a disjunction, or an equation of sums."""
    if isinstance(candidate, Clause):
        return _clause(candidate, atoms)
    if isinstance(candidate, ConditionalEquality):
        return _conditional(candidate, atoms)
    return _relation(candidate, atoms)


def _clause(clause: Clause, atoms: Sequence[StateAtom]) -> Expression:
    positive = [atoms[atom].expression for atom, sign in clause.literals if sign]
    negative = [atoms[atom].expression for atom, sign in clause.literals if not sign]
    if not negative:
        return disjunction(*positive)
    premise = conjunction(*negative)
    return implication(premise, disjunction(*positive)) if positive else negation(premise)


def _conditional(conditional: ConditionalEquality, atoms: Sequence[StateAtom]) -> Expression:
    operator = "iff" if conditional.is_equal else "xor"
    operands = (atoms[conditional.one].expression, atoms[conditional.other].expression)
    conclusion = Operation(operator, operands, _BOOLEAN, 0)
    premise = [_relation(relation, atoms) for relation in conditional.premise]
    return implication(conjunction(*premise), conclusion) if premise else conclusion


def _relation(relation: LinearRelation, atoms: Sequence[StateAtom]) -> Expression:
    """Positive coefficients on the left, the others on the right; the atom or its negation if there is only one."""
    if len(relation.terms) == 1:
        ((atom, weight),) = relation.terms
        if relation.constant in (0, -weight):
            return atoms[atom].expression if relation.constant else negation(atoms[atom].expression)
    left = [_term(weight, atoms[atom]) for atom, weight in relation.terms if weight > 0]
    right = [_term(-weight, atoms[atom]) for atom, weight in relation.terms if weight < 0]
    if relation.constant:
        (left if relation.constant > 0 else right).append(number(abs(relation.constant)))
    return Operation("=", (_sum(left), _sum(right)), _BOOLEAN, 0)


def _term(weight: int, atom: StateAtom) -> Expression:
    value = Operation("toint", (atom.expression,), _INTEGER, 0)
    return value if weight == 1 else Operation("*", (number(weight), value), _INTEGER, 0)


def _sum(terms: list[Expression]) -> Expression:
    if not terms:
        return number(0)
    total = terms[0]
    for term in terms[1:]:
        total = Operation("+", (total, term), _INTEGER, 0)
    return total
