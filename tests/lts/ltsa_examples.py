"""LTSA's 98 examples, beside what LTSA says of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symag.lts import Model, read


def examples(suites: Path) -> Iterator[tuple[str, Model, dict[str, Any]]]:
    """Each file's name, the model in it, and its entry in LTSA's record."""
    folder = suites / "fsp"
    for name, known in json.loads((folder / "ltsa-verdicts.json").read_text())["files"].items():
        yield name, read(str(folder / "ltsa" / name)), known
