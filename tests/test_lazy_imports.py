"""A module imports at its top. What is imported inside a function has its reason beside it, and hides no circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT, statements

pytestmark = pytest.mark.smoke


def unreasoned(source: str, tree: ast.Module | None = None) -> list[str]:
    """The imports in functions that have no comment: behind or before them, or before what they stand in.

    One comment that begins with ``Imports in functions`` is the reason of all in its module.
    """
    lines = source.split("\n")
    if any(line.startswith("# Imports in functions") for line in lines):
        return []
    return [
        f"{line}: {lines[line - 1].strip()}"
        for line, starts in _lazy((tree or ast.parse(source)).body, [])
        if not any("#" in lines[start - 1] or lines[start - 2].strip().startswith("#") for start in starts)
    ]


def _lazy(body: list[ast.stmt], around: list[int]) -> Iterator[tuple[int, list[int]]]:
    """Of every import in a function its line, and the lines where a comment counts.

    Those are its own, the first of the imports that it is in a row with, and that of every function and class around.
    """
    first: int | None = None
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            first = first or node.lineno
            if around:
                yield node.lineno, [node.lineno, first, *around]
            continue
        first = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _lazy(node.body, [*around, _start(node)])
        elif isinstance(node, ast.ClassDef):
            for function, inner in _functions(node):
                yield from _lazy(function.body, [_start(node), *inner])
        else:
            for name in ("body", "orelse", "finalbody"):
                yield from _lazy(getattr(node, name, []), around)
            for handler in getattr(node, "handlers", []):
                yield from _lazy(handler.body, around)


def _functions(node: ast.ClassDef) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, list[int]]]:
    for member in node.body:
        if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
            yield member, [_start(member)]


def _start(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def test_lazy_imports_have_reasons(trees: Mapping[Path, ast.Module]) -> None:
    missing = {str(path.relative_to(ROOT)): unreasoned(path.read_text(), tree) for path, tree in trees.items()}
    assert {path: lines for path, lines in missing.items() if lines} == {}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(tree: ast.Module, names: frozenset[str]) -> set[str]:
    """The modules that a module imports, in functions and for type checkers too."""
    imported = set()
    for node in statements(tree):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            imported.update(inner & names or {node.module})
    return imported & names


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """What remains when modules that import nothing that remains are removed again and again."""
    left = dict(graph)
    while leaves := [name for name, used in left.items() if not used & left.keys()]:
        for name in leaves:
            del left[name]
    return [sorted(left)] if left else []


def test_no_circle_of_imports(trees: Mapping[Path, ast.Module]) -> None:
    names = frozenset(map(_name, trees))
    assert len(names) > 600
    graph = {_name(path): imports(tree, names) - {_name(path)} for path, tree in trees.items()}
    assert sum(map(len, graph.values())) > 2500
    assert circles(graph) == []


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    import os\n",
        "class A:\n    def f(self):\n        from os import path\n",
        "def f():\n    if x:\n        import os\n",
        "def f():\n    # a comment about something else\n    x = 1\n    import os\n",
    ],
)
def test_an_import_without_a_reason_is_noticed(source: str) -> None:
    assert len(unreasoned(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import os\n",
        "def f():\n    import os  # only here\n",
        "def f():\n    # only here\n    import os\n    import sys\n",
        "# Only here.\nclass A:\n    def f(self):\n        import os\n",
    ],
)
def test_a_reason_is_accepted(source: str) -> None:
    assert unreasoned(source) == []


def test_a_circle_is_noticed() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == [["a", "b", "c", "d"]]
    assert imports(ast.parse("def f():\n    from a import b\n"), frozenset({"a", "a.b"})) == {"a.b"}
