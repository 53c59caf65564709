"""Above the wings nothing knows one family: no suffix of a model, no import of a wing, no family's name.

The exceptions are what is for SMV models only: NuSMV's front end and the commands ``partition``, ``facts``,
``contracts`` and ``tune`` (with what tuning consists of, in ``symag/batch``), and the reader of the verdict files of
public suites, each of which is about models of one language.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from symag.engine.families import FAMILIES
from tests.conftest import ROOT

pytestmark = pytest.mark.smoke

_SYMAG = ROOT / "symag"
_SMV_ONLY = frozenset(
    {
        "cli/partition.py",
        "cli/facts.py",
        "cli/contracts.py",
        "cli/tune.py",
        "batch/tuning/tuner.py",
        "batch/tuning/predictors.py",
    }
)
_VERDICT_FILES = "batch/expectations.py"
_TABLE = "engine/families.py"
_WINGS = ("symag.smv", "symag.lts", "symag.lpts")
_NAMES = frozenset(name for family in FAMILIES for name in (family.name, family.label))
_SUFFIXES = frozenset(suffix for family in FAMILIES for suffix in family.suffixes)


def _modules() -> list[Path]:
    paths = []
    for package in ("cli", "engine", "batch"):
        for path in sorted((_SYMAG / package).rglob("*.py")):
            name = str(path.relative_to(_SYMAG))
            if name not in (*_SMV_ONLY, _TABLE, _VERDICT_FILES) and not name.startswith("cli/nusmv/"):
                paths.append(path)
    return paths


def _docstrings(tree: ast.Module) -> set[ast.AST]:
    """Texts that are statements of their own: documentation, which may give an example."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    documentation = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation:
            yield node.lineno, node.value


def violations(source: str) -> list[str]:
    """What a module above the wings says of a single family."""
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        if any(name == wing or name.startswith(f"{wing}.") for name in names for wing in _WINGS):
            found.append(f"{node.lineno}: imports {names[0]}")
    for line, text in _texts(tree):
        if text.removeprefix("*") in _SUFFIXES or text in _NAMES or re.match(r"symag\.(smv|lts|lpts)\b", text):
            found.append(f"{line}: {text!r}")
    return found


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(_SYMAG)))
def test_no_module_above_the_wings_knows_one_family(path: Path) -> None:
    assert violations(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        "from symag.smv import read",
        "from symag import lts",
        "import symag.lpts.lpts",
        "if path.endswith('.smv'): pass",
        "x = ('.aut', '.x')",
        "importlib.import_module('symag.lts.family')",
        "kind = 'SMV models'",
        "folder.glob('*.smv')",
    ],
)
def test_the_search_sees_what_it_looks_for(source: str) -> None:
    assert violations(source)
