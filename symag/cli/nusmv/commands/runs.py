"""Simulation: the states that commands choose, one after the other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from symag.cli.nusmv.commands.models import condition
from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.reports import plugin_lines, run_report, state_texts, unrolled
from symag.cli.nusmv.shell import TracePosition
from symag.cli.nusmv.simulation import RunConstraints, StateChooser, SymbolicChooser, Valuation
from symag.cli.nusmv.streams import CommandError, whole_number
from symag.core.trace import Step, Trace, Value
from symag.core.values import replace
from symag.smv.checking.run_steps import is_counted
from symag.smv.model.supports import references
from symag.smv.model.typed import Expression
from symag.traces.report import TraceReport

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell
    from symag.cli.nusmv.solver_simulation import SolverChooser


def pick_state(shell: Shell, options: Mapping[str, str], words: list[str], is_bounded: bool = False) -> None:
    """``pick_state``: an initial state begins a new trace, or an earlier trace up to a state. Raises CommandError.

    With ``is_bounded`` it prints the fewer lines of ``bmc_pick_state``.
    """
    if ("r" in options and "i" in options) or ("a" in options and "i" not in options):
        raise CommandError(COMMANDS["pick_state"].usage("pick_state"))
    if "s" in options:
        if "c" in options:
            raise CommandError("Options -c and -s cannot be used at the same time")
        position = _position(options["s"])
        if position is None or not _exists(shell, position):
            raise CommandError(f'Label "{options["s"]}" is invalid')
        _begin(shell, _up_to(shell, position))
    else:
        constraint = condition(shell, options["c"], may_read_next=False) if "c" in options else None
        picked = _chooser(shell, RunConstraints(constraint), options, is_bounded).initial()
        if picked is None:
            if not is_bounded:
                shell.streams.error("The set of initial states is EMPTY. No state can be chosen.")
            what = (
                "initial state is inconsistent"
                if constraint is None
                else "constraint and initial state are inconsistent"
            )
            raise CommandError(f"No trace: {what}")
        _begin(shell, (Step(picked),))
    if "v" in options:
        print_trace(shell, 1)


def _begin(shell: Shell, steps: tuple[Step, ...]) -> TracePosition:
    """Begin a new trace, whose last state is the current one; its position."""
    number = shell.traces.next_number
    trace = Trace("finite", steps)
    shell.traces.add(_shown(shell, trace, number), trace)
    shell.position = TracePosition(number, len(steps))
    return shell.position


def simulate(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``simulate``: add some steps from the current state on to its trace. Raises CommandError."""
    streams = shell.streams
    if words:
        streams.error('*** Warning: Parameter "steps" is deprecated. Use option "-k" instead')
        if "k" in options:
            raise CommandError('Error: Parameter "steps" conflicts with option -k')
    default = words[0] if words else str(shell.environment.number("default_simulation_steps"))
    planned = whole_number(options.get("k", default))
    if shell.position is None:
        raise CommandError('No current state set. Use the "pick_state" command.')
    constraints = _constraints(shell, options)
    number = shell.position.trace
    start = len(shell.traces.raw[number - 1].steps)
    streams.line(f"********  Simulation Starting From State {number}.{start}   ********")
    taken = simulated(shell, options, constraints, planned)
    if taken < planned:
        what = "." if taken else ": trace not built.\n"
        streams.error(f"No future state exists{what}Simulation stopped at step {taken + 1}.")
    if "p" in options or "v" in options:
        print_trace(shell, 1 if "v" in options else 0, max(1, start - 1))


def _constraints(shell: Shell, options: Mapping[str, str]) -> RunConstraints:
    """The conditions of ``-c`` and ``-t``. Raises CommandError."""
    states = condition(shell, options["c"], may_read_next=False) if "c" in options else None
    return RunConstraints(states, condition(shell, options["t"]) if "t" in options else None)


def simulated_for(shell: Shell, options: Mapping[str, str], count: int, all_steps: bool) -> int:
    """``simulated`` for the bounded commands. Raises CommandError for a malformed constraint."""
    return simulated(shell, options, _constraints(shell, options), count, all_steps, is_bounded=True)


def simulated(
    shell: Shell,
    options: Mapping[str, str],
    constraints: RunConstraints,
    count: int,
    all_steps: bool = False,
    is_bounded: bool = False,
) -> int:
    """Adds ``count`` steps, or as many as exist, to the trace of the current state; the number of steps that exist.

    With ``all_steps`` it adds a path of all of them, or none if there is none.
    """
    assert shell.position is not None
    number = shell.position.trace
    steps = list(shell.traces.raw[number - 1].steps)
    if all_steps and not _states_read_inputs(shell, constraints):
        path = _solver_chooser(shell, constraints, options, count).path(steps[-1].state) or []
    else:
        chooser = _chooser(shell, constraints, options, is_bounded)
        path = list(itertools.islice(_steps_from(steps[-1].state, chooser), count))
    if len(path) < count and all_steps:
        return len(path)
    for inputs, state in path:
        steps[-1] = Step(steps[-1].state, inputs)
        steps.append(Step(state))
    trace = Trace("finite", tuple(steps))
    description = shell.traces.shown[number - 1].description
    shell.traces.replace(number, replace(_shown(shell, trace, number), description=description), trace)
    shell.position = TracePosition(number, len(steps))
    return len(path)


def _steps_from(state: Valuation, chooser: StateChooser) -> Iterator[tuple[Valuation, Valuation]]:
    """Inputs and next states, chosen one after the other until there are no more."""
    while (following := chooser.step(state)) is not None:
        yield following
        state = following[1]


def print_trace(shell: Shell, plugin: int, first: int = 1) -> None:
    """The trace of the current state from a state on."""
    assert shell.position is not None
    shown = shell.traces.shown[shell.position.trace - 1]
    shell.streams.lines(plugin_lines(shown, shell.known_model.system, shell.environment, plugin, first))


def goto_state(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``goto_state``: begin a new trace that ends with a state of an earlier one. Raises CommandError."""
    position = _position(words[0])
    if position is None:
        raise CommandError('Parsing error: expected "goto_state <trace_number>.<state_number>".')
    if not _exists(shell, position):
        shell.streams.error(f"The label {position.trace}.{position.state} is invalid.")  # NuSMV continues
        return
    begun = _begin(shell, _up_to(shell, position))
    shell.streams.line("The current state for new trace is:")
    shell.streams.line(f"-> State {begun.trace}.{begun.state} <-")
    for name, text in _texts(shell, shell.state_at(begun)).items():
        shell.streams.line(f"    {name} = {text}")


def print_current_state(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_current_state``: its number, and with ``-v`` its values. Raises CommandError."""
    if shell.position is None:
        shell.streams.line(
            'There is no trace actually stored in the system.\nUse "pick_state" to define the current state.'
        )
        raise CommandError("")
    shell.streams.line(f"Current state is {shell.position.trace}.{shell.position.state}")
    if "v" in options:
        for name, text in _texts(shell, shell.state_at(shell.position)).items():
            shell.streams.line(f"{name} = {text}")


def _position(text: str) -> TracePosition | None:
    """The position that a text like ``1.2`` names."""
    match = re.fullmatch(r"(\d+) *\.(\d+)", text)
    return None if match is None else TracePosition(int(match[1]), int(match[2]))


def _exists(shell: Shell, position: TracePosition) -> bool:
    traces = shell.traces.raw
    return 1 <= position.trace <= len(traces) and 1 <= position.state <= len(unrolled(traces[position.trace - 1]).steps)


def _up_to(shell: Shell, position: TracePosition) -> tuple[Step, ...]:
    """The steps of a trace up to a state."""
    *before, last = unrolled(shell.traces.raw[position.trace - 1]).steps[: position.state]
    return (*before, Step(last.state))


def _shown(shell: Shell, trace: Trace, number: int) -> TraceReport:
    return run_report(shell.known_model.system, trace, number, "Simulation")


def _texts(shell: Shell, state: Mapping[str, Value]) -> dict[str, str]:
    (texts,) = state_texts(shell.known_model.system, [state], defines=False)
    return texts


def _chooser(shell: Shell, constraints: RunConstraints, options: Mapping[str, str], is_bounded: bool) -> StateChooser:
    """What chooses the states: of large models a solver, for bounded commands, if no user and no input does."""
    model = shell.known_model
    is_solved = is_bounded and "i" not in options and not is_counted(model.system)
    if is_solved and not _states_read_inputs(shell, constraints):
        return _solver_chooser(shell, constraints, options)
    states = model.state_sets(shell.environment)
    shown = shell.environment.number("shown_states")
    mode = "random" if "r" in options else "ask" if "i" in options else "first"
    return SymbolicChooser(states.symbolic, constraints, mode, shell.random, shown, shell.streams, shell.input)


def _solver_chooser(
    shell: Shell, constraints: RunConstraints, options: Mapping[str, str], length: int = 1
) -> SolverChooser:
    # For start-up: most models are small.
    from symag.cli.nusmv.solver_simulation import SolverChooser

    model = shell.known_model
    with model.errors_worded():
        return SolverChooser(model.system, constraints, shell.random if "r" in options else None, length)


def _states_read_inputs(shell: Shell, constraints: RunConstraints) -> bool:
    system = shell.known_model.system
    return constraints.states is not None and bool(references(system, constraints.states).current & system.inputs)


def can_hold_now(shell: Shell, constraint: Expression) -> bool:
    """Whether a condition can hold on a step from the current state. Raises CommandError without a current state."""
    if shell.position is None:
        raise CommandError("A starting state has to be chosen. Use command 'bmc_pick_state'")
    chooser = _chooser(shell, RunConstraints(steps=constraint), {}, is_bounded=True)
    return chooser.step(shell.state_at(shell.position)) is not None
