"""What is imported before the first answer: most of the time of a small check is the import of libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import Struct

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).resolve().parent.parent.parent

#: Runs one command line as the console script does. Each process that it forks writes a line for each module that it
#: imports: its number and the module's name.
_RUN = """
import os, sys
lines = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
class Recorder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        os.write(lines, f"{os.getpid()} {name}\\n".encode())
sys.meta_path.insert(0, Recorder)
from symag.__main__ import main
try:
    main()
except SystemExit as end:
    assert end.code in (None, 0, 10), end.code
"""

#: What only tables, plots, large explicit systems, drawings, other families, help and XML need.
_HEAVY = ("numpy", "scipy", "matplotlib", "rich", "rich_click", "oxidd", "networkx", "xml", "sqlite3", "asyncio")


class Imports(Struct, frozen=True):
    """The modules that a command imports: in its own process, and all that were imported in any process."""

    command: frozenset[str]
    everywhere: tuple[str, ...]


def _imports(*arguments: str) -> Imports:
    done = subprocess.run([sys.executable, "-c", _RUN, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    command = lines[0][0]
    return Imports(frozenset(name for pid, name in lines if pid == command), tuple(name for _, name in lines))


def _imported(*arguments: str) -> frozenset[str]:
    return _imports(*arguments).command


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


@pytest.mark.parametrize(
    "arguments",
    [
        ("models/lts/client_server.lts",),
        ("models/lpts/sensors1.nm", "--specification", "models/lpts/sensors1_specification.nm"),
    ],
)
def test_processes_import_no_generators_of_random_numbers(arguments: tuple[str, ...]) -> None:
    assert not {"numpy.random", "scipy"} & set(_imports("check", *arguments).everywhere)
