"""Short names of models: their paths below the folder that contains all of them."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from dataclasses import replace

from symag.suites.store import Row


def common_folder(rows: Sequence[Row]) -> str:
    """The deepest folder above all models; empty if that is the root or the current folder."""
    try:
        folder = os.path.commonpath([os.path.dirname(row.job.model) for row in rows])
    except ValueError:  # no rows, or absolute and relative paths
        return ""
    return "" if folder == os.sep else folder


def below(rows: Sequence[Row], folder: str) -> list[Row]:
    """The rows with the paths of models below ``folder``; their commands are unchanged."""
    if not folder:
        return list(rows)
    return [replace(row, job=replace(row.job, model=os.path.relpath(row.job.model, folder))) for row in rows]
