"""Checking and listing properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.model import KIND_WORDS, property_name, typed_property
from symag.cli.nusmv.properties import PropertyEntry, Status
from symag.cli.nusmv.streams import CommandError
from symag.core.values import replace
from symag.smv.model.flat import Property, PropertyKind
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import TEMPORAL_OPERATORS, Operation, subexpressions

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

#: The option letters of the kinds of properties, in NuSMV's order of checking.
KINDS: Mapping[str, PropertyKind] = {"c": "CTL", "q": "COMPUTE", "l": "LTL", "s": "PSL", "i": "INVARSPEC"}
_STATUS: Mapping[str, Status] = {"u": "Unchecked", "t": "True", "f": "False"}

#: The choices of ``check_invar``, its numbers, and what it takes for one strategy only.
_INVARIANT_CHOICES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "s": ("strategy", ("forward", "backward", "forward-backward", "bdd-bmc")),
    "e": ("heuristic", ("zigzag", "smallest")),
    "j": ("heuristic", ("steps", "size")),
}
_INVARIANT_NUMBERS: Mapping[str, str] = {"t": "number as threshold", "k": "integer number as BMC k"}
_ONLY_WITH_BMC: Mapping[str, str] = {
    "j": "use an heuristic for bdd-bmc",
    "t": "use an heuristic threshold for bdd-bmc",
    "k": "set BMC k",
}


def check(shell: Shell, options: Mapping[str, str], words: list[str], kind: PropertyKind) -> None:
    """``check_ctlspec``, ``check_ltlspec``, ``check_pslspec``, ``check_compute``.

    Raises CommandError for a property of another kind.
    """
    shell.known_checker().check(entries_of(shell, kind, options))


def compute(shell: Shell, options: Mapping[str, str], words: list[str], kind: PropertyKind) -> None:
    """``compute``: ``check_compute`` by its older name."""
    shell.streams.error("Warning: command 'compute' is deprecated, use 'check_compute' instead.")
    check(shell, options, words, kind)


def check_invar(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_invar``. Raises CommandError for a strategy that NuSMV does not have, or options that it refuses.

    Whatever the strategy, symag decides by its own.
    """
    for letter, (kind, choices) in _INVARIANT_CHOICES.items():
        if letter in options and options[letter] not in choices:
            listed = ", ".join(f"'{choice}'" for choice in choices)
            raise CommandError(f"Wrong {kind} specified; you must choose between {{{listed}}}.")
    for letter, meaning in _INVARIANT_NUMBERS.items():
        if letter in options and not options[letter].lstrip("+-").isdecimal():
            raise CommandError(f"You must specify a valid {meaning}")
    strategy = options.get("s", shell.environment.text("check_invar_strategy"))
    if strategy == "bdd-bmc":
        shell.known_model.require_bmc_setup()
    elif "e" in options and strategy != "forward-backward":
        raise CommandError("Unable to use an heuristic without forward-backward or bdd-bmc strategy.")
    elif "s" in options:
        for letter, complaint in _ONLY_WITH_BMC.items():
            if letter in options:
                raise CommandError(f"Unable to {complaint} while not in bdd-bmc strategy!")
    # NuSMV complains about a property of another kind, and decides it.
    shell.known_checker().check(entries_of(shell, "INVARSPEC", options, shell.streams.error))


def entries_of(
    shell: Shell, kind: PropertyKind, options: Mapping[str, str], complain: Callable[[str], None] | None = None
) -> list[PropertyEntry]:
    """One property by index, name or formula, else all of a kind.

    ``complain`` gets NuSMV's complaint about a property of another kind; without it CommandError is raised.
    """
    database = shell.known_database
    if "p" in options:
        return [added(shell, kind, options["p"], None)]
    if "n" not in options and "P" not in options:
        return shell.known_checker().in_order(database.of_kind(kind))
    entry = database.named(options["P"]) if "P" in options else database.at(options["n"])
    if entry.subject.kind != kind:
        word = KIND_WORDS[entry.subject.kind]
        complaint = f"Error: specified property type is {word}, but type {KIND_WORDS[kind]} was expected."
        if complain is None:
            raise CommandError(complaint)
        complain(complaint)
    return [entry]


def added(shell: Shell, kind: PropertyKind, text: str, name: str | None) -> PropertyEntry:
    """A property of the command line as an entry of the database. Raises CommandError."""
    database = shell.known_database
    typed = typed_property(shell.known_model, kind, text, len(database.entries))
    if name is None:
        return database.add(typed)
    named = replace(typed, name=property_name(name))
    if any(entry.subject.name == name for entry in database.entries):
        raise CommandError(f'The property database already contains a property named "{name}"')
    return database.add(named)


def check_property(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_property``: one property, or all of some kinds. Raises CommandError for contradictory options."""
    letters = [letter for letter in KINDS if letter in options]
    if "p" in options and not letters:
        raise CommandError(COMMANDS["check_property"].usage("check_property"))
    shell.known_checker().check(selected(shell, options, letters))


def selected(shell: Shell, options: Mapping[str, str], letters: Sequence[str]) -> list[PropertyEntry]:
    """One property by index, name or formula, else all of the kinds with these letters (none: of any kind)."""
    database = shell.known_database
    if "n" in options:
        return [database.at(options["n"])]
    if "P" in options:
        return [database.named(options["P"])]
    if "p" in options:
        return [added(shell, KINDS[letters[0]], options["p"], None)]
    kinds = [KINDS[letter] for letter in letters] or list(KINDS.values())
    return shell.known_checker().in_order([entry for entry in database.entries if entry.subject.kind in kinds])


def add_property(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``add_property``: add a formula for later checks. Raises CommandError."""
    letters = [letter for letter in KINDS if letter in options]
    if len(letters) != 1 or "p" not in options:
        raise CommandError(COMMANDS["add_property"].usage("add_property"))
    added(shell, KINDS[letters[0]], options["p"], options.get("n"))


def convert_property_to_invar(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``convert_property_to_invar``: ``AG p`` and ``G p`` as invariants of their own. Raises CommandError."""
    database = shell.known_database
    if "n" in options:
        subjects = [database.at(options["n"]).subject]
    elif "P" in options:
        subjects = [database.named(options["P"]).subject]
    elif "p" in options:
        subjects = [_of_some_logic(shell, options["p"])]
    else:
        subjects = [entry.subject for entry in database.entries if entry.subject.kind in ("CTL", "LTL")]
    for subject in subjects:
        always = subject.expression if subject.kind in ("CTL", "LTL") else None
        if not isinstance(always, Operation) or always.operator not in ("AG", "G") or len(always.operands) > 1:
            continue  # with bounds it has three operands
        (inside,) = always.operands
        if any(isinstance(part, Operation) and part.operator in TEMPORAL_OPERATORS for part in subexpressions(inside)):
            continue
        invariant = replace(subject, kind="INVARSPEC", name=None, text=expression_text(inside), expression=inside)
        database.add(replace(invariant, index=len(database.entries)))


def _of_some_logic(shell: Shell, text: str) -> Property:
    """A formula of the command line, in CTL or else in LTL. Raises CommandError."""
    kinds: tuple[PropertyKind, ...] = ("CTL", "LTL")
    for kind in kinds:
        try:
            return typed_property(shell.known_model, kind, text, 0)
        except CommandError as error:
            last = error
    raise last


def show_property(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``show_property``: the list of properties, by kind and status. Raises CommandError."""
    database = shell.known_database
    streams = shell.streams
    kinds = [KINDS[letter] for letter in "cliq" if letter in options]
    statuses = [_STATUS[letter] for letter in _STATUS if letter in options]
    form = options.get("F", "tabular")
    if form == "help":
        streams.error("Available formats are: xml, tabular")
        return
    if form not in ("tabular", "xml"):
        raise CommandError(f"Format '{form}' is not valid, use '-F help'to see the valid formats.")
    if "s" in options:
        streams.line(f"Current number of stored properties: {len(database.entries)}")
        return
    if "P" in options and not any(entry.subject.name == options["P"] for entry in database.entries):
        raise CommandError(f"No property named '{options['P']}'")
    only = database.at(options["n"]) if "n" in options else database.named(options["P"]) if "P" in options else None
    lines = database.xml_lines if form == "xml" else database.list_lines
    streams.lines(lines(kinds[0] if kinds else None, statuses[0] if statuses else None, only))
