"""The trace value: a run of a system as evidence, with the value of every variable in every state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

#: A value of a finite type: a truth value, a number, a symbolic constant, or a word's number.
Value = bool | int | str


class Step(Struct, frozen=True):
    """One position of a run.

    ``state`` gives every state and frozen variable its value. ``inputs`` gives every input variable
    its value on the transition that LEAVES this state; it is empty at the last step of a finite
    trace. (NuSMV prints these inputs before the next state.)
    """

    state: Mapping[str, Value]
    inputs: Mapping[str, Value] = field(default_factory=dict)
    action: str | None = None


class Trace(Struct, frozen=True):
    """A run. A ``lasso`` returns from its last step to step ``loop`` (from 0); a ``finite`` one does not."""

    kind: Literal["finite", "lasso", "tree"]
    steps: tuple[Step, ...]
    loop: int | None = None

    def after(self, step: int) -> int | None:
        """The step that follows one; None after the last step of a run without a loop."""
        return step + 1 if step + 1 < len(self.steps) else self.loop if self.kind == "lasso" else None

    def steps_from(self, step: int) -> list[int]:
        """The steps from one on, each once, as the run visits them."""
        again = range(self.loop, step) if self.kind == "lasso" and self.loop is not None else ()
        return [*range(step, len(self.steps)), *again]

    def shortened(self) -> Trace:
        """The shortest lasso with the same infinite run: the loop once, and no part of it in the prefix.

        A trace without a loop stays as it is.
        """
        if self.loop is None:
            return self
        prefix, loop = list(self.steps[: self.loop]), list(self.steps[self.loop :])
        for length in range(1, len(loop)):
            if len(loop) % length == 0 and all(loop[index] == loop[index % length] for index in range(len(loop))):
                loop = loop[:length]
                break
        while prefix and prefix[-1] == loop[-1]:
            loop.insert(0, prefix.pop())
            loop.pop()
        return Trace(self.kind, (*prefix, *loop), len(prefix))

    def to_json(self) -> dict[str, Any]:
        """The ``trace`` object of ``--json`` and of trace files: ``kind``, ``steps`` and ``loop``."""
        return {
            "kind": self.kind,
            "steps": [
                {"state": dict(step.state), "input": dict(step.inputs), "action": step.action} for step in self.steps
            ],
            "loop": self.loop,
        }
