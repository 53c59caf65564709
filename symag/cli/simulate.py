"""``symag simulate``: a random, guided or chosen run."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from symag.cli.output.reporting import ReportRequest, report_command
from symag.core.reports import Report
from symag.core.walks import MOST_STEPS, WalkRequest
from symag.process.family import Family


class Chooser:
    """Lists the choices of each state on standard error and asks for one; standard output has only the run.

    The same seed makes the same random choices.
    """

    def __init__(self, seed: int) -> None:
        self._generator = random.Random(seed)
        self._states = 0

    def __call__(
        self, count: int, texts: Iterable[str], most: int, drawing: Iterable[str] = (), are_all: bool = True
    ) -> int | None:
        """The number, from 0, of one of ``count`` choices, the first ``most`` of which are listed; None to stop."""
        self._states += 1
        more = f", the first {most} of them" if count > most else "" if are_all else ", drawn from more"
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


def _simulate(request: ReportRequest, interactive: bool, **walk: Any) -> Report:
    """Run MODEL for some steps, each drawn at random among all that are possible.

    For labelled transition systems (.lts, .fsp, .aut) it is a walk through the composite process --target; for a PRISM
    model (.nm, .pm, .prism, .tra) a walk by its probabilities, with all choices of a state equally likely. Its
    --guide is the output of --json, or a file with one action in each line, "-" for any.
    A run that ends early says why: a state without a successor, or a constraint or guide that no step satisfies. The
    exit status is 0 also then; 30 if there was no run within --timeout or --memory.

    \b
    Example:
      symag simulate models/counter.smv --steps 3
      symag simulate models/arbiter4.smv --seed 7 --constraint "e0.request & !e1.request"
      symag simulate models/lpts/client_server3.nm --seed 7 --json
    """
    if walk["trace_format"] is not None and walk["trace"] is None:
        raise click.UsageError("--trace-format is for --trace FILE")
    run = WalkRequest(**walk, ask=Chooser(walk["seed"]) if interactive else None)
    return request.family.simulate(request.model, request.declared, run, request.limits, request.progress)


def _options(families: Sequence[Family]) -> Sequence[Callable[[Any], Any]]:
    formats = tuple(dict.fromkeys(name for family in families for name in family.trace_formats))
    return (
        click.option(
            "--steps",
            type=click.IntRange(min=0),
            metavar="N",
            help=f"How many transitions, at most {MOST_STEPS:,} (default: 10, or the guide's).",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same run."),
        click.option(
            "--guide",
            type=click.Path(),
            metavar="FILE",
            help="A trace file, perhaps of some variables only, to follow.",
        ),
        click.option("--interactive", "-i", is_flag=True, help="Choose every step yourself."),
        click.option("--full", is_flag=True, help="Every variable in every state, not only what changes."),
        click.option("--trace", type=click.Path(), metavar="FILE", help="Write the run to this file."),
        click.option(
            "--trace-format",
            type=click.Choice(formats),
            help="Format of --trace (default: the suffix of the file says it).",
        ),
    )


command_for = report_command(_simulate, "simulate", "Show a run of a model, drawn or chosen by you.", _options)
