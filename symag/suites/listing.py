"""The properties of a model, listed in a process of its own, because reading a model may crash or never end.

``python -m symag.suites.listing MODEL`` prints them as JSON; errors have the form of ``symag --json``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from symag.core.errors import InputError, UnsupportedError, UsageError
from symag.engine.families import FAMILIES, family_of

#: The suffixes of the models of a suite.
SUFFIXES = tuple(suffix for family in FAMILIES for suffix in family.suite_suffixes)
#: The suffixes of a model that is named alone.
SINGLE_SUFFIXES = tuple(suffix for family in FAMILIES for suffix in family.suffixes)

#: The exit status for wrong input, as of every command.
BAD_INPUT = 3


def main(arguments: Sequence[str]) -> int:
    """Print the list. The exit status is 3 for wrong input, 2 for a model that symag does not support."""
    (model,) = arguments
    try:
        print(json.dumps({"properties": [asdict(question) for question in family_of(model).listed(model)]}))
    except InputError as error:
        fields: dict[str, Any] = {
            "message": error.message,
            "file": error.file,
            "line": error.line,
            "column": error.column,
        }
        print(json.dumps({"error": fields}))
        return BAD_INPUT
    except (UnsupportedError, UsageError) as error:
        print(json.dumps({"error": {"message": str(error)}}))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
