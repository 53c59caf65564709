"""What ``symag check`` and ``symag certify`` print in one form for every kind of model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from symag.cli.streams import print_json
from symag.engine.answers import Answer

if TYPE_CHECKING:
    from symag.lpts.checking.check import SimulationQuestion
    from symag.lts.questions import Question
    from symag.smv.model.flat import Property


def print_answer(heading: str, answer: Answer, verbose: bool) -> None:
    """The property, the verdict with what stands behind it, and, if ``verbose``, the statistics."""
    print(heading)
    print(f"     {answer.verdict_text()}: {answer.evidence_text()}")
    if answer.certificate is not None:
        print(f"     certificate in {answer.certificate}")
    if answer.trace_file is not None:
        print(f"     trace in {answer.trace_file}")
    if verbose:
        for name, value in sorted(answer.result.statistics.items()):
            print(f"     {name} = {value}")


def print_answers(model: str, seconds: float, warnings: Iterable[str], answers: Sequence[Answer]) -> None:
    """The JSON object of ``symag check``; ``seconds`` of wall-clock time for all of it."""
    print_json(
        {
            "schema": 1,
            "model": model,
            "seconds": round(seconds, 4),
            "warnings": list(warnings),
            "results": [answer.to_json() for answer in answers],
        }
    )


def print_recheck(
    model: str, certificate: str, question: Property | Question | SimulationQuestion, reason: str | None, **further: str
) -> None:
    """The JSON object of ``symag certify``; ``reason`` says why the re-check came to no end, None: it accepted."""
    print_json(
        {
            "schema": 1,
            "model": model,
            "certificate": certificate,
            "index": question.index,
            "name": question.name,
            "text": question.text,
            **further,
            "certified": reason is None,
            "reason": reason,
        }
    )
