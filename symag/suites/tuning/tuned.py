"""Files of settings for ``symag check``, which ``symag tune --apply`` writes beside a model.

A TOML file with the options as on the command line::

    property = "exclusive"
    options = ["--method", "rule-g", "--parts", "3"]
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from symag.core.errors import InputError


@dataclass(frozen=True, slots=True)
class TunedOptions:
    """Options, and the property that they were tuned for (None: any)."""

    options: tuple[str, ...]
    property: str | None = None
    remarks: tuple[str, ...] = ()

    def text(self) -> str:
        """The text of the file; remarks are comments at its head."""
        lines = [f"# {remark}" for remark in self.remarks]
        if self.property is not None:
            lines.append(f"property = {json.dumps(self.property)}")
        return "\n".join([*lines, f"options = {json.dumps(list(self.options))}", ""])


def beside(model: str) -> Path:
    """The file with the settings of a model: for ``msi4.smv`` it is ``msi4.smv.toml``."""
    return Path(f"{model}.toml")


def read(path: Path) -> TunedOptions:
    """Read a file of settings. Raises InputError."""
    try:
        document = tomllib.loads(path.read_text())
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", str(path)) from error
    options = document.get("options")
    property_ = document.get("property")
    if (
        not isinstance(options, list)
        or not all(isinstance(option, str) for option in options)
        or not isinstance(property_, str | None)
        or document.keys() - {"options", "property"}
    ):
        raise InputError("expected 'options', a list of strings, and perhaps 'property', a string", str(path))
    return TunedOptions(tuple(options), property_)
