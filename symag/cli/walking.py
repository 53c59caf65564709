"""What ``symag simulate`` says of a run through any kind of model, and how it asks for the next step."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import click

from symag.core.trace import Trace


class Chooser:
    """Lists the choices of each state on standard error and asks for one; standard output keeps the run alone.

    At most ``most`` of them are listed. The same seed draws the same choices.
    """

    def __init__(self, seed: int, most: int) -> None:
        self._generator = random.Random(seed)
        self._most = most
        self._states = 0

    def chosen(self, count: int, texts: Iterable[str]) -> int | None:
        """The number, from 0, of one of ``count`` choices, whose ``texts`` are listed; None to stop."""
        self._states += 1
        more = f", the first {self._most} of them" if count > self._most else ""
        click.echo(f"state {self._states}: {count} choices{more}", err=True)
        for number, text in enumerate(itertools.islice(texts, self._most)):
            click.echo(f"  {number:3}  {text}", err=True)
        while True:
            answer = click.prompt("number, r for random, q to stop", default="0", err=True).strip()
            if answer == "q":
                return None
            if answer == "r":
                return self._generator.randrange(count)
            if answer.isascii() and answer.isdigit() and int(answer[:20]) < count:
                return int(answer)
            click.echo(f"'{answer}' is none of 0 to {count - 1}, r and q", err=True)


def run_object(
    model: str, seed: int, trace: Trace | None, ending: str | None, reason: str | None, **further: object
) -> dict[str, object]:
    """The object that ``--json`` prints; ``ending`` says why a run stopped early, ``reason`` why there is none."""
    return {
        "schema": 1,
        "model": model,
        "seed": seed,
        "steps": 0 if trace is None else len(trace.steps) - 1,
        "ending": ending,
        "reason": reason,
        **further,
        "trace": None if trace is None else trace.to_json(),
    }


def ending_line(steps: int, ending: str) -> str:
    """The last line of a run that stopped early."""
    return f"-- the run ends after {steps} step{'' if steps == 1 else 's'}: {ending}"
