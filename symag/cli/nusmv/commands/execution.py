"""Reading traces from files, and executing traces on the model: state by state, with decision diagrams."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.reports import missing_values, run_report
from symag.cli.nusmv.streams import CommandError
from symag.core.errors import InputError
from symag.core.trace import Step, Trace, Value
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.symbolic.system import SymbolicSystem
from symag.smv.traversal.trace import SingleTransitions, frozen

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

_NO_TRACES = "There are no traces currently available."
_UNFINISHED = "-- Trace could not be completed."


def execute_traces(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``execute_traces``: whether traces with all values are runs of the model. Raises CommandError if one is not."""
    failed = False
    for number in _numbers(shell, "execute_traces", options, words):
        trace = shell.traces.raw[number - 1]
        missing = sorted(missing_values(shell.known_model.system, trace), key=lambda missing_value: missing_value[0])
        for step, name in missing:
            shell.streams.error(f"Trace is missing a value for variable at step {step} : {name}")
        if missing:
            shell.streams.error("Error: cannot execute incomplete trace.")
            failed = True
            continue
        run, steps = _executed(shell, trace, "v" in options)
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
    for number in _numbers(shell, "execute_partial_traces", options, words):
        run, _ = _executed(shell, shell.traces.raw[number - 1], "v" in options)
        if run is None:
            shell.streams.line(_UNFINISHED)
            failed = True
            continue
        index = shell.traces.next_number
        shell.traces.add(run_report(shell.known_model.system, run, index, shell.environment, "Execution"), run)
        shell.streams.line("-- Trace was successfully completed.")
        shell.streams.line(f"-- New complete trace is stored at {index} index.")
    if failed:
        raise CommandError("")


def _executed(shell: Shell, trace: Trace, verbose: bool) -> tuple[Trace | None, int]:
    """A run with the values of a trace (None: there is none), and the number of its steps."""
    streams = shell.streams

    def report(number: int, exists: bool) -> None:
        if verbose:
            streams.line(f"-- executing step {number} ... {'done' if exists else 'failed!'}")

    states = shell.known_model.state_sets(shell.environment)
    try:
        done = execute(states.symbolic, trace, report)
    except InputError as error:
        streams.error(f"Error: {error.message}.")
        return None, 0
    if not done.starts:
        streams.error("Error: starting state is not initial state.")
    elif done.run is not None and done.steps == 0:
        streams.error("Warning: trace has no transitions.")
    run = done.run
    if run is not None and trace.loop is not None and dict(run.steps[-1].state) == dict(run.steps[trace.loop].state):
        run = Trace("lasso", run.steps[:-1], trace.loop)
    return run, done.steps


def _numbers(shell: Shell, name: str, options: Mapping[str, str], words: list[str]) -> list[int]:
    """The numbers of a command's traces: all, the last one, or a given one."""
    if options.get("e", "bdd") != "bdd":
        shown = COMMANDS[name].usage(name)
        raise CommandError(f'Error: "{options["e"]}" is not a valid executor\n{shown}')
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
    shown = run_report(system, trace, number, shell.environment, reading.purpose, reading.description)
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


#: Called after every step with its number, from 1, and whether the step exists.
StepReport = Callable[[int, bool], None]


def unrolled(trace: Trace) -> Trace:
    """The trace as NuSMV stores it: a lasso repeats at its end the state that it returns to."""
    if trace.kind != "lasso" or trace.loop is None:
        return trace
    return Trace("finite", (*trace.steps, Step(trace.steps[trace.loop].state)))


class Execution(Struct, frozen=True, eq=False):
    """The result of executing a trace: the number of steps that exist, and a run with all values if all exist.

    ``starts`` says whether the first state can be initial.
    """

    starts: bool
    steps: int
    run: Trace | None


def execute(symbolic: SymbolicSystem, trace: Trace, report: StepReport) -> Execution:
    """Searches a run with the values of the trace, forward over sets of states and back along single states.

    Costs one image for each step. Calls ``report`` after each step. Raises InputError for a value
    that its variable cannot take.
    """
    steps = unrolled(trace).steps
    encoding, context = symbolic.encoding, symbolic.context
    transitions = SingleTransitions.of(symbolic)
    reached = [symbolic.initial_states() & _cube(symbolic, steps[0], inputs=False)]
    if reached[0] == context.false:
        return Execution(False, 0, None)
    for number, step in enumerate(steps[1:], 1):
        leaving = reached[-1] & _cube(symbolic, steps[number - 1], inputs=True)
        following = _image(transitions, leaving) & _cube(symbolic, step, inputs=False)
        report(number, following != context.false)
        if following == context.false:
            return Execution(True, number - 1, None)
        reached.append(following)
    names = encoding.state_names()
    states: list[Mapping[str, Value]] = [encoding.decode(context.pick(reached[-1]), names)]
    executed: list[Step] = [Step(states[0])]
    for number in range(len(steps) - 2, -1, -1):
        fixed = transitions.following(states[-1])
        conjuncts = [reached[number], _cube(symbolic, steps[number], inputs=True)]
        conjuncts += [encoding.valuation(frozen(symbolic, states[-1]))]
        conjuncts += [context.cofactor(conjunct, fixed) for conjunct in transitions.conjuncts]
        assignment = context.pick(context.conjunction(conjuncts))
        states.append(encoding.decode(assignment, names))
        executed.append(Step(states[-1], encoding.decode(assignment, transitions.inputs)))
    executed.reverse()
    return Execution(True, len(steps) - 1, Trace("finite", tuple(executed)))


def _image(transitions: SingleTransitions, leaving: Bdd) -> Bdd:
    """The states one step later; ``leaving`` may fix inputs. Frozen variables keep their values."""
    symbolic = transitions.system
    encoding, context = symbolic.encoding, symbolic.context
    image = context.conjunction([leaving, *transitions.conjuncts])
    passing = encoding.names(VariableKind.STATE, VariableKind.INPUT)
    return encoding.to_current(context.exists(encoding.current_bits(passing), image))


def _cube(symbolic: SymbolicSystem, step: Step, inputs: bool) -> Bdd:
    """The states (or the inputs on the transition that leaves them) with the values of a step."""
    encoding = symbolic.encoding
    try:
        return encoding.valuation(step.inputs if inputs else step.state)
    except (ValueError, KeyError):
        raise InputError("the trace has a value that its variable cannot take") from None
