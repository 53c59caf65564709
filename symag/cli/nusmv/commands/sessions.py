"""Commands about the session: variables, time, help, quit."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.streams import CommandError, Quit, refuse_input_of_session

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

#: The width of a column of the list of commands; a longer name has a line of its own.
_COLUMN = 35


def set_variable(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``set``: set a variable, or list all. Raises CommandError for a value that the variable does not take."""
    environment = shell.environment
    if not words:
        shell.streams.lines(environment.lines())
        return
    name, value = words[0], words[1] if len(words) > 1 else None
    exists = environment.knows(name)
    if name == "input_file" and value is not None and shell.model is not None:
        shell.streams.line("***** Warning: a model is already loaded -- input_file not changed.")
        shell.streams.line('***** The model should be reset (e.g., using command "reset")')
        shell.streams.line("***** before the input_file can be changed.")
        raise CommandError(f'Cannot assign value "{value}" to option "{name}"')
    environment.set(name, value)
    missing = _missing_preprocessor(shell, name, value or "")
    if missing is not None:
        shell.streams.error(f"Preprocessor file {missing} does not exist.")
    if not exists:
        shell.streams.line(f'Defining new environment variable "{name}"')


def _missing_preprocessor(shell: Shell, name: str, value: str) -> str | None:
    """The first program that ``set`` of a preprocessor's path, or of the list of preprocessors, names in vain."""
    if name == "pp_list":
        paths = [shell.environment.text(f"pp_{preprocessor}_path") for preprocessor in value.split()]
    else:
        paths = [value] if name in ("pp_cpp_path", "pp_m4_path") else []
    return next((path for path in paths if path is not None and not os.path.exists(path)), None)


def unset_variables(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``unset``: reset variables to their defaults."""
    for name in words:
        try:
            shell.environment.unset(name)
        except CommandError as error:
            shell.streams.error(error.text)  # NuSMV continues


def show_time(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``time``: CPU seconds since the previous call, and since the start."""
    now = time.process_time()
    shell.streams.line(f"elapse: {now - shell.timed:.2f} seconds, total: {now - shell.started:.2f} seconds")
    shell.timed = now


def show_usage(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``usage``: time and memory of this process and of the child processes that have ended."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    for line in (
        "Runtime Statistics",
        "------------------",
        f"User time    {own.ru_utime + children.ru_utime:.3f} seconds",
        f"System time  {own.ru_stime + children.ru_stime:.3f} seconds",
        "",
        f"Maximum resident size            = {max(own.ru_maxrss, children.ru_maxrss):6}K",
    ):
        shell.streams.line(line)


def leave(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``quit``. Raises Quit."""
    raise Quit(0)


def echo(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``echo``: words on standard output, on standard error, or in a file. Raises CommandError."""
    text = "".join(f"{word} " for word in words) + ("" if "n" in options else "\n")
    if "o" in options:
        refuse_input_of_session(options["o"])
        try:
            with Path(options["o"]).open("a" if "a" in options else "w", encoding="utf-8") as file:
                file.write(text)
        except OSError:
            raise CommandError(f"echo: unable to open file {options['o']} for writing.") from None
    elif "2" in options:
        sys.stdout.flush()
        sys.stderr.write(text)
    else:
        shell.streams.write(text)


def source(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``source``: run the commands of a file; with ``-s`` it may be missing. Raises CommandError if one fails."""
    if "s" in options and not Path(words[0]).exists():
        return
    if not shell.source(words[0], prompt="p" in options, echo="x" in options):
        raise CommandError("")


def which(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``which``: the path of a file on the ``open_path``."""
    (name,) = words
    folders = [] if name.startswith("/") else (shell.environment.text("open_path") or "").split(":")
    for path in (name, *(f"{folder}/{name}" for folder in folders if folder != ".")):
        if Path(path).exists():
            shell.streams.line(path)
            return
    shell.streams.error(f"{name}: No such file or directory")


def alias(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``alias``: define an alias, or list them."""
    if len(words) > 1:
        shell.aliases[words[0]] = words[1:]
        return
    for name, definition in sorted(shell.aliases.items()):
        if not words or words[0] == name:
            shell.streams.line(f"{name}\t {' '.join(definition)}")


def unalias(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``unalias``: remove aliases."""
    for name in words:
        shell.aliases.pop(name, None)


def show_history(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``history``: the last 30 lines, or a given number of them. Raises CommandError."""
    text = words[0] if words else "30"
    if not text.isdecimal() or int(text) == 0:
        raise CommandError(COMMANDS["history"].usage("history"))
    count = int(text)
    numbered = list(enumerate(shell.history.lines, 1))
    for number, line in numbered[-count:]:
        shell.streams.line(f"{number}\t{line}")


def show_help(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``help``: all commands, or the usage of one. Raises CommandError for an unknown command."""
    if words:
        command = COMMANDS.get(words[0])
        if command is None:
            raise CommandError(f"Unfound help for command: {words[0]}.")
        shell.streams.line(command.usage(words[0]))
        return
    row = ""
    for name in sorted(COMMANDS):
        is_long = len(name) >= _COLUMN
        if row and is_long:
            shell.streams.line(row.rstrip())
            row = ""
        row += f"{name:<{_COLUMN}}"
        if is_long or len(row) > _COLUMN:
            shell.streams.line(row.rstrip())
            row = ""
    if row:
        shell.streams.line(row.rstrip())
