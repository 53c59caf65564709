"""Re-checks of the answers about one system: each in a process of its own, or all in one that remembers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.process.decisions import Judgement
from symag.process.race import Runner, once
from symag.process.session import Session
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.kinds import KINDS
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.certify.circuits.encoded import EncodedSystem

#: Re-checks a result: ``accept(system, property, result, seconds)`` returns it certified, or raises CertificationError.
Accept = Callable[[FlatSystem, Property, PropertyResult, float | None], PropertyResult]

_NAME = "certify"


def rechecked_alone(
    system: FlatSystem,
    property: Property,
    result: PropertyResult,
    seconds: float | None,
    accept: Accept | None,
    package: Package,
    memory: int | None,
) -> Runner:
    """The re-check of one answer by ``accept`` (None: symag's own); its value is a ``Judgement``."""
    _import(result)
    # Here, once for the processes of all properties; without re-checks its SAT solver is not imported.
    from symag.smv.certify import accept as own

    judge = accept or partial(own, package=package)
    return once(_NAME, partial(_judgement, judge, system, property, result, seconds), memory)


class SharedRecheck:
    """Re-checks answers about the properties of one system in one process, which lives until ``close()``.

    What it has proved of the system for one property (that no transition leaves a set, that clauses are inductive) it
    does not prove again for the next one. Only its own proofs count: they are kept in that process, by the circuit
    that it has built from the model. ``memory`` is in MiB.
    """

    def __init__(
        self, system: FlatSystem, properties: Sequence[Property], package: Package, memory: int | None
    ) -> None:
        self._system = system
        self._properties = properties
        self._package = package
        self._session = Session(self._answer, memory)
        self._encoded: EncodedSystem | None = None

    @property
    def reused(self) -> bool:
        """Whether the process had answered before the last re-check."""
        return self._session.reused

    def rechecked(self, position: int, result: PropertyResult, seconds: float | None) -> Runner:
        """The re-check of an answer to the property at a position; its value is a ``Judgement``."""
        _import(result)
        return Runner(_NAME, partial(self._session.start, (position, result, seconds)), kept=True)

    def close(self) -> None:
        """Kill the process."""
        self._session.close()

    def _answer(self, request: tuple[int, PropertyResult, float | None], progress: Progress) -> Judgement:
        # In the process only: the command does not wait for it.
        from symag.smv.certify import accept
        from symag.smv.certify.circuits.encoded import EncodedSystem

        position, result, seconds = request
        self._encoded = self._encoded or EncodedSystem(self._system, self._package)
        judge = partial(accept, package=self._package, encoded=self._encoded)
        return _judgement(judge, self._system, self._properties[position], result, seconds, progress)


def _import(result: PropertyResult) -> None:
    """Import what the re-check needs, once for the processes of all properties."""
    if result.certificate is not None:
        KINDS.module(result.certificate.kind)


def _judgement(
    accept: Accept,
    system: FlatSystem,
    property_: Property,
    result: PropertyResult,
    seconds: float | None,
    progress: Progress,
) -> Judgement:
    progress("re-checking the evidence")
    started = time.monotonic()
    if accept(system, property_, result, seconds).certified:
        return Judgement.ACCEPTED
    late = seconds is not None and time.monotonic() - started >= seconds
    return Judgement.OUT_OF_TIME if late else Judgement.NO_EVIDENCE
