"""The order in which partitions get their attempt with one-state assumptions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from symag.core.limits import no_progress
from symag.smv.methods.by_parts import one_state
from symag.smv.methods.by_parts.one_state import CHEAP, EXPENSIVE, TooLargeError, with_one_state
from symag.smv.methods.by_parts.phases import PhaseProgress

SUBJECT: Any = SimpleNamespace(modules=lambda partition: partition)


def cut(parts: int, mx: int, needs: int, proves: bool) -> Any:
    """A partition whose attempt needs so many nodes, and what it then proves."""
    return SUBJECT, SimpleNamespace(parts=(("x",),) * parts, mx=mx, io_bits=0, needs=needs, proves=proves)


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """(parts, mx, bound) of every attempt."""
    seen: list[tuple[int, int, int]] = []

    def sets(partition: Any, nodes: int, _: Any) -> tuple[str] | None:
        seen.append((len(partition.parts), partition.mx, nodes))
        if partition.needs > nodes:
            raise TooLargeError
        return ("set",) if partition.proves else None

    monkeypatch.setattr(one_state, "simultaneous_sets", sets)
    return seen


def test_finer_partitions_when_all_modules_are_too_large(attempts: list[tuple[int, int, int]]) -> None:
    tried: list[Any] = []
    coarse = [
        cut(2, 42, EXPENSIVE, True),
        cut(2, 42, 9, True),
        cut(2, 40, EXPENSIVE, True),
        cut(4, 42, EXPENSIVE, True),
    ]
    proved = with_one_state(coarse, [cut(6, 28, 9, True)], tried, PhaseProgress(no_progress))
    assert proved is not None
    assert len(proved[1].parts) == 6
    assert tried == coarse
    # The second partition is no smaller than the first, so it waits; with more parts the same size is tried.
    assert attempts == [(2, 42, CHEAP), (2, 40, CHEAP), (4, 42, CHEAP), (6, 28, CHEAP)]


def test_no_finer_partitions_when_one_state_was_too_few(attempts: list[tuple[int, int, int]]) -> None:
    coarse = [cut(2, 42, EXPENSIVE, True), cut(3, 30, 9, False)]
    proved = with_one_state(coarse, [cut(6, 28, 9, True)], [], PhaseProgress(no_progress))
    assert proved is not None
    assert proved[1] is coarse[0][1]
    assert attempts == [(2, 42, CHEAP), (3, 30, CHEAP), (2, 42, EXPENSIVE)]


def test_smallest_modules_get_the_first_dear_attempt(attempts: list[tuple[int, int, int]]) -> None:
    coarse = [cut(2, 42, EXPENSIVE, False), cut(3, 30, EXPENSIVE + 1, True), cut(3, 35, EXPENSIVE, True)]
    proved = with_one_state(coarse, [], [], PhaseProgress(no_progress))
    assert proved is not None
    assert proved[1] is coarse[2][1]
    assert attempts[2:] == [(3, 30, EXPENSIVE), (3, 35, EXPENSIVE)]
    assert attempts[:2] == [(2, 42, CHEAP), (3, 30, CHEAP)]
