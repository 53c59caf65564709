"""Evidence about probabilities and rewards as JSON: fractions are hexadecimal texts, as they may be long."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

import numpy as np

from symag.core.evidence.documents import Member
from symag.core.evidence.quantitative_evidence import ExactVector, MeasureBounds, QuantitativeEvidence
from symag.lpts.quantitative import QuantitativeProblem

_VERDICTS = ("holds", "violated", "computed")
_INFINITY = "infinity"


def quantity_fingerprint(problem: QuantitativeProblem) -> str:
    """SHA-256 of the system, the conditions, the rewards and the formula, as hexadecimal digits."""
    digest = hashlib.sha256(repr((problem.formula, problem.initial_states)).encode())
    system = problem.system
    digest.update(repr((system.alphabet, system.states, [str(p) for p in system.probabilities])).encode())
    for numbers in (system.source, system.action, system.begin, system.target, system.weight):
        digest.update(np.ascontiguousarray(numbers, dtype="<i8").tobytes())
    for condition in problem.conditions:
        digest.update(np.packbits(condition).tobytes())
    for rewards in problem.rewards:
        digest.update(f"{rewards.denominator}".encode())
        for earned in (rewards.state, rewards.transition):
            digest.update(",".join(map(hex, earned.tolist())).encode())
    return digest.hexdigest()


def quantity_document(evidence: QuantitativeEvidence) -> dict[str, Any]:
    """The members of the evidence, except for its kind."""
    return {
        "verdict": evidence.verdict,
        "value": None if evidence.value is None else [_spelled(number) for number in evidence.value],
        "grid": evidence.grid,
        "bounds": [
            {
                "lower": _vector(bound.lower),
                "upper": _vector(bound.upper),
                "choices": bound.choices,
                "ranks": bound.ranks,
                "levels": bound.levels,
            }
            for bound in evidence.bounds
        ],
    }


def _spelled(value: Fraction | None) -> str:
    return _INFINITY if value is None else f"{value.numerator:x}/{value.denominator:x}"


def _vector(vector: ExactVector) -> dict[str, Any]:
    return {"denominator": f"{vector.denominator:x}", "numerators": [f"{n:x}" for n in vector.numerators]}


def read_quantities(evidence: Member) -> QuantitativeEvidence:
    """The evidence in a document, which ``quantities`` checks. Raises InputError for a wrong form."""
    verdict = evidence.get("verdict", str)
    if verdict not in _VERDICTS:
        raise evidence.member("verdict").wrong(f"one of {', '.join(_VERDICTS)}")
    value = evidence.member("value")
    bounds = None
    if value.value is not None:
        pair = value.items()
        if len(pair) != 2:
            raise value.wrong("a lower and an upper bound")
        bounds = (_fraction(pair[0]), _fraction(pair[1]))
    return QuantitativeEvidence(
        verdict,  # type: ignore[arg-type]  # one of them
        bounds,
        tuple(_bounds(bound) for bound in evidence.items("bounds")),
        evidence.get("grid", int),
    )


def _bounds(item: Member) -> MeasureBounds:
    lower, upper = (_read_vector(item.member(name)) for name in ("lower", "upper"))
    choices, ranks, levels = (_whole(item.member(name)) for name in ("choices", "ranks", "levels"))
    return MeasureBounds(lower, upper, choices, ranks, levels)


def _whole(item: Member) -> tuple[int, ...]:
    numbers = item.has(list)
    if not all(type(n) is int for n in numbers):
        raise item.wrong("a list of whole numbers")
    return tuple(numbers)


def _read_vector(item: Member) -> ExactVector:
    numbers = item.member("numerators")
    texts = numbers.has(list)
    if not all(isinstance(n, str) for n in texts):
        raise numbers.wrong("a list of texts")
    try:
        return ExactVector(int(item.get("denominator", str), 16), tuple(int(n, 16) for n in texts))
    except ValueError:
        raise item.wrong("a vector of hexadecimal numbers") from None


def _fraction(item: Member) -> Fraction | None:
    text = item.has(str)
    if text == _INFINITY:
        return None
    numerator, _, denominator = text.partition("/")
    try:
        return Fraction(int(numerator, 16), int(denominator, 16))
    except (ValueError, ZeroDivisionError):
        raise item.wrong("a fraction of hexadecimal numbers") from None
