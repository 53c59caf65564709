"""Files of settings for ``symag check``, which ``symag tune --apply`` writes beside a model.

A TOML file with the options as on the command line::

    property = "exclusive"
    options = ["--method", "rule-g", "--parts", "3"]
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from symag.core.errors import InputError
from symag.core.input_files import toml_of_file


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
    document = toml_of_file(path)
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
