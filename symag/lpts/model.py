"""A probabilistic system and what is asked of it, as the family reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lpts.checking.check import ReadProblem, SimulationFiles


class LptsModel:
    """A system and what is asked of it, perhaps nothing yet, by their files; read when they are needed, under limits.

    ``problem`` is what they were read as, None before.
    """

    def __init__(self, files: SimulationFiles) -> None:
        self.files = files
        self.problem: ReadProblem | None = None

    def __repr__(self) -> str:
        return f"{self.files.title} (a probabilistic system)"

    def _repr_html_(self) -> str:
        # For start-up: only notebooks need it.
        from symag.lpts.checking.proof_page import model_html

        return model_html(self.files)
