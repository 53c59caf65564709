"""What is imported before the first answer: most of the time of a small check is the import of libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).resolve().parent.parent.parent

#: Runs one command line as the console script does, and prints the names of all modules that its process then has.
_RUN = """
import io, sys
from symag.__main__ import main
names, sys.stdout = sys.stdout, io.StringIO()
try:
    main()
except SystemExit as end:
    assert end.code in (None, 0, 10), end.code
print(*(name for name, module in sys.modules.items() if module is not None), file=names)
"""

#: What only tables, plots, large explicit systems, drawings, other families, help and XML need.
_HEAVY = ("numpy", "scipy", "matplotlib", "rich", "rich_click", "oxidd", "networkx", "xml", "sqlite3", "asyncio")


def _imported(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *arguments], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return set(done.stdout.split())


def test_version_imports_no_command_and_no_library() -> None:
    imported = _imported("--version")
    assert "symag" in imported
    assert not {"click", "symag.cli.main", "symag.engine.families", *_HEAVY} & imported


@pytest.mark.parametrize("arguments", [("--no-certify",), ()])
def test_check_of_a_small_model_imports_no_library_in_vain(arguments: tuple[str, ...]) -> None:
    imported = _imported("check", "models/counter.smv", *arguments)
    assert "symag.smv.language.grammar" in imported
    # BDDs are for the processes that search.
    assert {"dd", "pymetis", *_HEAVY} & imported == set()
    assert ("pysat" in imported) == ("--no-certify" not in arguments)


def test_check_imports_the_re_check_of_its_evidence_alone() -> None:
    imported = _imported("check", "models/counter.smv")
    assert "symag.smv.certify.inductive_set" in imported
    others = ("assume_guarantee", "fair_emptiness", "labelling", "induction", "inductive_facts")
    assert not {f"symag.smv.certify.{name}" for name in others} & imported


def test_families_are_imported_without_their_languages() -> None:
    imported = _imported("check", "models/counter.smv", "--no-certify")
    assert "symag.lts.family" in imported
    assert not {name for name in imported if name.startswith(("symag.lts.language", "symag.lpts.language"))}
