"""The properties of a model, listed by a process of its own: reading a model may crash or never end.

``python -m symag.batch.listing MODEL`` prints them as JSON; errors as ``symag --json`` prints them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from symag.core.errors import InputError, UnsupportedError, UsageError
from symag.smv.checking.flat_models import read_flat_system

SMV_SUFFIXES = (".smv", ".aag", ".aig", ".btor2", ".btor")
LTS_SUFFIXES = (".lts", ".fsp", ".aut")
#: Models of which, without a specification, only the states are counted.
PROBABILISTIC_SUFFIXES = (".nm", ".pm", ".prism")


@dataclass(frozen=True, slots=True)
class Listed:
    """A property: what ``--property`` (with ``--target``) takes for it, and what expectations are matched with."""

    property: str | None
    kind: str
    text: str
    name: str | None = None
    target: str | None = None


def listed(path: str) -> Iterator[Listed]:
    """The properties of a model file in symag's order. Raises InputError and UnsupportedError."""
    if path.endswith(LTS_SUFFIXES):
        yield from _labelled(path)
    elif path.endswith(PROBABILISTIC_SUFFIXES):
        yield Listed(None, "count", "the states")
    else:
        for each in read_flat_system(path).properties:
            yield Listed(str(each.index), each.kind, each.text, each.name)


def _labelled(path: str) -> Iterator[Listed]:
    from symag.lts import read
    from symag.lts.checking.check import select

    model = read(path)
    for target in model.targets:
        for each in select(model, (target,)):
            yield Listed(str(each.index), each.kind, each.text, each.name, target)


def main() -> int:
    """Print the list; exit status 3 if there is none because the input is wrong."""
    try:
        print(json.dumps({"properties": [asdict(each) for each in listed(sys.argv[1])]}))
    except InputError as error:
        found: dict[str, Any] = {
            "message": error.message,
            "file": error.file,
            "line": error.line,
            "column": error.column,
        }
        print(json.dumps({"error": found}))
        return 3
    except (UnsupportedError, UsageError) as error:
        print(json.dumps({"error": {"message": str(error)}}))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
