"""Reading traces from files, and executing traces on the model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.executors import execute, execute_by_solver
from symag.cli.nusmv.reports import missing_values, run_report
from symag.cli.nusmv.streams import CommandError
from symag.core.errors import InputError
from symag.core.trace import Step, Trace
from symag.smv.model.flat import FlatSystem, VariableKind

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

_NO_TRACES = "There are no traces currently available."
_UNFINISHED = "-- Trace could not be completed."
_DESCRIPTIONS = {"bdd": "BDD Execution", "sat": "BMC Execution"}


def execute_traces(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``execute_traces``: whether traces with all values are runs of the model. Raises CommandError if one is not."""
    failed = False
    executor = _executor(shell, "execute_traces", options)
    for number in _numbers(shell, options, words):
        trace = shell.traces.raw[number - 1]
        missing = sorted(missing_values(shell.known_model.system, trace), key=lambda missing_value: missing_value[0])
        for step, name in missing:
            shell.streams.error(f"Trace is missing a value for variable at step {step} : {name}")
        if missing:
            shell.streams.error("Error: cannot execute incomplete trace.")
            failed = True
            continue
        run, steps = _executed(shell, trace, "v" in options, executor)
        if run is None:
            shell.streams.line("Trace execution failed!")
            failed = True
            continue
        shell.streams.line(f"Trace {number} execution completed successfully.")
        shell.streams.line(f"{steps} steps performed.")
    if failed:
        raise CommandError("")


def execute_partial_traces(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``execute_partial_traces``: runs of the model with a trace's values. Raises CommandError if there is none."""
    failed = False
    executor = _executor(shell, "execute_partial_traces", options)
    for number in _numbers(shell, options, words):
        run, _ = _executed(shell, shell.traces.raw[number - 1], "v" in options, executor)
        if run is None:
            shell.streams.line(_UNFINISHED)
            failed = True
            continue
        index = shell.traces.next_number
        shown = run_report(shell.known_model.system, run, index, "Execution", _DESCRIPTIONS[executor])
        shell.traces.add(shown, run)
        shell.streams.line("-- Trace was successfully completed.")
        shell.streams.line(f"-- New complete trace is stored at {index} index.")
    if failed:
        raise CommandError("")


def _executed(shell: Shell, trace: Trace, verbose: bool, executor: str) -> tuple[Trace | None, int]:
    """A run with the values of a trace (None: there is none), and the number of its steps."""
    streams, model = shell.streams, shell.known_model

    def report(number: int, exists: bool) -> None:
        if verbose:
            success = "done" if executor == "bdd" else "ok"
            streams.line(f"-- executing step {number} ... {success if exists else 'failed!'}")

    try:
        if executor == "bdd":
            done = execute(model.state_sets(shell.environment).symbolic, trace, report)
        else:
            done = execute_by_solver(model.system, trace, report)
    except InputError as error:
        streams.error(f"Error: {error.message}.")
        return None, 0
    if not done.starts:
        streams.error(f"Error: starting state is not initial state{'.' if executor == 'bdd' else ''}")
    elif done.run is not None and done.steps == 0:
        streams.error("Warning: trace has no transitions.")
    return None if done.run is None else _as_lasso(done.run), done.steps


def _as_lasso(run: Trace) -> Trace:
    """NuSMV takes a run that ends in an earlier state for a lasso."""
    *before, last = run.steps
    loop = next((number for number, step in enumerate(before) if dict(step.state) == dict(last.state)), None)
    return run if loop is None else Trace("lasso", tuple(before), loop)


def _executor(shell: Shell, name: str, options: Mapping[str, str]) -> str:
    """The executor of a command: for a built model bdd, else sat. Raises CommandError for one that is not ready."""
    model = shell.model
    executors = () if model is None else (("bdd", model.built), ("sat", model.bounded))
    ready = [name for name, is_ready in executors if is_ready]
    if not ready:
        raise CommandError("No valid executor found. Model must be built in order to perform trace re-execution.")
    executor = options.get("e", ready[0])
    if executor not in ready:
        raise CommandError(f'Error: "{executor}" is not a valid executor\n{COMMANDS[name].usage(name)}')
    return executor


def _numbers(shell: Shell, options: Mapping[str, str], words: list[str]) -> list[int]:
    """The numbers of a command's traces: all, the last one, or a given one."""
    count = len(shell.traces.raw)
    if count == 0:
        shell.streams.error(_NO_TRACES)
        return []
    if "a" in options:
        return list(range(1, count + 1))
    if not words:
        return [count]
    if not words[0].isdecimal() or not 1 <= int(words[0]) <= count:
        raise CommandError(f'Error: "{words[0]}" is not a valid trace number. Acceptable range is 1..{count}.')
    return [int(words[0])]


def read_trace(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``read_trace``: a trace in NuSMV's XML; values may be missing. Raises CommandError."""
    from symag.traces import xml  # Python's own XML is slow to import

    if "i" in options:
        shell.streams.error("Warning: option -i is deprecated feature.")
    path = options.get("i") or (words[0] if words else None)
    if path is None:
        raise CommandError("Error: Input XML file has to be provided.")
    unable = f'Unable to load trace from XML File "{path}".'
    try:
        content = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise CommandError(unable) from None
    system = shell.known_model.system
    try:
        (reading,) = xml.read(content, path)
    except InputError as error:
        raise CommandError(f"At line {error.line}: {error.message}\n{unable}") from None
    steps = _sorted(shell, system, reading.steps, "u" in options, "s" in options, unable)
    trace = _looped(shell, steps, reading.loops)
    number = shell.traces.next_number
    shown = run_report(system, trace, number, reading.purpose, reading.description)
    shell.traces.add(shown, trace)
    shell.streams.error(f"Trace is stored at {number} index ")


def _sorted(
    shell: Shell, system: FlatSystem, steps: tuple[Step, ...], ignore: bool, move: bool, unable: str
) -> list[Step]:
    """The steps without DEFINEs, states and inputs apart; with ``move``, values in the wrong section are moved."""
    warned: set[str] = set()
    states: list[dict[str, bool | int | str]] = [{} for _ in steps]
    inputs: list[dict[str, bool | int | str]] = [{} for _ in steps]
    for number, step in enumerate(steps):
        for section, values in (("state", step.state), ("input", step.inputs)):
            for name, value in values.items():
                variable = system.by_name.get(name)
                if variable is None and name in system.defines:
                    continue
                is_input = variable is not None and variable.kind is VariableKind.INPUT
                wrong = variable is not None and is_input != (section == "input")
                if (variable is None or wrong) and name not in warned:
                    warned.add(name)
                    word = "Warning" if (move if wrong else ignore) else "Error"
                    time = number + (2 if section == "input" else 1)
                    what = f"symbol '{name}'" if wrong else f"undefined symbol '{name}'"
                    shell.streams.error(f"{word}: {what} is in section {section} (time {time}).")
                    shell.streams.error("(Each symbol is reported only once)\n")
                if (variable is None and not ignore) or (wrong and not move):
                    raise CommandError(unable)
                if variable is None:
                    continue
                if is_input:
                    inputs[number if section == "input" else max(0, number - 1)][name] = value
                else:
                    states[number][name] = value
    return [Step(state, input_) for state, input_ in zip(states, inputs, strict=True)]


def _looped(shell: Shell, steps: list[Step], loops: tuple[int, ...]) -> Trace:
    """The trace: a lasso if the last state equals one of the starts of a loop."""
    for loop in loops:
        if loop < len(steps) - 1 and dict(steps[loop].state) == dict(steps[-1].state):
            return Trace("lasso", tuple(steps[:-1]), loop)
        shell.streams.error("WARNING: state not a loopback state")
    return Trace("finite", tuple(steps))
