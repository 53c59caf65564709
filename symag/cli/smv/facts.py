"""``symag facts``: certified invariants of a model, in the model's language."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import count
from typing import Literal

import click
from msgspec import to_builtins

from symag.cli.options.settings import limit_options, model_argument, output_options, property_option
from symag.cli.output.streams import Output, print_json
from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.core.errors import UsageError
from symag.core.limits import Limits
from symag.core.values import replace
from symag.smv.checking.check import select
from symag.smv.checking.facts import ModelFacts, model_facts
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.convert.assertions import systemverilog
from symag.smv.convert.conversion import aiger_content
from symag.smv.expression_reader import expressions
from symag.smv.model.flat import Constraint, FlatSystem, Property

Form = Literal["smv", "aiger", "systemverilog"]


@click.command("facts", short_help="Print invariants of an SMV model's parts.")
@model_argument
@property_option
@click.option(
    "--reach",
    type=click.Choice(["variables", "data", "defines", "products"]),
    default="variables",
    show_default=True,
    help="Linear relations over variables; also between data where counters agree; over DEFINEs too; over conjunctions "
    "within an instance too.",
)
@click.option(
    "--to",
    "form",
    type=click.Choice(["smv", "aiger", "systemverilog"]),
    default="smv",
    show_default=True,
    help="INVARSPECs, the model as AIGER with the facts as constraints, or assumptions.",
)
@click.option("--clock", default="clk", show_default=True, metavar="NAME", help="The clock of the assumptions.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same facts.")
@limit_options
@output_options
def command(
    model: str,
    properties: tuple[str, ...],
    reach: Literal["variables", "data", "defines", "products"],
    form: Form,
    clock: str,
    seed: int,
    limits: Limits,
    output: Output,
) -> int:
    """Print invariants of MODEL that are inductive together, each re-checked by separate code.

    They are linear relations between variables, and clauses of up to three conditions. With --property, only those
    that make this invariant inductive: "which invariants do I have to write?"

    Exit status: 0, or 30 if the search or the re-check did not finish, or no facts prove the property.

    \b
    Example:
      symag facts models/counter.smv
      symag facts models/counter.smv --property parity_right --json
    """
    system = read_flat_system(model)
    if len(properties) > 1:
        raise UsageError("facts are those of the model, or of one property: give --property once")
    target = select(system, properties)[0] if properties else None
    start = time.monotonic()
    line = output.progress()
    facts = model_facts(system, target, reach, seed, limits, line)
    line.clear()
    if facts.is_empty:
        output.warn(["the set of initial states is empty: everything is a fact"], model)
    if output.as_json:
        _print_json(model, system, target, facts, time.monotonic() - start)
    else:
        for text in _lines(system, target, facts, form, clock):
            print(text)
    return ALL_HOLD if facts.reason is None and facts.proved is not False else UNDECIDED


def _names(system: FlatSystem) -> Iterator[str]:
    """``fact_0``, ``fact_1``, .., without the names of properties: facts of an earlier run may be among these."""
    taken = {property_.name for property_ in system.properties}
    return (name for name in map("fact_{}".format, count()) if name not in taken)


def _print_json(model: str, system: FlatSystem, target: Property | None, search: ModelFacts, seconds: float) -> None:
    named = zip(_names(system), search.facts, strict=False)
    facts = [{"name": name, **to_builtins(fact)} for name, fact in named]
    about = None if target is None else {"index": target.index, "name": target.name, "text": target.text}
    print_json(
        {
            "schema": 1,
            "model": model,
            "seconds": round(seconds, 3),
            "property": about,
            "proved": search.proved,
            "certified": search.reason is None,
            "reason": search.reason,
            "facts": facts,
            "statistics": search.statistics,
        }
    )


def _lines(system: FlatSystem, target: Property | None, facts: ModelFacts, form: Form, clock: str) -> Iterator[str]:
    comment = {"smv": "--", "aiger": "", "systemverilog": "//"}[form]
    message = _summary(target, facts)
    if comment:
        yield f"{comment} {message}"
    else:
        print(message, file=sys.stderr)
    if form == "smv":
        for name, fact in zip(_names(system), facts.facts, strict=False):
            yield f"INVARSPEC NAME {name} := {fact.text};"
        return
    read = expressions(system, [fact.text for fact in facts.facts])
    if form == "systemverilog":
        for name, expression in zip(_names(system), read, strict=False):
            # Yosys reads no clock inside of a property.
            yield f"always @(posedge {clock}) {name}: assume ({systemverilog(expression)});"
        return
    stronger = replace(system, invar=(*system.invar, *(Constraint(expression, 0) for expression in read)))
    content, left_out = aiger_content(stronger, system.properties if target is None else (target,), "-")
    for warning in left_out:
        print(warning, file=sys.stderr)
    yield content.decode().rstrip("\n")


def _summary(target: Property | None, facts: ModelFacts) -> str:
    if facts.reason is not None:
        return f"no facts: {facts.reason}"
    count = f"{len(facts.facts)} fact{'s' if len(facts.facts) != 1 else ''}, inductive together, each re-checked"
    if target is None:
        return count
    if facts.proved:
        return f"{count}; they prove {' '.join(target.text.split())}"
    return f"no facts of these forms prove {' '.join(target.text.split())}"
