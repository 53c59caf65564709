"""The page for ``man``, in roff, made from the help of the commands."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

import symag
from symag.cli.manual.options_page import commands
from symag.cli.options.help_groups import grouped
from symag.cli.status import MEANINGS


def man_page(group: click.Group) -> str:
    """symag(1): every command with its options in groups, and the exit statuses."""
    return "\n".join(_lines(group)) + "\n"


def _lines(group: click.Group) -> Iterator[str]:
    yield f'.TH SYMAG 1 "" "symag {symag.__version__}" "User Commands"'
    # Lines of unbreakable choices have no blanks to stretch.
    yield ".ad l"
    yield ".SH NAME"
    yield _plain("symag - automated assume-guarantee model checking").replace(" - ", r" \- ")
    yield ".SH SYNOPSIS"
    yield r".B symag"
    yield r"\fICOMMAND\fR [\fIOPTION\fR]... [\fIARGUMENT\fR]..."
    yield ".SH DESCRIPTION"
    yield _plain(
        "symag proves and refutes properties of models, by parts where that pays. The manual is in symag help."
    )
    for name, command in commands(group):
        yield from _command(name, command)
    yield ".SH EXIT STATUS"
    for status, meaning in MEANINGS.items():
        yield from (".TP", rf"\fB{status}\fR", _plain(meaning))
    yield ".SH SEE ALSO"
    yield _plain("symag help start, symag help options, symag COMMAND --help")


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    arguments = " ".join(param.make_metavar(context) for param in command.params if isinstance(param, click.Argument))
    yield f".SH SYMAG {name.upper()}"
    yield rf"\fBsymag {name}\fR {_plain(arguments)}"
    for paragraph in inspect.cleandoc(command.help or "").replace("``", "").split("\n\n"):
        if paragraph.startswith("\b"):
            yield from (".PP", ".nf", *(_plain(line) for line in paragraph.splitlines()[1:]), ".fi")
        else:
            yield from (".PP", _plain(" ".join(paragraph.split())))
    options = [param for param in command.params if isinstance(param, click.Option)]
    groups = grouped(options, name) if name == "check" else [("", options)]
    for heading, members in groups:
        if heading and members:
            yield f'.SS "{_plain(heading)}"'
        for option in members:
            flags, meaning = option.get_help_record(context) or ("/".join(option.opts), "")
            # A line may end between two choices.
            shown = _plain(flags).replace("|", r"|\:")
            yield from (".TP", rf"\fB{shown}\fR", _plain(" ".join(meaning.split())))


def _plain(text: str) -> str:
    """The text with everything escaped that roff interprets: hyphens, backslashes, a dot or quote at its beginning."""
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain
