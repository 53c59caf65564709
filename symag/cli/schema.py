"""``symag schema``: the JSON Schemas of the output of commands with --json."""

from __future__ import annotations

from importlib import resources

import click

from symag.cli.status import ALL_HOLD

#: Commands whose --json has a schema, in ``symag/cli/schemas``.
SCHEMAS = ("check", "info")


@click.command("schema", short_help="Print the JSON Schema of what a command prints.")
@click.argument("name", metavar="COMMAND", type=click.Choice(SCHEMAS))
def command(name: str) -> int:
    """Print the JSON Schema (draft 2020-12) of the output of COMMAND with --json: check or info.

    Fields are only ever added. ``schema`` in every object is the number of the contract, 1.

    \b
    Example:
      symag schema check
    """
    print(schema_text(name), end="")
    return ALL_HOLD


def schema_text(name: str) -> str:
    """The schema of a command. Raises KeyError if it has none."""
    if name not in SCHEMAS:
        raise KeyError(name)
    return resources.files("symag.cli.schemas").joinpath(f"{name}.json").read_text(encoding="utf-8")
