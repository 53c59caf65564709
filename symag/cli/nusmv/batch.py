"""Batch mode: the model's properties, one after the other, and the reports of the options."""

# Imports in functions, for start-up: most runs need none of these options.
from __future__ import annotations

import os
from pathlib import Path

from symag.cli.nusmv.checking import Checker, Traces
from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.model import SessionModel, compassion_warning, flatten_model, read_model
from symag.cli.nusmv.options import CommandLine
from symag.cli.nusmv.properties import PropertyDatabase, PropertyEntry
from symag.cli.nusmv.reports import state_texts
from symag.cli.nusmv.streams import CommandError, Streams, refuse_input_of_session
from symag.smv.model.flat import PropertyKind

#: The kinds in NuSMV's order, each with the option that leaves it out.
_KINDS: tuple[tuple[PropertyKind, str], ...] = (
    ("CTL", "-is"),
    ("COMPUTE", "-ic"),
    ("LTL", "-ils"),
    ("PSL", "-ips"),
    ("INVARSPEC", "-ii"),
)


def run_batch(line: CommandLine, streams: Streams) -> int:
    """Runs one command line without commands. The exit status is NuSMV's: 0 for any verdicts, 1 for errors.

    It is 1 also for an undecided property, as when NuSMV does not finish.
    """
    environment = line.environment
    try:
        model = read_model(environment)
        flatten_model(model, streams)
        database = PropertyDatabase(model.system.properties)
        if "-lp" in line.given:
            streams.lines(database.list_lines())
            return 0
        return _check(line, model, database, streams)
    except CommandError as error:
        streams.error(error.text)
        aborting, terminated = "\nAborting batch mode", "\nNuSMV terminated by a signal"
        for text in (terminated, aborting) if error.jumped else (aborting, terminated, aborting):
            streams.error(text)
        return 1


def _check(line: CommandLine, model: SessionModel, database: PropertyDatabase, streams: Streams) -> int:
    environment = line.environment
    flat_file = environment.text("output_flatten_model_file")
    if flat_file is not None:
        write_flat(model, flat_file)
    boolean_file = environment.text("output_boolean_model_file")
    if boolean_file is not None:
        write_boolean(model, boolean_file)
    _refuse_order_file(environment)
    compassion_warning(model, streams)
    checker = Checker(model, database, environment, streams, Traces())
    try:
        entries = _selected(line, database, checker)
        if environment.enabled("check_fsm"):
            _check_totality(model, environment, checker, streams)
        if "-bmc" in line.given:
            _check_bounded(model, entries, environment, streams)
            return 0
        if not entries:
            _build(checker)
        checker.check(entries)
    finally:
        checker.close()
    if "-reorder" in line.given:
        _reorder(model, environment, streams)
    if "-r" in line.given:
        if environment.enabled("cone_of_influence"):
            raise CommandError(
                "WARNING: Statistics of reachable states is not currently available\n"
                "in batch mode if cone of influence reduction has been enabled."
            )
        streams.lines(model.state_sets(environment).reachable_lines())
    return 1 if checker.undecided else 0


def _check_bounded(
    model: SessionModel, entries: list[PropertyEntry], environment: Environment, streams: Streams
) -> None:
    """``-bmc``: only LTL and PSL, up to ``bmc_length``, and invariants, by ``bmc_invar_alg``."""
    from symag.cli.nusmv.bounded import BoundedChecker, Loops  # with a SAT solver, slow to import

    if not entries:
        model.refuse_failures()
    bounded = BoundedChecker(model, environment, streams, Traces())
    length, loops = environment.number("bmc_length"), Loops.of(environment.text("bmc_loopback") or "*")
    bounded.formulas([entry for entry in entries if entry.subject.kind in ("LTL", "PSL")], length, loops, False)
    algorithm = environment.text("bmc_invar_alg") or "classic"
    bounded.invariants([entry for entry in entries if entry.subject.kind == "INVARSPEC"], algorithm, length)


def _selected(line: CommandLine, database: PropertyDatabase, checker: Checker) -> list[PropertyEntry]:
    """The properties to check, in order. Raises CommandError for an index without a property."""
    if line.index is None or line.index == -1:
        kinds = [kind for kind, option in _KINDS if option not in line.given]
        groups = [database.of_kind(kind) for kind in kinds]
        # With -bmc NuSMV checks in the order of the file.
        return [entry for group in groups for entry in (group if "-bmc" in line.given else checker.in_order(group))]
    if "-bmc" in line.given:
        return [_bounded_entry(line, line.index, database)]
    if not 0 <= line.index < len(database.entries):
        raise CommandError(
            f"Property indexed by {line.index} not present in the database.\n"
            f"Valid index are in the range [0..{len(database.entries) - 1}]"
        )
    return [database.entries[line.index]]


def _bounded_entry(line: CommandLine, index: int, database: PropertyDatabase) -> PropertyEntry:
    """The property with an index, for ``-bmc``. Raises CommandError."""
    if not 0 <= index < len(database.entries):
        raise CommandError(f'Error: "{index}" is not a valid property index', jumped=True)
    entry = database.entries[index]
    if entry.subject.kind not in ("LTL", "PSL", "INVARSPEC"):
        raise CommandError("Error: only LTL, PSL and INVAR properties can be checked in BMC mode", jumped=True)
    return entry


def _refuse_order_file(environment: Environment) -> None:
    """Raises CommandError for a missing order file, before the model is built."""
    path = environment.text("input_order_file")
    if path is not None and not os.path.exists(path):
        raise CommandError(f"Error: file '{path}' not found.", jumped=True)


def _build(checker: Checker) -> None:
    """Build the model for its errors and warnings, when there is no property to check."""
    checker.warn_of_empty_sets()


def _check_totality(model: SessionModel, environment: Environment, checker: Checker, streams: Streams) -> None:
    if environment.enabled("cone_of_influence"):
        raise CommandError(
            "WARNING: Check for totality of the transition relation cannot currently\n"
            "performed in batch mode if the cone of influence reduction has been enabled.",
            jumped=True,
        )
    _build(checker)
    check_totality(model, environment, checker, streams)


def check_totality(model: SessionModel, environment: Environment, checker: Checker, streams: Streams) -> None:
    """Prints what ``-ctt`` and ``check_fsm`` report. Raises CommandError."""
    states = model.state_sets(environment)
    if states.initial_is_empty():
        checker.warn_of_empty_sets(again=True)
    if not states.has_fair_states(environment.enabled("forward_search")):
        checker.warn_of_empty_fair_states()
    for part in states.totality(environment.enabled("forward_search")):
        if isinstance(part, str):
            streams.line(part)
        else:
            (texts,) = state_texts(model.system, [part], defines=False)
            for name, text in texts.items():
                streams.line(f"{name} = {text}")


def _reorder(model: SessionModel, environment: Environment, streams: Streams) -> None:
    states = model.state_sets(environment)
    streams.line("\n========= starting reordering ============")
    states.symbolic.context.reorder(states.symbolic.diagrams())
    streams.line("\n========= after reordering ============")
    write_order(model, environment, environment.text("output_order_file") or "temp.ord")


def write_order(model: SessionModel, environment: Environment, path: str) -> None:
    """Writes the present variable order. Raises CommandError."""
    from symag.core.errors import UsageError
    from symag.smv.symbolic.orderfile import write_order_file

    try:
        write_order_file(model.system, model.order(environment), path)
    except UsageError:
        raise CommandError(f'Unable to open file "{path}".') from None


def write_boolean(model: SessionModel, path: str) -> None:
    """Writes the model over boolean variables as SMV. Raises CommandError, also for errors in the model."""
    from symag.smv.convert.boolean_model import boolean_text  # with certify's circuits, slow to import

    model.refuse_failures()
    write_text(path, boolean_text(model.system))


def write_flat(model: SessionModel, path: str) -> None:
    """Writes the flat model as SMV. Raises CommandError."""
    from symag.smv.model.printer import flat_text

    write_text(path, flat_text(model.system))


def write_text(path: str, text: str) -> None:
    """Writes a file. Raises CommandError."""
    refuse_input_of_session(path)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError:
        raise CommandError(f'Unable to open file "{path}".') from None
