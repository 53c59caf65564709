"""The options of the method ``circular``."""

from __future__ import annotations

import click

from symag.lts.methods.options import GuaranteeSets


def _sets(context: click.Context, parameter: click.Parameter, value: str) -> GuaranteeSets:
    match value:
        case "maximal":
            return "maximal"
        case "minimal":
            return "minimal"
    lists = [list(filter(None, map(str.strip, part.split(",")))) for part in value.split(";")]
    if not all(number.isdecimal() for numbers in lists for number in numbers):
        raise click.BadParameter(f"{value!r} is neither maximal nor minimal nor lists of numbers such as '1,2;0;'")
    return tuple(tuple(sorted(set(map(int, numbers)))) for numbers in lists)


guarantees_option = click.option(
    "--guarantees",
    metavar="SETS",
    default="maximal",
    show_default=True,
    callback=_sets,
    help="FSP, circular: the parts whose guarantees each part may rely on: maximal (all others), minimal (those that "
    "share actions with it), or their numbers for part 0, part 1, ...: '1,2;0;'.",
)

selectors_option = click.option(
    "--selectors/--no-selectors",
    default=False,
    show_default=True,
    help="FSP, circular: disjunctions are encoded by log n selector variables, as in the paper.",
)
