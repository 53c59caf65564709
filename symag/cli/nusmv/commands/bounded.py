"""Bounded model checking: checks, DIMACS files, simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from symag.cli.nusmv import dimacs
from symag.cli.nusmv.bounded import ALGORITHMS, INCREMENTAL, Bounded, Loops, linear
from symag.cli.nusmv.commands.booleans import build_boolean_model
from symag.cli.nusmv.commands.checks import added
from symag.cli.nusmv.commands.models import encode, flatten, read
from symag.cli.nusmv.commands.registry import COMMANDS, SEPARATOR
from symag.cli.nusmv.commands.runs import constraint_of, pick_state, print_trace, simulated
from symag.cli.nusmv.model import KIND_WORDS
from symag.cli.nusmv.properties import PropertyEntry
from symag.cli.nusmv.streams import CommandError, whole_number
from symag.core.errors import InputError, UnsupportedError
from symag.smv.methods.sat.bounded import BoundedSearch, reads_only_states
from symag.smv.methods.sat.steps import Steps
from symag.smv.model.flat import PropertyKind

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

_NOT_SET_UP = 'The BMC model must be built before.\n(Use the command "bmc_setup")'


def go_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``go_bmc``: all missing steps up to a model for bounded checks."""
    if shell.model is None:
        read(shell, {}, [])
    model = shell.known_model
    if model.flat is None:
        flatten(shell, {}, [])
    if not model.encoded:
        encode(shell, {}, [])
    if not model.boolean or "f" in options:
        build_boolean_model(shell, {"f": ""}, [])
    model.bounded = True


def bmc_setup(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``bmc_setup``. Raises CommandError without a boolean model."""
    if not shell.known_model.boolean:
        raise CommandError('The boolean model must be built before.\n(Use the command "build_boolean_model")')
    shell.known_model.bounded = True


def _bounded(shell: Shell) -> Bounded:
    if not shell.known_model.bounded:
        raise CommandError(_NOT_SET_UP)
    return Bounded(shell.known_model, shell.environment, shell.streams, shell.traces)


def _entries(shell: Shell, kind: PropertyKind, options: Mapping[str, str]) -> list[PropertyEntry]:
    """One property by index, name or formula, else all of a kind. Raises CommandError for one of another kind."""
    database = shell.known_database
    if "p" in options:
        return [added(shell, kind, options["p"], None)]
    if "n" not in options and "P" not in options:
        return shell.known_checker().in_order(database.of_kind(kind))
    entry = database.named(options["P"]) if "P" in options else database.at(options["n"])
    if entry.subject.kind != kind:
        word = KIND_WORDS[entry.subject.kind]
        raise CommandError(f"Error: specified property type is {word}, but type {KIND_WORDS[kind]} was expected.")
    return [entry]


def _length(shell: Shell, options: Mapping[str, str]) -> int:
    return whole_number(options.get("k", shell.environment.text("bmc_length") or "10"))


def _loops(shell: Shell, options: Mapping[str, str], length: int) -> Loops:
    loops = Loops.of(options.get("l", shell.environment.text("bmc_loopback") or "*"))
    if "l" in options and not loops.fit(length):
        raise CommandError(f"Error: length={length} and loopback={loops.text} are not compatible.")
    return loops


def _check_formulas(shell: Shell, kind: PropertyKind, options: Mapping[str, str], only_last: bool) -> None:
    checker, length = _bounded(shell), _length(shell, options)
    loops = _loops(shell, options, length)
    entries = _entries(shell, kind, options)
    if "o" in options:
        for entry in entries:
            _generate(shell, entry, range(length if only_last else 0, length + 1), loops, options)
    checker.formulas(entries, length, loops, only_last)


def check_ltlspec_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_ltlspec_bmc``, ``check_ltlspec_bmc_inc``, ``check_ltlspec_sbmc``: LTL, bound by bound."""
    _check_formulas(shell, "LTL", options, only_last=False)


def check_ltlspec_bmc_onepb(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_ltlspec_bmc_onepb``: LTL at one bound."""
    _check_formulas(shell, "LTL", options, only_last=True)


def check_ltlspec_sbmc_inc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_ltlspec_sbmc_inc``: LTL, bound by bound, with ``-c`` until a longer bound cannot differ."""
    _bounded(shell).terminating(_entries(shell, "LTL", options), _length(shell, options), "c" in options)


def check_pslspec_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_pslspec_bmc`` and its variants: PSL, bound by bound; with ``-1`` at one bound."""
    _check_formulas(shell, "PSL", options, only_last="1" in options)


def check_invar_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_invar_bmc``: invariants by induction. Raises CommandError for an unknown algorithm."""
    algorithm = options.get("a", shell.environment.text("bmc_invar_alg") or "classic")
    if algorithm not in ALGORITHMS and algorithm not in INCREMENTAL:
        raise CommandError(
            f"'{algorithm}' is an invalid algorithm name.\nValid names are 'classic' and 'een-sorensson'."
        )
    for letter in "ek":
        if letter in options and algorithm == "classic":
            raise CommandError(f"Option -{letter} can be used only when 'een-sorensson' algorithm is selected.")
    _bounded(shell).invariants(_entries(shell, "INVARSPEC", options), algorithm, _length(shell, options))


def check_invar_bmc_inc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_invar_bmc_inc``: invariants by induction, incrementally. Raises CommandError as ``check_invar_bmc``."""
    algorithm = options.get("a", shell.environment.text("bmc_inc_invar_alg") or "dual")
    if algorithm not in INCREMENTAL:
        valid = "Valid names are 'dual', 'falsification' and 'zigzag'."
        raise CommandError(f"'{algorithm}' is an invalid algorithm name.\n{valid}")
    strategy = options.get("s", "backward")
    if strategy not in ("backward", "forward"):
        valid = "Valid names are 'backward' and 'forward'."
        raise CommandError(f"'{strategy}' is an invalid closure strategy name.\n{valid}")
    if "s" in options and algorithm != "dual":
        raise CommandError("Closure strategy can be specified for 'dual' only.")
    _bounded(shell).invariants(_entries(shell, "INVARSPEC", options), algorithm, _length(shell, options))


def gen_ltlspec_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``gen_ltlspec_bmc``, ``gen_ltlspec_sbmc``: a DIMACS file for every bound."""
    _generate_all(shell, options, only_last=False)


def gen_ltlspec_bmc_onepb(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``gen_ltlspec_bmc_onepb``: a DIMACS file for one bound."""
    _generate_all(shell, options, only_last=True)


def _generate_all(shell: Shell, options: Mapping[str, str], only_last: bool) -> None:
    _bounded(shell)
    length = _length(shell, options)
    loops = _loops(shell, options, length)
    for entry in _entries(shell, "LTL", options):
        _generate(shell, entry, range(length if only_last else 0, length + 1), loops, options)


def _generate(shell: Shell, entry: PropertyEntry, bounds: range, loops: Loops, options: Mapping[str, str]) -> None:
    model = shell.known_model
    pattern = options.get("o") or shell.environment.text("bmc_dimacs_filename") or "@f_k@k_l@l_n@n"
    index = str(entry.subject.index)
    for bound in bounds:
        starts = loops.starts(bound)
        if starts is None:
            what = f"problem with bound {bound} and loopback {loops.text} is not allowed: skipped"
            shell.streams.error(f"\nWarning: {what}")
            continue
        recorder = dimacs.ClauseRecorder()
        try:
            problem = linear(model.system, entry)
            if problem is None:
                return
            search = BoundedSearch(*problem, solver=recorder)
        except InputError as error:
            raise model.translate(error) from None
        except UnsupportedError as error:
            raise CommandError(f"symag: not generated ({error}): {entry.shown}") from None
        graph = search.steps.graph
        literals = [search.lasso_literal(bound, starts)]
        if loops.may_have_none:
            literals.append(search.prefix_literal(bound))
        path = dimacs.file_name(pattern, model.path, bound, loops.text, index)
        dimacs.write(path, search.steps, recorder, graph.any(literals))


def gen_invar_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``gen_invar_bmc``: a DIMACS file that is satisfiable if induction over one step fails for an invariant."""
    _bounded(shell)
    model = shell.known_model
    pattern = options.get("o") or shell.environment.text("bmc_invar_dimacs_filename") or "@f_invar_n@n"
    for entry in _entries(shell, "INVARSPEC", options):
        expression = entry.subject.expression
        if expression is None or not reads_only_states(model.system, expression):
            raise CommandError(f"symag: not generated (it reads inputs or next values): {entry.shown}")
        recorder = dimacs.ClauseRecorder()
        try:
            steps = Steps(model.system, [expression], from_start=False, solver=recorder)
        except InputError as error:
            raise model.translate(error) from None
        steps.extend()
        steps.extend()
        graph = steps.graph
        start = graph.all(steps.initial_literals())
        base = graph.conjunction(start, steps.truth(expression, 0) ^ 1)
        step = graph.conjunction(steps.truth(expression, 0), steps.truth(expression, 1) ^ 1)
        path = dimacs.file_name(pattern, model.path, None, "", str(entry.subject.index))
        dimacs.write(path, steps, recorder, graph.disjunction(base, step))


def bmc_pick_state(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``bmc_pick_state``: as ``pick_state``."""
    _bounded(shell)
    pick_state(shell, {letter: text for letter, text in options.items() if letter != "v"}, words, is_bounded=True)
    number = shell.traces.next_number - 1
    shown, raw = shell.traces.shown[number - 1], shell.traces.raw[number - 1]
    shell.traces.replace(number, replace(shown, description="BMC Simulation"), raw)
    if "v" in options:
        print_trace(shell, 1)


def bmc_simulate(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``bmc_simulate``: all of a number of steps, or none. Raises CommandError."""
    _simulate(shell, options, "bmc_simulate", incremental=False)


def bmc_inc_simulate(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``bmc_inc_simulate``: as many of a number of steps as there are. Raises CommandError."""
    _simulate(shell, options, "bmc_inc_simulate", incremental=True)


def _simulate(shell: Shell, options: Mapping[str, str], name: str, incremental: bool) -> None:
    _bounded(shell)
    if ("p" in options and "v" in options) or ("c" in options and "t" in options):
        raise CommandError(COMMANDS[name].usage(name))
    planned = whole_number(options.get("k", str(shell.environment.number("default_simulation_steps"))))
    if shell.position is None:
        raise CommandError('No current state set. Use the "bmc_pick_state" command.')
    taken = simulated(shell, options, planned, all_steps=not incremental)
    if taken < planned:
        if not incremental:
            shell.streams.line(f"The model deadlocks before requested length {planned}!")
            return
        shell.streams.error(f"The model reached a deadlock state: iteration {taken}.")
        shell.streams.error("This might be due to the constraints that are too strong.")
        return
    if "p" in options or "v" in options:
        print_trace(shell, 1 if "v" in options else 0)


def bmc_simulate_check_feasible_constraints(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``bmc_simulate_check_feasible_constraints``: which constraints can hold in the current state.

    Raises CommandError.
    """
    _bounded(shell)
    name = "bmc_simulate_check_feasible_constraints"
    if "c" not in options:
        raise CommandError(COMMANDS[name].usage(name))
    symbolic = shell.known_model.state_sets(shell.environment).symbolic
    if shell.position is None:
        states = symbolic.initial_states()
    else:
        states = symbolic.encoding.valuation(shell.state_at(shell.position))
    truths = []
    texts = options["c"].split(SEPARATOR)
    for text in texts:
        condition = constraint_of(shell, text)
        assert condition is not None
        truths.append(int(states & symbolic.predicate(condition) != symbolic.context.false))
    if "q" in options:
        shell.streams.line("".join(str(truth) for truth in truths))
        return
    shell.streams.line("#num\ttruth\tconstraint")
    for number, (truth, text) in enumerate(zip(truths, texts, strict=True)):
        shell.streams.line(f"{number}\t{truth}\t{text}")
