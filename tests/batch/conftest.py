"""A folder of small models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.batch.batches import SLOW


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Eight models; every third property is violated."""
    folder = tmp_path / "models"
    folder.mkdir()
    for number in range(8):
        (folder / f"m{number:02}.smv").write_text(SLOW.format(bound=3 if number % 3 == 0 else 4))
    return folder
