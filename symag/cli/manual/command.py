"""``symag help``: the manual in the terminal, and the pages of options, as text and for ``man``."""

from __future__ import annotations

import difflib
import inspect
import io
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import resources

import click

import symag
from symag.cli.options.help_groups import grouped
from symag.cli.status import ALL_HOLD, MEANINGS
from symag.core.errors import UsageError
from symag.core.options import OptionDeclaration, declarations
from symag.engine.families import FAMILIES

#: The page that is generated.
OPTIONS = "options"
#: Every page in reading order; its name is that of its file without ``.md``.
PAGES = (
    "start",
    "start-nusmv",
    "start-ltsa",
    "start-prism",
    "start-hardware",
    "first-answers",
    "assumptions",
    "methods",
    "smv",
    "fsp",
    "probabilistic",
    "trust",
    "formats",
    "pages",
    "batch",
    "python",
    "json",
    "exit-statuses",
    OPTIONS,
    "from-nusmv",
    "from-ltsa",
    "from-prism",
    "from-abc",
    "shells",
    "limits",
    "glossary",
)


def page(name: str, group: click.Group) -> str:
    """The Markdown text of a page; ``group`` has the commands. Raises KeyError for an unknown name."""
    if name not in PAGES:
        raise KeyError(name)
    return options_page(group) if name == OPTIONS else written_page(name)


def written_page(name: str) -> str:
    """The Markdown text of a page that is a file."""
    return resources.files("symag").joinpath("manual", f"{name}.md").read_text(encoding="utf-8")


def title(text: str) -> str:
    """The first heading of a page."""
    return text.partition("\n")[0].removeprefix("#").strip()


def glossary() -> Iterator[tuple[str, str]]:
    """Every word of the glossary with the Markdown that explains it."""
    yield from re.findall(r"^\*\*(.+?)\*\*: +(.+?)(?=\n\n|\Z)", written_page("glossary"), re.MULTILINE | re.DOTALL)


#: Columns of a page in a file or pipe, and the most columns on a terminal.
_WIDTH, _WIDEST = 100, 120


@click.command(
    "help",
    short_help="Show a page of the manual.",
    context_settings={"ignore_unknown_options": True},  # symag help --timeout
)
@click.argument("topic", metavar="[TOPIC]", nargs=-1)
@click.option("--markdown", is_flag=True, help="The page as it is written, in Markdown.")
@click.option("--man", is_flag=True, help="The manual page for man(1): symag help --man > symag.1")
@click.pass_context
def command(context: click.Context, /, topic: tuple[str, ...], markdown: bool, man: bool) -> int:
    """Show a page of the manual; without TOPIC the list of pages.

    TOPIC is a page, a command (its help), or a word of the glossary.

    \b
    Example:
      symag help
      symag help start-nusmv
      symag help inductive set
    """
    group = context.find_root().command
    assert isinstance(group, click.Group)
    if man:
        if topic:
            raise click.UsageError("--man is one page; it takes no TOPIC")
        print(man_page(group), end="")
        return ALL_HOLD
    topic_name = " ".join(topic)
    listed = dict(commands(group)) if topic_name not in PAGES else {}
    if topic_name in listed:
        with click.Context(listed[topic_name], info_name=topic_name, parent=context.parent) as own:
            click.echo(listed[topic_name].get_help(own))
        return ALL_HOLD
    _show(_text(topic_name, group) if topic_name else _contents(group), markdown)
    return ALL_HOLD


def _contents(group: click.Group) -> str:
    rows = "\n".join(f"| `{name}` | {title(page(name, group))} |" for name in PAGES)
    how = "`symag help TOPIC` shows a page, the help of a command, or a word of the glossary."
    return f"# The manual of symag\n\n{how}\n\n| TOPIC | |\n|---|---|\n{rows}\n"


def _text(topic_name: str, group: click.Group) -> str:
    """The page, or the entries of the glossary with this name. Raises UsageError with names or pages that are near."""
    if topic_name in PAGES:
        return page(topic_name, group)
    words = dict(glossary())
    matching = [word for word in words if topic_name.casefold() in word.casefold().split(", ")]
    if matching:
        return "\n\n".join(f"**{word}**: {words[word]}" for word in matching) + "\n"
    pages = [name for name in PAGES if re.search(rf"(?<!\w){re.escape(topic_name)}(?!\w)", page(name, group), re.I)]
    near = difflib.get_close_matches(topic_name, [*PAGES, *(term for word in words for term in word.split(", "))], 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "symag help lists all pages"
    if pages:
        hint = f"these pages have it: {', '.join(pages)}"
    raise UsageError(f"no page and no word '{topic_name}' in the manual; {hint}")


def _show(text: str, markdown: bool) -> None:
    """Print a page; on a terminal in colours, through the pager."""
    if markdown:
        print(text, end="")
        return
    # For start-up: only on a terminal.
    from rich.console import Console
    from rich.markdown import Markdown

    terminal = sys.stdout.isatty()
    width = min(_WIDEST, Console().width) if terminal else _WIDTH
    lines = io.StringIO()
    console = Console(file=lines, width=width, force_terminal=terminal, color_system="standard" if terminal else None)
    console.print(Markdown(text, hyperlinks=False))
    shown = "\n".join(line.rstrip() for line in lines.getvalue().splitlines()) + "\n"
    if terminal:
        click.echo_via_pager(shown)
    else:
        print(shown, end="")


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
