"""Bounded model checking: checks, DIMACS files, simulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symag.cli.nusmv.batch import write_text
from symag.cli.nusmv.bounded import ALGORITHMS, INCREMENTAL, BoundedChecker, Loops, linear
from symag.cli.nusmv.commands.checks import entries_of
from symag.cli.nusmv.commands.models import build_boolean_model, condition, encoded
from symag.cli.nusmv.commands.registry import COMMANDS, SEPARATOR
from symag.cli.nusmv.commands.runs import can_hold_now, pick_state, print_trace, simulated_for
from symag.cli.nusmv.properties import PropertyEntry
from symag.cli.nusmv.streams import CommandError, whole_number
from symag.core.errors import UnsupportedError
from symag.core.values import replace
from symag.smv.methods.sat.bounded import BoundedSearch, reads_only_states
from symag.smv.methods.sat.steps import Steps
from symag.smv.model.flat import FlatSystem, PropertyKind, VariableKind

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell


def go_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``go_bmc``: all missing steps up to a model for bounded checks."""
    model = encoded(shell)
    if not model.boolean or "f" in options:
        build_boolean_model(shell, {"f": ""}, [])
    model.flat_built = model.bounded = True


def bmc_setup(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``bmc_setup``. Raises CommandError without a boolean model, or if it was called before without ``-f``."""
    model = shell.known_model
    model.require_boolean()
    if model.bounded and "f" not in options:
        raise CommandError("A call to bmc_setup has already been done.")
    model.bounded = True


def _bounded(shell: Shell) -> BoundedChecker:
    shell.known_model.require_bmc_setup()
    return BoundedChecker(shell.known_model, shell.environment, shell.streams, shell.traces)


def _length(shell: Shell, options: Mapping[str, str]) -> int:
    return whole_number(options.get("k", shell.environment.text("bmc_length") or "10"))


def _loops(shell: Shell, options: Mapping[str, str], length: int) -> Loops:
    loops = Loops.of(options.get("l", shell.environment.text("bmc_loopback") or "*"))
    if "l" in options and not loops.fit(length):
        raise CommandError(f"Error: length={length} and loopback={loops.text} are not compatible.")
    return loops


def check_formulas(
    shell: Shell, options: Mapping[str, str], words: list[str], kind: PropertyKind, only_last: bool = False
) -> None:
    """``check_ltlspec_bmc``, ``check_pslspec_bmc`` and variants: bound by bound; with ``-1`` (PSL) at one bound.

    ``-o PATTERN`` (LTL) and ``-g`` (PSL) write the clauses too.
    """
    only_last = only_last or "1" in options
    checker, length = _bounded(shell), _length(shell, options)
    loops = _loops(shell, options, length)
    entries = entries_of(shell, kind, options)
    if ("o" if kind == "LTL" else "g") in options:
        pattern = options.get("o") if kind == "LTL" else None
        for entry in entries:
            _generate(shell, entry, range(length if only_last else 0, length + 1), loops, pattern)
    checker.formulas(entries, length, loops, only_last)


def check_ltlspec_sbmc_inc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_ltlspec_sbmc_inc``: LTL, bound by bound, with ``-c`` until a longer bound cannot differ."""
    _bounded(shell).terminating(entries_of(shell, "LTL", options), _length(shell, options), "c" in options)


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
    _bounded(shell).invariants(entries_of(shell, "INVARSPEC", options), algorithm, _length(shell, options))


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
    _bounded(shell).invariants(entries_of(shell, "INVARSPEC", options), algorithm, _length(shell, options))


def generate(shell: Shell, options: Mapping[str, str], words: list[str], only_last: bool = False) -> None:
    """``gen_ltlspec_bmc``, ``gen_ltlspec_sbmc``: a DIMACS file for every bound; with ``only_last`` for one."""
    _bounded(shell)
    length = _length(shell, options)
    loops = _loops(shell, options, length)
    for entry in entries_of(shell, "LTL", options):
        _generate(shell, entry, range(length if only_last else 0, length + 1), loops, options.get("o"))


def _generate(shell: Shell, entry: PropertyEntry, bounds: range, loops: Loops, pattern: str | None) -> None:
    model = shell.known_model
    pattern = pattern or shell.environment.text("bmc_dimacs_filename") or "@f_k@k_l@l_n@n"
    index = str(entry.subject.index)
    for bound in bounds:
        starts = loops.starts(bound)
        if starts is None:
            what = f"problem with bound {bound} and loopback {loops.text} is not allowed: skipped"
            shell.streams.error(f"\nWarning: {what}")
            continue
        recorder = _ClauseRecorder()
        try:
            with model.errors_worded():
                search = BoundedSearch(*linear(model.system, entry), solver=recorder)
        except UnsupportedError as error:
            raise CommandError(f"symag: not generated ({error}): {entry.shown}") from None
        graph = search.steps.graph
        literals = [search.lasso_literal(bound, starts)]
        if loops.may_have_none:
            literals.append(search.prefix_literal(bound))
        loop = loops.text if loops.may_have_none else str(starts[0])
        path = _dimacs_name(pattern, model.path, bound, loop, index)
        _write_dimacs(shell, path, search.steps, recorder, graph.any(literals))


def gen_invar_bmc(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``gen_invar_bmc``: a DIMACS file that is satisfiable if induction over one step fails for an invariant."""
    _bounded(shell)
    model = shell.known_model
    pattern = options.get("o") or shell.environment.text("bmc_invar_dimacs_filename") or "@f_invar_n@n"
    for entry in entries_of(shell, "INVARSPEC", options):
        expression = entry.subject.expression
        if expression is None or not reads_only_states(model.system, expression):
            raise CommandError(f"symag: not generated (it reads inputs or next values): {entry.shown}")
        recorder = _ClauseRecorder()
        with model.errors_worded():
            steps = Steps(model.system, [expression], from_start=False, solver=recorder)
        steps.extend()
        steps.extend()
        graph = steps.graph
        start = graph.all(steps.initial_literals())
        base = graph.conjunction(start, steps.truth(expression, 0) ^ 1)
        step = graph.conjunction(steps.truth(expression, 0), steps.truth(expression, 1) ^ 1)
        path = _dimacs_name(pattern, model.path, None, "", str(entry.subject.index))
        _write_dimacs(shell, path, steps, recorder, graph.disjunction(base, step))


def bmc_pick_state(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``bmc_pick_state``: as ``pick_state``."""
    _bounded(shell)
    pick_state(shell, {letter: text for letter, text in options.items() if letter != "v"}, words, is_bounded=True)
    number = shell.traces.next_number - 1
    shown, raw = shell.traces.shown[number - 1], shell.traces.raw[number - 1]
    shell.traces.replace(number, replace(shown, description="BMC Simulation"), raw)
    if "v" in options:
        print_trace(shell, 1)


def simulate(shell: Shell, options: Mapping[str, str], words: list[str], name: str, incremental: bool) -> None:
    """``bmc_simulate``: all of a number of steps, or none; ``bmc_inc_simulate``: as many as there are.

    Raises CommandError.
    """
    _bounded(shell)
    if any(first in options and second in options for first, second in ("pv", "ct", "ri")):
        raise CommandError(COMMANDS[name].usage(name))
    planned = whole_number(options.get("k", str(shell.environment.number("default_simulation_steps"))))
    if shell.position is None:
        raise CommandError('No current state set. Use the "bmc_pick_state" command.')
    taken = simulated_for(shell, options, planned, all_steps=not incremental)
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
    texts = options["c"].split(SEPARATOR)
    truths = [int(can_hold_now(shell, condition(shell, text))) for text in texts]
    if "q" in options:
        shell.streams.line("".join(str(truth) for truth in truths))
        return
    shell.streams.line("#num\ttruth\tconstraint")
    for number, (truth, text) in enumerate(zip(truths, texts, strict=True)):
        shell.streams.line(f"{number}\t{truth}\t{text}")


class _ClauseRecorder:
    """Keeps clauses, in place of a solver."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []

    def add(self, clause: list[int], /) -> None:
        """Keep a clause."""
        self.clauses.append(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Never called."""
        raise AssertionError("a recorder decides nothing")

    def model(self) -> Sequence[int]:
        """Never called."""
        raise AssertionError("a recorder decides nothing")

    def close(self) -> None:
        """Does nothing."""


def _dimacs_name(pattern: str, path: str, bound: int | None, loop: str, index: str) -> str:
    """The name of a file, from NuSMV's pattern with ``@f`` (the stem), ``@F`` (the path), ``@k``, ``@l``, ``@n``."""
    stem = Path(path).name.rpartition(".")[0] or Path(path).name
    values = {"@F": path, "@f": stem, "@k": "" if bound is None else str(bound), "@l": loop, "@n": index}
    for key, value in values.items():
        pattern = pattern.replace(key, value)
    return f"{pattern.replace('@@', '@')}.dimacs"


def _write_dimacs(shell: Shell, path: str, steps: Steps, recorder: _ClauseRecorder, goal: int) -> None:
    """Write the clauses, and the goal of the steps' graph; as NuSMV, go on if the file cannot be written."""
    top = steps.clauses.literal(goal)
    text = "".join(f"{line}\n" for line in _lines(steps, [*recorder.clauses, [top]]))
    try:
        write_text(path, text)
    except CommandError as error:
        shell.streams.error(error.text)


def _lines(steps: Steps, clauses: Sequence[Sequence[int]]) -> Iterator[str]:
    counts = _counts(steps.system)
    yield "c BMC problem generated by symag"
    shown = ", ".join(f"{counts[kind]} {word} Variables" for kind, word in _WORDS.items())
    yield f"c Time steps from 0 to {steps.length}, {shown}"
    yield "c Model to Dimacs Conversion Table"
    for step in range(steps.length + 1):
        yield "c "
        yield f"c @@@@@ Time {step}"
        for name, bits in steps.bits(step).items():
            for index, bit in enumerate(bits):
                shown = name if len(bits) == 1 else f"{name}.{index}"
                yield f"c CNF variable {steps.clauses.literal(bit)} => Time {step}, Model Variable {shown}"
    yield "c "
    yield "c Beginning of the DIMACS dumping"
    yield f"p cnf {steps.clauses.largest} {len(clauses)}"
    for clause in clauses:
        yield " ".join(str(literal) for literal in clause) + " 0"


_WORDS = {VariableKind.STATE: "State", VariableKind.FROZEN: "Frozen", VariableKind.INPUT: "Input"}


def _counts(system: FlatSystem) -> Mapping[VariableKind, int]:
    return {kind: sum(variable.kind is kind for variable in system.variables) for kind in VariableKind}
