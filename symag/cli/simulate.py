"""``symag simulate``: a random, guided or chosen run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from symag.cli.languages import (
    LPTS_SUFFIXES,
    LTS_SUFFIXES,
    check_components,
    check_no_alphabets,
    whole_constants,
)
from symag.cli.settings import (
    alphabet_option,
    component_option,
    const_option,
    json_option,
    limit_options,
    model_argument,
    target_option,
    verbosity_options,
)
from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output, print_json
from symag.cli.walking import Chooser, ending_line, run_object
from symag.core.errors import UsageError
from symag.core.evidence_paths import run_file
from symag.core.limits import Limits
from symag.core.trace import Value
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.simulation import Plan, Simulated, run, simulate
from symag.smv.checking.trace_files import ALL_NAMES, MODELS, read_guide, write_trace
from symag.smv.checking.trace_report import domain_of, trace_report
from symag.smv.checking.witness_files import check_language
from symag.smv.expression_reader import expression
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import BooleanType
from symag.smv.traversal.simulation import Choice, Choices
from symag.traces import plain

#: How many choices are listed, and how many values of each.
MOST_CHOICES = 20
MOST_VALUES = 12


@click.command("simulate")
@model_argument
@click.option(
    "--steps", type=click.IntRange(min=0), metavar="N", help="How many transitions (default: 10, or the guide's)."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same run.")
@click.option(
    "--constraint", metavar="EXPR", help="Holds in every state; on every step if it reads inputs or next(..)."
)
@click.option(
    "--guide", type=click.Path(), metavar="FILE", help="A trace file, perhaps of some variables only, to follow."
)
@click.option("--interactive", "-i", is_flag=True, help="Choose every step yourself.")
@click.option("--full", is_flag=True, help="Every variable in every state, not only what changes.")
@click.option("--trace", type=click.Path(), metavar="FILE", help="Write the run to this file.")
@click.option(
    "--trace-format", type=click.Choice(ALL_NAMES), help="Format of --trace (default: the suffix of the file says it)."
)
@target_option
@component_option
@const_option
@alphabet_option
@limit_options
@json_option
@verbosity_options
def command(
    model: str,
    steps: int | None,
    seed: int,
    constraint: str | None,
    guide: str | None,
    interactive: bool,
    full: bool,
    trace: str | None,
    trace_format: str | None,
    targets: tuple[str, ...],
    components: tuple[str, ...],
    constants: dict[str, str],
    alphabets: dict[str, list[str]],
    timeout: float | None,
    memory: int | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Run MODEL for some steps, each drawn at random among all that are possible.

    Of labelled transition systems (.lts, .fsp, .aut) it is a walk through the composite process --target; of a PRISM
    model (.nm, .pm, .prism, .tra) one by its probabilities, where all choices of a state are equally likely. Its
    --guide is what --json prints, or a file of actions one a line, "-" for any.
    A run that ends before its time says why: a state without a successor, or a constraint or guide that
    no step follows. Exit status: 0 also then; 30 if there was no run within --timeout or --memory.

    \b
    Example:
      symag simulate models/counter.smv --steps 3
      symag simulate models/arbiter4.smv --seed 7 --constraint "e0.request & !e1.request"
      symag simulate models/lpts/client_server3.nm --seed 7 --json
    """
    output = Output(as_json, quiet, verbose)
    if trace_format is not None and trace is None:
        raise click.UsageError("--trace-format is for --trace FILE")
    check_components(model, components)
    if model.endswith(LPTS_SUFFIXES):
        from symag.cli.lpts_simulate import guide_of, simulate_system, system_reader
        from symag.lpts.checking.simulation import WalkPlan

        if constraint is not None:
            raise click.UsageError("--constraint is for SMV models")
        guiding = guide_of(guide) if guide is not None else ()
        walk = WalkPlan(steps if steps is not None else len(guiding) or 10, seed, guiding)
        reader = system_reader(model, components, constants, alphabets, output)
        return simulate_system(
            model, reader, walk, interactive, (trace, trace_format), full, Limits(timeout, memory), output
        )
    check_no_alphabets(alphabets)
    numbers = whole_constants(model, constants)
    if model.endswith(LTS_SUFFIXES):
        from symag.cli.lts_simulate import Asked, simulate_composite
        from symag.lts import read

        if constraint is not None:
            raise click.UsageError("--constraint is for SMV models")
        asked = Asked(targets, steps, seed, guide, interactive, trace, trace_format)
        limits = Limits(timeout, memory)
        return simulate_composite(read(model, components, numbers), asked, limits, output)
    system = read_flat_system(model)
    output.warn(system.warnings)
    file = None
    if trace is not None:
        file = run_file(trace, trace_format, ALL_NAMES, MODELS)
        check_language(trace, file[1], system)
    followed = read_guide(guide, system) if guide is not None else ()
    wished = None if constraint is None else expression(system, constraint, "<constraint>")
    if wished is not None and not isinstance(wished.type, BooleanType):
        raise UsageError(f"the constraint '{constraint}' is not boolean")
    length = steps if steps is not None else max(len(followed) - 1, 0) if followed else 10
    plan = Plan(length, seed, wished, followed)
    if interactive:
        done = run(system, plan, memory, _Asker(system, seed))
    else:
        line = output.progress()
        done = simulate(system, plan, Limits(timeout, memory), line)
        line.clear()
    if done.trace is not None and file is not None:
        write_trace(file[0], system, None, trace_report(system, done.trace, purpose="Simulation"), file[1])
    if as_json:
        print_json(run_object(model, seed, done.trace, done.ending, done.reason))
    else:
        _print_text(system, done, full)
    return UNDECIDED if done.reason not in (None, "stopped") else ALL_HOLD


def _print_text(system: FlatSystem, done: Simulated, full: bool) -> None:
    if done.trace is None:
        print(f"-- no run ({done.reason})")
        return
    for line in plain.lines(trace_report(system, done.trace, purpose="Simulation"), full):
        print(line.rstrip())
    if done.ending is not None:
        print(ending_line(len(done.trace.steps) - 1, done.ending))


class _Asker:
    """Asks for the next state of an SMV model."""

    def __init__(self, system: FlatSystem, seed: int) -> None:
        self._system = system
        self._chooser = Chooser(seed, MOST_CHOICES)

    def __call__(self, choices: Choices, state: Mapping[str, Value] | None) -> Choice | None:
        texts = (self._text(choice, state) for choice in choices.first(MOST_CHOICES))
        number = self._chooser.chosen(choices.count, texts)
        return None if number is None else choices.at(number)

    def _text(self, choice: Choice, state: Mapping[str, Value] | None) -> str:
        """The inputs, and what changes."""
        inputs = list(self._values(choice.inputs))
        changed = {name: value for name, value in choice.state.items() if state is None or state[name] != value}
        values = list(self._values(changed))
        more = [f"and {len(values) - MOST_VALUES} more"] if len(values) > MOST_VALUES else []
        parts = [", ".join(inputs)] if inputs else []
        return " -> ".join([*parts, ", ".join([*values[:MOST_VALUES], *more]) or "nothing changes"])

    def _values(self, values: Mapping[str, Value]) -> Iterator[str]:
        for name, value in values.items():
            yield f"{name} = {domain_of(self._system.by_name[name].type).text(value)}"
