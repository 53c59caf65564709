"""Assertions of fluent linear temporal logic as formulas over atoms, in negation normal form.

Position i of a run is the moment after its action number i. A fluent is true there if the last of its
initiating and terminating actions so far was an initiating one (or, if there was none, if it is initially
true); a set of actions, if action number i is in it.

A run that ends is judged as in LTSA: an eventuality that is open at the end fails, and all other conditions on
positions after the end count as true. But within an eventuality X p also requires a next position.

Reference: D. Giannakopoulou and J. Magee, "Fluent model checking for event-based systems" (ESEC/FSE 2003).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from symag.core.errors import InputError
from symag.lts.language.evaluation import Definitions, Scope
from symag.lts.language.syntax import Assertion, Fluent, Formula, Specification


class FluentInstance(Struct, frozen=True):
    """One instance of a fluent."""

    name: str
    initiating: frozenset[str]
    terminating: frozenset[str]
    initially: bool


class ActionOccurs(Struct, frozen=True):
    """An atom that is true if the last action is one of these."""

    actions: frozenset[str]


class Temporal(Struct, frozen=True):
    """``and or X U R`` of formulas, ``true``, ``false``, or ``atom`` and ``not atom`` (then ``atom`` says which)."""

    operator: str
    operands: tuple[Temporal, ...] = ()
    atom: FluentInstance | ActionOccurs | None = None


TRUE = Temporal("true")
FALSE = Temporal("false")


def negation(formula: Temporal) -> Temporal:
    """The negation, in negation normal form."""
    dual = {"and": "or", "or": "and", "U": "R", "R": "U", "X": "X"}
    swapped = {"true": "false", "false": "true", "atom": "not atom", "not atom": "atom"}
    if formula.operator in swapped:
        return Temporal(swapped[formula.operator], (), formula.atom)
    return Temporal(dual[formula.operator], tuple(map(negation, formula.operands)))


def granted_after_end(formula: Temporal) -> bool:
    """Whether a formula in negation normal form counts as true at the positions after the end of a run."""
    match formula.operator:
        case "false" | "U":
            return False
        case "and" | "X":
            return all(map(granted_after_end, formula.operands))
        case "or":
            return any(map(granted_after_end, formula.operands))
        case _:
            return True


def conjunction(left: Temporal, right: Temporal) -> Temporal:
    """The conjunction, simplified if an operand is a constant."""
    if FALSE in (left, right):
        return FALSE
    if TRUE in (left, right):
        return right if left == TRUE else left
    return Temporal("and", (left, right))


def disjunction(left: Temporal, right: Temporal) -> Temporal:
    """The disjunction, simplified if an operand is a constant."""
    return negation(conjunction(negation(left), negation(right)))


def atoms(formula: Temporal) -> frozenset[FluentInstance | ActionOccurs]:
    """The fluents and sets of actions that the formula reads."""
    own = frozenset(() if formula.atom is None else (formula.atom,))
    return own.union(*map(atoms, formula.operands))


def mentioned(formula: Temporal) -> frozenset[str]:
    """The actions in the formula's atoms."""
    actions: frozenset[str] = frozenset()
    for atom in atoms(formula):
        actions |= atom.actions if isinstance(atom, ActionOccurs) else atom.initiating | atom.terminating
    return actions


def assertion(definitions: Definitions, specification: Specification, declared: Assertion) -> Temporal:
    """The formula of an assertion, with the defaults of its parameters. Raises InputError."""
    return _with_next_positions(_Expansion(definitions, specification).of_assertion(declared, None), False)


def constraint(definitions: Definitions, specification: Specification, declared: Assertion, scope: Scope) -> Temporal:
    """The formula of a constraint whose parameters have the values in ``scope``. Raises InputError."""
    return _Expansion(definitions, specification).of_assertion(declared, scope)


def _with_next_positions(formula: Temporal, is_owed: bool) -> Temporal:
    """The formula with X p and X (true U true), there is a next position, for X p where the nearest U or R is U."""
    inner = formula.operator == "U" if formula.operator in ("U", "R") else is_owed
    formula_ = Temporal(
        formula.operator, tuple(_with_next_positions(operand, inner) for operand in formula.operands), formula.atom
    )
    if formula.operator == "X" and is_owed:
        return Temporal("and", (formula_, Temporal("X", (Temporal("U", (TRUE, TRUE)),))))
    return formula_


class _Expansion:
    def __init__(self, definitions: Definitions, specification: Specification) -> None:
        self._definitions = definitions
        self._assertions = {declared.name: declared for declared in specification.assertions}
        self._fluents = dict(self._instances(specification.fluents))
        self._open: list[str] = []

    def _instances(self, fluents: Sequence[Fluent]) -> Iterator[tuple[str, FluentInstance]]:
        definitions = self._definitions
        for fluent in fluents:
            for suffix, scope in definitions.expansions(fluent.ranges, {}):
                name = f"{fluent.name}.{suffix}" if suffix else fluent.name
                initiating = frozenset(definitions.labels(fluent.initiating, scope))
                terminating = frozenset(definitions.labels(fluent.terminating, scope))
                if initiating & terminating:
                    message = f"an action both initiates and terminates the fluent {name}"
                    raise self._definitions.source.error(message, fluent.position)
                initially = fluent.initially is not None and definitions.integer(fluent.initially, scope) > 0
                yield name, FluentInstance(name, initiating, terminating, initially)

    def of_assertion(self, declared: Assertion, values: Mapping[str, int | str] | None) -> Temporal:
        if declared.name in self._open:
            raise self._definitions.source.error(f"the assertion {declared.name} refers to itself", declared.position)
        self._open.append(declared.name)
        scope = {parameter.name: self._definitions.value(parameter.value, {}) for parameter in declared.parameters}
        formula = self._of(declared.formula, scope | dict(values or {}))
        self._open.pop()
        return formula

    def _of(self, formula: Formula, scope: Scope) -> Temporal:
        if formula.operator == "atom":
            return self._atom(formula, scope)
        if formula.operator in ("forall", "exists"):
            (body,) = formula.operands
            parts = [self._of(body, inner) for _, inner in self._definitions.expansions(formula.indices, scope)]
            join = conjunction if formula.operator == "forall" else disjunction
            joined = parts[0]
            for part in parts[1:]:
                joined = join(joined, part)
            return joined
        return _combined(formula.operator, [self._of(operand, scope) for operand in formula.operands])

    def _atom(self, formula: Formula, scope: Scope) -> Temporal:
        definitions = self._definitions
        if formula.condition is not None:
            return TRUE if definitions.integer(formula.condition, scope) > 0 else FALSE
        if formula.name is None:
            return Temporal("atom", (), ActionOccurs(frozenset(definitions.labels(formula.actions, scope))))
        if formula.name in self._assertions and formula.name not in self._fluents and not formula.indices:
            called = self._assertions[formula.name]
            arguments = [definitions.value(argument, scope) for argument in formula.arguments]
            if arguments and len(arguments) != len(called.parameters):
                raise self._error(
                    f"{called.name} has {len(called.parameters)} parameters, not {len(arguments)}", formula
                )
            values = dict(zip((parameter.name for parameter in called.parameters), arguments, strict=False))
            return self.of_assertion(called, values)
        formula_ = FALSE
        for suffix in definitions.labels(formula.indices, scope):
            name = f"{formula.name}.{suffix}" if suffix else formula.name
            if name not in self._fluents:
                raise self._error(f"there is no fluent or assertion {name}", formula)
            formula_ = disjunction(formula_, Temporal("atom", (), self._fluents[name]))
        return formula_

    def _error(self, message: str, formula: Formula) -> InputError:
        return self._definitions.source.error(message, formula.position)


def _combined(operator: str, operands: list[Temporal]) -> Temporal:
    first, last = operands[0], operands[-1]
    match operator:
        case "!":
            return negation(first)
        case "X":
            return Temporal("X", (first,))
        case "<>":
            return Temporal("U", (TRUE, first))
        case "[]":
            return Temporal("R", (FALSE, first))
        case "&&":
            return conjunction(first, last)
        case "||":
            return disjunction(first, last)
        case "->":
            return disjunction(negation(first), last)
        case "<->":
            both = conjunction(first, last)
            return disjunction(both, conjunction(negation(first), negation(last)))
        case "W":
            return Temporal("R", (last, disjunction(first, last)))
        case _:
            return Temporal("U", (first, last))
