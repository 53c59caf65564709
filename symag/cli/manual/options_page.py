"""The page with every option of every command, made from the command line and the declarations of the families."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from symag.cli.options.help_groups import grouped
from symag.core.options import OptionDeclaration, declarations
from symag.engine.families import FAMILIES

#: Commands with NuSMV's options, which have a page of their own.
_FOREIGN = frozenset({"nusmv"})
_HEAD = """\
# Every option

This page is made from the declarations of the options. `symag COMMAND --help` shows the options that most people need
first, `symag check MODEL --help-all` all options for models of one kind. In Python an option is a keyword argument of
`symag.check`: its name without `--`, with `_` for `-`, unless the table gives another name.
"""


def options_page(group: click.Group) -> str:
    """Markdown: a section for each command of the group, a table for each group of its options."""
    texts = [_HEAD]
    for name, command in commands(group):
        if name not in _FOREIGN:
            texts.append("\n".join(_section(name, command)))
    return "\n".join(texts)


def commands(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """The commands of a group with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            yield name, command


def _section(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    arguments = " ".join(param.make_metavar(context) for param in command.params if isinstance(param, click.Argument))
    yield f"## symag {name}\n"
    summary = command.get_short_help_str(limit=400).replace("``", "`")
    yield f"`symag {name} {arguments}`: {summary}\n"
    options = [param for param in command.params if isinstance(param, click.Option) and param.opts[0] != "--help-all"]
    if name == "check":
        for heading, members in grouped(options, name):
            yield f"### {heading}\n"
            yield from _table(name, context, members)
    elif options:
        yield from _table(name, context, options)


def _table(name: str, context: click.Context, options: Sequence[click.Option]) -> Iterator[str]:
    yield "| option | meaning |"
    yield "|---|---|"
    for option in options:
        flags, meaning = option.get_help_record(context) or ("/".join(option.opts), "")
        cells = (f"`{flags}`", " ".join((meaning, *_details(name, option))))
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def _details(name: str, option: click.Option) -> Iterator[str]:
    """The methods that read the option, and its name in Python if that is another one."""
    declared = [
        (family, declaration)
        for family in FAMILIES
        for kind in (family.request, family.options)
        for declaration in declarations(kind, name)
        if declaration.flag in option.opts
    ]
    for what, details in (("Read by", _methods), ("In Python", _keyword)):
        texts: dict[str, list[str]] = {}
        for family, form in declared:
            texts.setdefault(details(form), []).append(family.label)
        for text, labels in texts.items():
            where = f" ({', '.join(labels)})" if len(texts) > 1 else ""
            if text:
                yield f"{what} {text}{where}."


def _methods(declaration: OptionDeclaration) -> str:
    return ", ".join(f"`{method}`" for method in declaration.methods)


def _keyword(declaration: OptionDeclaration) -> str:
    """The name in Python if it differs from the flag, else an empty text."""
    renamed = declaration.keyword != declaration.flag.removeprefix("--").replace("-", "_")
    return f"`{declaration.keyword}`" if renamed else ""
