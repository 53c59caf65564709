"""Where a method by parts is: what is left of a search that is stopped (``ProgressFigures``)."""

from __future__ import annotations

import time

from symag.core.limits import Progress, ProgressFigures
from symag.smv.partition import Partition


class PhaseProgress:
    """Lines of progress with the figures so far: of the partition at hand, and the CPU seconds of each phase.

    Figures have the names that the statistics of an answer have; those of a phase are ``PHASE_seconds``.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._figures: dict[str, int | float] = {}
        self._seconds: dict[str, float] = {}
        self._phase: str | None = None
        self._since = time.process_time()

    def enter(self, phase: str, line: str) -> None:
        """From now on the time is this phase's."""
        self._count()
        self._phase = phase
        self._seconds.setdefault(phase, 0.0)
        self(line)

    def of(self, partition: Partition) -> Progress:
        """Progress of work on this partition."""
        figures = {"parts": len(partition.parts), "mx": partition.mx, "io": partition.io_bits}

        def report(line: str) -> None:
            self._figures.update(figures)
            self(line)

        return report

    def __call__(self, line: str) -> None:
        """One line, with figures of its own if it has some."""
        self._count()
        if isinstance(line, ProgressFigures):
            self._figures.update(line.figures)
        self._progress(ProgressFigures(str(line), {**self._figures, **self._phase_seconds()}))

    def seconds(self) -> dict[str, float]:
        """The CPU seconds of each phase until now, by ``PHASE_seconds``."""
        self._count()
        return self._phase_seconds()

    def _phase_seconds(self) -> dict[str, float]:
        return {f"{phase}_seconds": round(seconds, 3) for phase, seconds in self._seconds.items()}

    def _count(self) -> None:
        now = time.process_time()
        if self._phase is not None:
            self._seconds[self._phase] = self._seconds.get(self._phase, 0.0) + now - self._since
        self._since = now
