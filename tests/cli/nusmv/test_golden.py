"""What NuSMV 2.6 was seen to print (nusmv-behaviour.md of the public suites), line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.nusmv.conftest import Nusmv
from tests.conftest import suites_folder

_BEHAVIOUR = suites_folder() / "smv" / "nusmv-behaviour.md"
#: Options that a section's heading names.
_OPTIONS = {"dead end with -ctt": ("-ctt",)}
_SECTION = re.compile(r"^([a-z0-9][^\n]*):\n```\n(.*?)--- prints\n(.*?)```", re.MULTILINE | re.DOTALL)


def _sections() -> dict[str, tuple[str, list[str], int]]:
    """Heading to model, lines and exit status."""
    if not _BEHAVIOUR.is_file():
        return {}
    text = _BEHAVIOUR.read_text()
    errors = text[text.index("## Errors") : text.index("## Traces")]
    found = {}
    for heading, model, printed in _SECTION.findall(errors):
        status = re.search(r"^\(exit (\d+)\)$", printed, re.MULTILINE)
        lines = [line for line in printed.splitlines() if line.strip() and not line.startswith("(exit")]
        found[heading.partition(" (")[0]] = (model, lines, int(status[1]) if status else 1)
    return found


SECTIONS = _sections()


@pytest.mark.parametrize("heading", SECTIONS)
def test_errors_and_warnings_are_nusmvs(heading: str, nusmv: Nusmv) -> None:
    model, lines, status = SECTIONS[heading]
    said = nusmv(model, *_OPTIONS.get(heading, ()))
    assert said.lines == lines
    assert said.status == status


_TRACE_LINE = re.compile(r"  -> (State|Input): |    \S+ = |  -- Loop starts here")


def _shape(lines: list[str]) -> list[str]:
    """The lines with the states of a trace, which need not be NuSMV's, as one word."""
    shapes = ["(states)" if _TRACE_LINE.match(line) else line for line in lines]
    return [line for k, line in enumerate(shapes) if line != "(states)" or k == 0 or shapes[k - 1] != "(states)"]


def _kinds() -> list[tuple[str, list[str]]]:
    """The models with every kind of property, and what is printed for them."""
    if not _BEHAVIOUR.is_file():
        return []
    text = _BEHAVIOUR.read_text()
    part = text[text.index("## A file with every kind") : text.index("## Errors")]
    first = re.search(r"```\n(MODULE.*?)```\nprints.*?```\n(.*?)```", part, re.DOTALL)
    second = re.search(r"PSL:\n```\n(.*?)--- prints\n(.*?)```", part, re.DOTALL)
    assert first is not None
    assert second is not None
    found = ((match[1], match[2].splitlines()) for match in (first, second))
    return [(model, [line for line in lines if line.strip()]) for model, lines in found]


@pytest.mark.parametrize(("model", "lines"), _kinds())
def test_every_kind_of_property(model: str, lines: list[str], nusmv: Nusmv) -> None:
    said = nusmv(model)
    assert _shape(said.lines) == _shape(lines)
    assert said.status == 0


def test_the_golden_file_was_read(suites: Path) -> None:
    assert len(SECTIONS) >= 17
    assert sum(status == 1 for _, _, status in SECTIONS.values()) >= 12


def test_a_missing_file(nusmv: Nusmv) -> None:
    said = nusmv(None, "nosuch.smv")
    assert said.lines == [
        "file nosuch.smv: line 1: cannot open input file nosuch.smv",
        "NuSMV terminated by a signal",
        "Aborting batch mode",
    ]
    assert said.status == 1
