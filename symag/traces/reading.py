"""A trace as read from a file, and the run of a model that it describes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from symag.core.errors import InputError
from symag.core.trace import Step, Trace, Value
from symag.traces.report import Purpose


class TraceReading(Struct, frozen=True):
    """The steps of a file with all names in it, also those of DEFINEs: only the model knows which are variables.

    ``loops`` are the steps (from 0) to which a lasso may return; its last state repeats that of each of
    them. (NuSMV marks all states that equal the last one, and does not say which one it means.)
    ``lines`` gives the line on which the file first mentions a name. ``number``, ``property``
    (its text) and ``word`` (``invariant`` or ``specification``) are None if the file does not give them.
    """

    file: str
    steps: tuple[Step, ...]
    loops: tuple[int, ...]
    purpose: Purpose = "Counterexample"
    description: str = ""
    number: int | None = None
    property: str | None = None
    word: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict)

    def error(self, message: str, name: str | None = None) -> InputError:
        """An input error at the line that first mentions a name, if the file has lines."""
        return InputError(message, self.file, self.lines.get(name or ""))

    def traces(self, states: Collection[str], inputs: Collection[str], defines: Collection[str]) -> tuple[Trace, ...]:
        """The run of a model with these variables, without DEFINEs; one for each loop.

        Raises InputError for names that the model does not have, for inputs among the states or the reverse, and
        for a lasso whose last state is not the one that it returns to.
        """
        defined = frozenset(defines)
        for step in self.steps:
            for values, right, wrong in ((step.state, states, inputs), (step.inputs, inputs, states)):
                for name in values:
                    if name in wrong:
                        kind = "an input" if values is step.state else "a state variable"
                        raise self.error(f"{name} is {kind} of the model, but not in this trace", name)
                    if name not in right and name not in defined:
                        raise self.error(f"the model has no variable and no DEFINE {name}", name)
        steps = [Step(_only(step.state, states), _only(step.inputs, inputs), step.action) for step in self.steps]
        if not self.loops:
            return (Trace("finite", tuple(steps)),)
        for loop in self.loops:
            if dict(steps[-1].state) != dict(steps[loop].state):
                raise self.error(f"the last state is not that of step {loop + 1}, where the loop starts")
        return tuple(Trace("lasso", tuple(steps[:-1]), loop) for loop in self.loops)


def described_trace(
    file: str, steps: Sequence[Step], loop: int | None, about: Mapping[str, Any], lines: Mapping[str, int] | None = None
) -> TraceReading:
    """The trace of a file that describes it in an object of JSON, ``about``; a lasso returns to step ``loop``."""
    return TraceReading(
        file,
        tuple(steps) if loop is None else (*steps, Step(steps[loop].state)),
        () if loop is None else (loop,),
        "Simulation" if about.get("purpose") == "Simulation" else "Counterexample",
        str(about.get("description", "")),
        None,
        str(about.get("property") or "") or None,
        str(about.get("word") or "") or None,
        lines or {},
    )


def _only(values: Mapping[str, Value], names: Collection[str]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if name in names}


# Texts, compiled when they are first used: for start-up.
_NUMBER = r"-?[0-9]+"
_WORD = r"(?i:(-?)0([us]?)([bodh])([0-9]*)_([0-9a-f_]+))"
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
#: No number of a finite type has more digits.
_LONGEST = 100


def value_of(text: str) -> Value:
    """The value of a text; a text that is neither a number nor a truth value is a symbol.

    Words may be written in any base; a signed word that is not decimal is a bit pattern.
    """
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    if len(text) > _LONGEST:
        return text
    if re.fullmatch(_NUMBER, text):
        return int(text)
    word = re.fullmatch(_WORD, text)
    if word is None:
        return text
    minus, sign, letter, width, digits = word.groups()
    base = _BASES[letter.lower()]
    try:
        number = int(digits.replace("_", ""), base)
    except ValueError:
        return text
    if sign in ("s", "S") and base != 10 and width and number >> (int(width) - 1):
        number -= 1 << int(width)
    return -number if minus else number
