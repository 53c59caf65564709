"""The dialogue of ``symag simulate -i``."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import click


class Chooser:
    """Lists the choices of each state on standard error and asks for one; standard output has only the run.

    The same seed makes the same random choices.
    """

    def __init__(self, seed: int) -> None:
        self._generator = random.Random(seed)
        self._states = 0

    def __call__(self, count: int, texts: Iterable[str], most: int, drawing: Iterable[str] = ()) -> int | None:
        """The number, from 0, of one of ``count`` choices, the first ``most`` of which are listed; None to stop."""
        self._states += 1
        more = f", the first {most} of them" if count > most else ""
        click.echo(f"state {self._states}: {count} {'choice' if count == 1 else 'choices'}{more}", err=True)
        for line in drawing:
            click.echo(f"  {line}", err=True)
        for number, text in enumerate(itertools.islice(texts, most)):
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
