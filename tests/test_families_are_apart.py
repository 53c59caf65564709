"""Outside of the wings nothing knows one family: no suffix of a model, no import of a wing, no family's name.

What is for one family stands in its wing or in a folder that says so: ``cli/nusmv`` and ``cli/smv``. Besides the table
there are three exceptions, each with its reason in ``_EXCEPTIONS``.
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
_OF_ONE_FAMILY = ("cli/nusmv/", "cli/smv/", "smv/", "lts/", "lpts/")
_EXCEPTIONS = {
    "engine/families.py": "the table",
    "cli/commands.py": "the table of commands, with words for users",
    "core/input_files.py": "what to do with files of other tools: words for users, on which nothing depends",
    "__init__.py": "the library's function ``partition``, for SMV models",
}
_WINGS = ("symag.smv", "symag.lts", "symag.lpts")
_NAMES = sorted({name for family in FAMILIES for name in (family.name, family.label)})
_SUFFIXES = sorted({suffix for family in FAMILIES for suffix in family.suffixes})
_TELLING = re.compile(
    "|".join(
        [rf"\b{re.escape(name)}\b" for name in _NAMES]
        + [rf"(?<![\w.]){re.escape(suffix)}(?!\w)" for suffix in _SUFFIXES]
        + [r"\bsymag\.(smv|lts|lpts)\b"]
    )
)


def _modules() -> list[Path]:
    paths = []
    for path in sorted(_SYMAG.rglob("*.py")):
        name = str(path.relative_to(_SYMAG))
        if name not in _EXCEPTIONS and not name.startswith(_OF_ONE_FAMILY):
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
    """What a module says of a single family; documentation may give examples."""
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
        if _TELLING.search(text) and not re.fullmatch(r"symag\.cli\.(smv|nusmv)\.\w+", text):
            found.append(f"{line}: {text!r}")
    return found


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(_SYMAG)))
def test_no_module_outside_of_the_wings_knows_one_family(path: Path) -> None:
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
        "raise UsageError('constants are for FSP')",
        "f'{name}.smv'",
    ],
)
def test_the_search_sees_what_it_looks_for(source: str) -> None:
    assert violations(source)


def test_the_table_has_the_suffixes_of_each_family() -> None:
    for family in FAMILIES:
        assert all(list(FAMILIES.of([f"model{suffix}"])) == [family] for suffix in family.suffixes)
    assert sum(len(known) for known in FAMILIES._suffixes.values()) == len(_SUFFIXES)


def test_the_exceptions_are_needed() -> None:
    assert len(_modules()) > 110
    for name in _EXCEPTIONS:
        assert violations((_SYMAG / name).read_text()), name


def test_the_library_knows_one_family_where_it_partitions_only() -> None:
    tree = ast.parse((_SYMAG / "__init__.py").read_text())
    body = [node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name == "partition")]
    rest = violations(ast.unparse(ast.Module(body, [])))
    types = ("symag.smv.model.flat", "symag.smv.partition")
    assert [line.partition(": ")[2] for line in rest] == [f"imports {name}" for name in types]
