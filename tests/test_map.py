"""``symag/README.md``: whatever it names exists, and nothing in the repository cites a document outside it."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from tests.conftest import ROOT

MAP = (ROOT / "symag" / "README.md").read_text()
#: Data that a test reads in the public suites, and files that commands write: none of them explains anything.
_NO_CITATIONS = frozenset({"nusmv-behaviour.md", "FILE.md", "page.md", "options.md", "index.md"})


def test_every_path_of_the_map_exists() -> None:
    paths = set(re.findall(r"\b(?:symag|tests|models|scripts)/[\w./-]*[\w/]", MAP))
    assert len(paths) > 80
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_files_that_are_named_by_their_folder_exist() -> None:
    """``lexer.py`` of ``symag/smv/language``: the folder comes after the names of its files."""
    groups = re.findall(r"((?:`\w+\.py`(?:, )?)+) of `(symag/[\w/]+)`", MAP)
    assert groups
    for names, folder in groups:
        for name in re.findall(r"`(\w+\.py)`", names):
            assert (ROOT / folder / name).is_file(), f"{folder}/{name}"


def test_the_packages_of_the_picture_are_those_of_the_tree() -> None:
    drawn = set(re.findall(r"symag/(\w+)", MAP.split("## What happens")[0]))
    there = {entry.parent.name for entry in (ROOT / "symag").glob("*/__init__.py")}
    assert there <= drawn


def test_nicknames_of_papers_are_on_the_map() -> None:
    known = set(re.findall(r"\*\*([a-z-]+-[12][0-9]{3})\*\*", MAP))
    assert len(known) == 6
    cited: set[str] = set()
    for file in (ROOT / "symag").rglob("*.py"):
        cited |= set(re.findall(r"\b[a-z]+(?:-[a-z]+)+-(?:19|20)[0-9]{2}\b", file.read_text()))
    assert cited
    assert cited <= known


def test_no_document_outside_the_repository_is_cited() -> None:
    here = {file.name for file in _texts("*.md")} | _NO_CITATIONS
    cited = {
        (str(file.relative_to(ROOT)), name)
        for file in chain(_texts("*.py"), _texts("*.md"), _texts("*.smv"), _texts("*.lts"), _texts("*.toml"))
        for name in re.findall(r"\b[\w-]+\.md\b", file.read_text(errors="replace"))
        if name not in here
    }
    assert cited == set()


def _texts(pattern: str) -> list[Path]:
    folders = (ROOT / "symag", ROOT / "tests", ROOT / "models", ROOT / "scripts")
    return [*ROOT.glob(pattern), *chain.from_iterable(folder.rglob(pattern) for folder in folders)]
