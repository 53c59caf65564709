"""Models under short names: their paths below the folder that all of them are in."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from dataclasses import replace

from symag.suites.store import Row


def common_folder(rows: Sequence[Row]) -> str:
    """The deepest folder that all models are below; empty if there is none but the root or the current folder."""
    try:
        folder = os.path.commonpath([os.path.dirname(row.job.model) for row in rows])
    except ValueError:  # no rows, or absolute and relative paths
        return ""
    return "" if folder == os.sep else folder


def below(rows: Sequence[Row], folder: str) -> list[Row]:
    """The rows with their models' paths below ``folder``; their commands stay as they are."""
    if not folder:
        return list(rows)
    return [replace(row, job=replace(row.job, model=os.path.relpath(row.job.model, folder))) for row in rows]
