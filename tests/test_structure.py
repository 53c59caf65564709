"""What keeps the code readable: short files, short functions, few parameters, folders of one idea."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.smoke

SYMAG = ROOT / "symag"
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS, LARGEST_FOLDER = 400, 60, 10, 20


def _files() -> list[Path]:
    return sorted(SYMAG.rglob("*.py"))


def _functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in _files():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """All parameters but ``self`` and ``cls``."""
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    own = sum(parameter.arg not in ("self", "cls") for parameter in named)
    return own + (arguments.vararg is not None) + (arguments.kwarg is not None)


def test_files_are_short() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in _files()}
    assert len(lengths) > 400
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_functions_are_short_and_take_few_parameters() -> None:
    functions = dict(_functions())
    assert len(functions) > 3000
    lengths = {name: (node.end_lineno or node.lineno) - node.lineno + 1 for name, node in functions.items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}
    counts = {name: _parameters(node) for name, node in functions.items()}
    assert {name: count for name, count in counts.items() if count > MOST_PARAMETERS} == {}


def test_folders_hold_one_idea() -> None:
    sizes = Counter(str(path.parent.relative_to(ROOT)) for path in _files())
    assert {folder: size for folder, size in sizes.items() if size > LARGEST_FOLDER} == {}
