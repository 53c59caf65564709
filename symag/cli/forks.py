"""The commands of a batch's jobs in forks of this process, so that modules are imported once for all jobs."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Sequence
from functools import partial

import click

from symag.bdd.engines import import_engine
from symag.cli.running import run_command
from symag.engine.families import FAMILIES
from symag.suites import listing

#: The commands that jobs consist of.
_COMMANDS = ("check", "info")
#: To import everything takes as long as the imports of this many jobs.
_FEW_JOBS = 8


def forked(module: str, *arguments: str) -> Callable[[], int]:
    """What does in a fork what ``python -m MODULE ARGUMENT...`` does in a new process.

    ``module`` is ``symag`` with a command of a job, or the listing of a model's properties.
    """
    return partial(listing.main if module == listing.__name__ else _command, arguments)


def _command(words: Sequence[str]) -> int:
    # For start-up: a batch of few jobs leaves the imports to them.
    module = importlib.import_module(f"symag.cli.{words[0]}")
    symag = click.Context(click.Group("symag"), info_name="symag")
    return run_command(module.command_for(words[1:]), words[1:], words[0], parent=symag)


def import_for(models: Sequence[str], jobs: int) -> None:
    """Import all that jobs about these models may need, if the jobs are not few."""
    if jobs < _FEW_JOBS:
        return
    for name in _COMMANDS:
        importlib.import_module(f"symag.cli.{name}")
    FAMILIES.of(models).import_all()
    with contextlib.suppress(ImportError):
        import_engine("auto")
