"""The manual as HTML: complete, and without anything that is loaded from elsewhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.documents.build_manual import configuration, write_pages
from symag.cli.manual.command import PAGES
from tests.conftest import ROOT


@pytest.mark.long
def test_every_page_is_written_and_in_the_contents(tmp_path: Path) -> None:
    write_pages(tmp_path / "docs")
    files = {file.name for file in (tmp_path / "docs").glob("*.md")}
    assert files == {"index.md", *(f"{name}.md" for name in PAGES)}
    index = (tmp_path / "docs" / "index.md").read_text()
    listed = [name for entry in configuration(tmp_path)["nav"] for name in entry.values()]
    assert listed == [f"{name}.md" for name in PAGES]
    assert all(f"({name})" in index for name in listed)


def test_the_pages_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    if importlib.util.find_spec("material") is None:
        pytest.skip("MkDocs is not installed: pip install 'symag[manual]'")
    script = ROOT / "scripts" / "documents" / "build_manual.py"
    ran = subprocess.run(
        [sys.executable, script, tmp_path / "html"], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert ran.returncode == 0, ran.stderr
    pages = sorted((tmp_path / "html").glob("*.html"))
    assert {page.stem for page in pages} >= set(PAGES)
    for page in pages:
        assert re.findall(r'(?:src|<link[^>]+href)="https?://[^"]*', page.read_text()) == [], page
