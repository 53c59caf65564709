"""The weak-safety fragment of pCTL for LPTSs (agar-lpts-2012, end of Section 5): its formulas and their text.

    safety    S ::= true | false | !a | S & S | S | S | (S) | P<=q [path]
    liveness  L ::= true | false | a | L & L | L | L | (L) | P>q [path]
    path        ::= X L | F L | L U L

``a`` is an action and means that it is possible, or a label in quotes, such as ``"done"``, and means the states that
have it; q is a probability (0.1, 1/10). ``P<=q [path]`` says that under no
scheduler the paths have more than probability q, ``P>q [path]`` that under some they have. A scheduler may stop at
any time. Simulation preserves safety: what a system that simulates more does not violate, none below it does.

A safety formula is kept as its violation, the liveness formula that is its negation.

A label is the action of a self-loop in each state that has it (see ``symag.lpts.labels``): its name begins with a
quotation mark. Such a loop is no step: ``X`` and ``U`` do not count it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from symag.core.errors import InputError

_TOKEN = re.compile(r'\s*(?:(<=|>|[()\[\]&|!])|(\d+(?:\.\d+)?(?:/\d+)?)|([A-Za-z_][A-Za-z_0-9.]*)|("[^"\n]*"))')
_PROPOSITION = re.compile(r'[A-Za-z_][A-Za-z_0-9.]*|"[^"]+"')
_RESERVED = frozenset(("true", "false", "P", "X", "F", "U"))


@dataclass(frozen=True, slots=True)
class Liveness:
    """``possible`` has an ``action``; ``next`` and ``until`` a ``bound`` that the probability must exceed.

    Operands: two of ``and``, ``or`` and ``until``; one of ``next``.
    """

    operator: Literal["true", "false", "possible", "and", "or", "next", "until"]
    operands: tuple[Liveness, ...] = ()
    action: str = ""
    bound: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class SafetyFormula:
    """``violation`` is the negation of the formula; ``names`` are its actions and labels with their columns, from 1."""

    violation: Liveness
    names: tuple[tuple[str, int], ...]

    def labels(self) -> frozenset[str]:
        """The labels that it reads, without quotation marks."""
        return frozenset(name.strip('"') for name, _ in self.names if is_label(name))


def is_label(action: str) -> bool:
    """Whether an action stands for a label of states."""
    return action.startswith('"')


def subformulas(formula: Liveness) -> Iterator[Liveness]:
    """Every occurrence, operands before their operator, the left one first."""
    for operand in formula.operands:
        yield from subformulas(operand)
    yield formula


def parsed(text: str, where: str = "--formula") -> SafetyFormula:
    """The safety formula in a text. Raises InputError with the column; ``where`` is what it calls the text."""
    parser = _Parser(text, where)
    try:
        violation = parser.formula()
    except RecursionError:
        raise InputError("the formula is nested too deeply", where) from None
    return SafetyFormula(violation, tuple(parser.names))


class _Parser:
    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self.names: list[tuple[str, int]] = []
        self._tokens: list[tuple[str, int]] = []
        offset, text = 0, text.rstrip()
        while offset < len(text):
            match = _TOKEN.match(text, offset)
            if match is None:
                begin = offset + len(text[offset:]) - len(text[offset:].lstrip())
                raise InputError(f"unexpected character '{text[begin]}'", where, 1, begin + 1)
            self._tokens.append((match.group().strip(), match.end() - len(match.group().strip()) + 1))
            offset = match.end()
        self._tokens.append(("the end", len(text) + 1))
        self._next = 0

    def formula(self) -> Liveness:
        formula = self._either(negated=True)
        if self._token != "the end":
            raise self._unexpected("the end")
        return formula

    @property
    def _token(self) -> str:
        return self._tokens[self._next][0]

    def _unexpected(self, expected: str) -> InputError:
        text, column = self._tokens[self._next]
        return InputError(f"expected {expected}, found {text}", self._where, 1, column)

    def _take(self, token: str) -> None:
        if self._token != token:
            raise self._unexpected(f"'{token}'")
        self._next += 1

    def _either(self, negated: bool) -> Liveness:
        formula = self._both(negated)
        while self._token == "|":
            self._next += 1
            formula = Liveness("and" if negated else "or", (formula, self._both(negated)))
        return formula

    def _both(self, negated: bool) -> Liveness:
        formula = self._unary(negated)
        while self._token == "&":
            self._next += 1
            formula = Liveness("or" if negated else "and", (formula, self._unary(negated)))
        return formula

    def _unary(self, negated: bool) -> Liveness:
        token = self._token
        if token == "(":
            self._next += 1
            formula = self._either(negated)
            self._take(")")
            return formula
        if token in ("true", "false"):
            self._next += 1
            return Liveness("true" if (token == "true") != negated else "false")
        if token == "P":
            self._next += 1
            return self._probability(negated)
        if negated:
            if token != "!":
                raise self._unexpected("true, false, !action, !\"label\", P<=q [..] or '('")
            self._next += 1
            return Liveness("possible", action=self._action())
        return Liveness("possible", action=self._action())

    def _action(self) -> str:
        token, column = self._tokens[self._next]
        if token in _RESERVED or not _PROPOSITION.fullmatch(token):
            raise self._unexpected('an action or a "label"')
        self.names.append((token, column))
        self._next += 1
        return token

    def _probability(self, negated: bool) -> Liveness:
        self._take("<=" if negated else ">")
        token = self._token
        try:
            bound = Fraction(token)
        except (ValueError, ZeroDivisionError):
            raise self._unexpected("a probability") from None
        if bound > 1:
            raise self._unexpected("a probability of at most 1")
        self._next += 1
        self._take("[")
        formula = self._path(bound)
        self._take("]")
        return formula

    def _path(self, bound: Fraction) -> Liveness:
        if self._token == "X":
            self._next += 1
            return Liveness("next", (self._either(negated=False),), bound=bound)
        if self._token == "F":
            self._next += 1
            return Liveness("until", (Liveness("true"), self._either(negated=False)), bound=bound)
        first = self._either(negated=False)
        self._take("U")
        return Liveness("until", (first, self._either(negated=False)), bound=bound)
