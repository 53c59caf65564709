"""The pages of the manual: Markdown files in ``symag/manual``, and one page that is made from the declared options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources

import click

from symag.cli.manual.options_page import options_page

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
