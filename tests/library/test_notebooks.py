"""The example notebooks run: their cells one after the other, and in Jupyter's own way where nbclient is installed."""

from __future__ import annotations

import ast
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.traces.test_pages import Page

NOTEBOOKS = sorted((ROOT / "models" / "notebooks").glob("*.ipynb"))


def shown(cells: list[str]) -> list[Any]:
    """The value of the last expression of every cell, as a notebook would show it."""
    names: dict[str, Any] = {}
    values = []
    for text in cells:
        tree = ast.parse(text)
        *before, last = tree.body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        values.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    return values


@pytest.mark.long
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_run_and_show_something_short(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    cells = json.loads(notebook.read_text())["cells"]
    values = shown(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
    assert len(values) >= 5
    drawn = [value._repr_html_() for value in values if hasattr(value, "_repr_html_")]
    assert len(drawn) >= 4
    for html in drawn:
        assert len(html) < 28_000
        assert Page(html).faults == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_jupyter_runs_it(notebook: Path) -> None:
    if importlib.util.find_spec("nbclient") is None or importlib.util.find_spec("ipykernel") is None:
        pytest.skip("nbclient and ipykernel are not installed")
    import nbformat
    from nbclient import NotebookClient

    document = nbformat.read(notebook, as_version=4)
    NotebookClient(document, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    assert all(cell["outputs"] for cell in document["cells"] if cell["cell_type"] == "code")
