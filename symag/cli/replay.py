"""``symag replay``: re-run a counterexample."""

from __future__ import annotations

from collections.abc import Iterator

import click

from symag.cli.languages import (
    LPTS_SUFFIXES,
    LTS_SUFFIXES,
    check_components,
    check_no_alphabets,
    check_specification_file,
    whole_constants,
)
from symag.cli.settings import (
    alphabet_option,
    component_option,
    const_option,
    formula_option,
    json_option,
    limit_options,
    model_argument,
    property_option,
    specification_option,
    target_option,
    verbosity_options,
)
from symag.cli.status import ALL_HOLD, UNDECIDED, VIOLATED
from symag.cli.streams import Output, print_json
from symag.core.errors import UsageError
from symag.core.limits import Limits
from symag.smv.checking.check import select
from symag.smv.checking.evidence import Replay, recheck_trace
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.trace_report import trace_report
from symag.traces import plain


@click.command("replay")
@model_argument
@click.argument("trace", type=click.Path())
@click.option("--full", is_flag=True, help="Every variable in every state, not only what changes.")
@property_option
@click.option("--number", type=click.IntRange(min=1), metavar="N", help="Which of several traces in a text file.")
@target_option
@component_option
@specification_option
@formula_option
@const_option
@alphabet_option
@limit_options
@json_option
@verbosity_options
def command(
    model: str,
    trace: str,
    full: bool,
    wanted: tuple[str, ...],
    number: int | None,
    targets: tuple[str, ...],
    components: tuple[str, ...],
    specification: str | None,
    formula: str | None,
    constants: dict[str, str],
    alphabets: dict[str, list[str]],
    timeout: float | None,
    memory: int | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Re-run TRACE on MODEL with an interpreter, and show it.

    The suffix of TRACE says its format: .json, .txt and .xml (also NuSMV's own), .vcd, .html, .wit: a BTOR2
    witness of MODEL.btor2, or .cex: an AIGER witness of MODEL.aig, or of the graph that symag convert makes of
    another MODEL. Of labelled
    transition systems: .json, and texts as LTSA prints them. Of PRISM models: the .json file that --trace or
    --certificate wrote, with the --specification or --formula that its tree refutes. Where neither the file nor
    --property names the property, the run is tried against all of them.

    Exit status: 10 it is a run that violates the property, 0 it is a run that violates none, 1 it is not
    what it should be, 30 the replay came to no end or the run alone does not refute the property (CTL), 3 the
    file is no trace of MODEL.

    \b
    Example:
      symag check models/counter.smv --property below_five --trace /tmp/five.json
      symag replay models/counter.smv /tmp/five.json
    """
    output = Output(as_json, quiet, verbose)
    check_components(model, components)
    check_specification_file(model, specification, formula)
    if model.endswith(LPTS_SUFFIXES):
        if wanted or targets or number is not None:
            raise UsageError("--property, --target and --number are not for PRISM models")
        from symag.cli.lpts_replay import replay_tree
        from symag.lpts.checking.check import SimulationFiles

        files = SimulationFiles(model, components, specification, formula, constants, alphabets)
        return replay_tree(files, trace, Limits(timeout, memory), output)
    check_no_alphabets(alphabets)
    numbers = whole_constants(model, constants)
    if model.endswith(LTS_SUFFIXES):
        from symag.cli.lts_replay import replay_trace

        return replay_trace(model, components, numbers, trace, targets, wanted, Limits(timeout, memory), output)
    system = read_flat_system(model)
    if len(wanted) > 1:
        raise UsageError("a trace is replayed against one --property at a time")
    checked = select(system, wanted)[0] if wanted else None
    line = output.progress()
    replayed = recheck_trace(trace, system, Limits(timeout, memory), line, checked=checked, number=number)
    line.clear()
    judged = replayed.property or next(iter(replayed.refuted), None)
    if as_json:
        print_json(
            {
                "schema": 1,
                "model": model,
                "trace": trace,
                "index": judged and judged.index,
                "name": judged and judged.name,
                "text": judged and judged.text,
                "refuted": [item.index for item in replayed.refuted],
                "certified": replayed.reason is None,
                "reason": replayed.reason,
            }
        )
    else:
        report = trace_report(system, replayed.trace, judged)
        for text in plain.steps(report, full):
            print(text)
        for text in _verdicts(model, replayed):
            print(text)
    if replayed.reason is not None:
        return UNDECIDED
    return VIOLATED if replayed.refuted else ALL_HOLD


def _verdicts(model: str, replayed: Replay) -> Iterator[str]:
    if replayed.reason is not None:
        text = "a run" if replayed.property is None else f"against {replayed.property.text}"
        yield f"trace {text}  undecided ({replayed.reason})"
        return
    for item in replayed.refuted:
        yield f"trace against {item.text}  accepted: the property is violated"
    if not replayed.refuted:
        yield f"trace accepted: a run of {model}, which violates none of its properties that can be replayed"
