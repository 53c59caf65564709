"""``symag check`` for probabilistic systems: strong simulation by a specification."""

from __future__ import annotations

import time
from collections.abc import Iterator

import click

from symag.cli.reporting import print_answer, print_answers
from symag.cli.status import INTERRUPTED, of_results
from symag.cli.streams import Output
from symag.core.evidence_paths import Written, planned, trace_format, written
from symag.core.limits import Limits
from symag.core.results import PropertyResult, Verdict
from symag.core.simulation_evidence import TreeCounterexample
from symag.core.trace import Step, Trace
from symag.engine.answers import Answer
from symag.lpts.certify.files import write_simulation_evidence
from symag.lpts.checking.check import Judged, SimulationFiles, decide_simulation, read_problem
from symag.lpts.checking.methods import AUTO, FUNCTIONS, ChosenLptsMethod
from symag.lpts.checking.traces import FORMATS, MODELS


def check_simulation(
    files: SimulationFiles,
    chosen: ChosenLptsMethod,
    paths: tuple[str | None, str | None, str | None],
    limits: Limits,
    certify: bool,
    output: Output,
) -> int:
    """Decide and print; the exit status. Raises InputError and UsageError.

    ``paths``: where to write the evidence of any answer, where only a tree, and in which format.
    """
    if chosen.method not in (AUTO, *FUNCTIONS):
        known = ", ".join((AUTO, *FUNCTIONS))
        raise click.UsageError(f"method '{chosen.method}' is not for probabilistic systems; there are {known}")
    started = time.monotonic()
    line = output.progress()
    interrupted = False
    evidence, trees, form = paths
    named = [(0, files.question.kind)]
    certificates = None if evidence is None else planned(evidence, FORMATS[0], named).of(0)
    tree = None if trees is None else planned(trees, trace_format(trees, form, FORMATS, MODELS), named).of(0)
    kept = Written()
    warnings: tuple[str, ...] = ()
    try:
        read = read_problem(files, limits, line)
        warnings = read.warnings
        if read.problem is None:
            judged = Judged(PropertyResult(Verdict.UNKNOWN, chosen.name, reason=read.reason))
        else:
            judged = decide_simulation(read.problem, chosen, limits, certify, line, read.values, files)
            found = judged.evidence
            for path in (certificates, tree if isinstance(found, TreeCounterexample) else None):
                if path is not None and found is not None:
                    problem, text = read.problem, files.question.text
                    write_simulation_evidence(path, files.path, text, problem.components, problem.specification, found)
                    kept = written(certificates, tree if isinstance(found, TreeCounterexample) else None)
    except KeyboardInterrupt:
        interrupted = True
        judged = Judged(PropertyResult(Verdict.UNKNOWN, chosen.name, reason="interrupted"))
    line.clear()
    result = judged.result
    answer = Answer(files.question, result, kept.certificate, kept.trace)
    said = tuple(dict.fromkeys((*warnings, *result.warnings)))
    if output.as_json and ":" in (result.reason or ""):
        said = (*said, f"property 0: {result.reason}")
    output.warn(said)
    if output.as_json:
        print_answers(files.path, time.monotonic() - started, said, [answer])
    else:
        _show(answer, output.verbose)
    return INTERRUPTED if interrupted else of_results([result])


def _show(answer: Answer, verbose: bool) -> None:
    print_answer(f"-- {answer.property.text}", answer, verbose)
    if answer.result.trace is not None:
        why = "that violates the formula" if answer.property.kind == "pctl" else "the specification cannot simulate"
        print(f"Tree that the system can run and {why}:")
        for text in tree_lines(answer.result.trace):
            print(text)


def tree_lines(trace: Trace) -> Iterator[str]:
    """Each node under its parent: action, probability if less than 1, states of the components."""
    below: dict[int, list[int]] = {}
    for number, step in enumerate(trace.steps):
        below.setdefault(int(step.inputs["parent"]), []).append(number)
    waiting = [(number, 0) for number in reversed(below.get(-1, []))]
    while waiting:
        number, depth = waiting.pop()
        step = trace.steps[number]
        probability = str(step.inputs["probability"])
        label = "" if step.action is None else f"{step.action or '(no label)'}  "
        share = "" if probability == "1" else f"{probability}  "
        yield f"{'  ' * (depth + 1)}{label}{share}{_states(step)}"
        waiting += [(child, depth + 1) for child in reversed(below.get(number, []))]


def _states(step: Step) -> str:
    return "(" + ", ".join(f"{name}={state}" for name, state in step.state.items()) + ")"
