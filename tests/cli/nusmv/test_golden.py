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
