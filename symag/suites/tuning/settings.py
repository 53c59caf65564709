"""The settings that tuning tries: methods of ``symag check`` with options of the cut and of the search.

``symag tune --apply`` writes a file of settings for ``symag check`` beside a model. It is a TOML file with the options
as on the command line::

    property = "exclusive"
    options = ["--method", "rule-g", "--parts", "3"]
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.input_files import toml_of_file

#: The options of the cut with their values, and the flags of Rule-G's search.
_CUT: Mapping[str, Sequence[str]] = {
    "--parts": ("2", "3", "4", "6"),
    "--imbalance": ("1.0", "1.4", "2.0"),
    "--wires": ("none", "property", "defines", "cut"),
    "--grain": ("bit", "word", "instance"),
    "--seed": ("1", "2", "3"),
    "--partitions": ("1",),
    "--partitioner": ("mtkahypar",),
}
_SEARCH = (
    "--no-reordering",
    "--no-early-falsification",
    "--no-edge-deletion",
    "--no-one-state-first",
    "--no-small-alphabet-first",
    "--look-ahead",
)
#: The probabilities that a sampled setting differs from the default in an option of the cut, and of the search.
_CUT_CHANCE, _SEARCH_CHANCE = 0.5, 0.2
_RULE_S_CHANCE = 0.15
#: The number of samples in a row that are there already, after which few others are left.
_MOST_REPEATED = 100


class Setting(Struct, frozen=True):
    """A method with options for ``symag check``; ``symag partition`` takes those in ``cut`` too."""

    method: str
    cut: tuple[str, ...] = ()
    search: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """All options."""
        return (*self.cut, *self.search)

    def __str__(self) -> str:
        return " ".join((self.method, *self.options))


DEFAULT = Setting("auto")


def settings(count: int, seed: int, mtkahypar: bool) -> list[Setting]:
    """The defaults of every method and a sample of others, ``count`` in all, or fewer if there are hardly more.

    The same seed gives the same settings.
    """
    distinct = dict.fromkeys([DEFAULT, Setting("rule-g"), Setting("rule-s")])
    distinct |= dict.fromkeys(
        Setting("monolithic", (), ("--direction", direction)) for direction in ("forward", "backward")
    )
    random = Random(seed)
    repeated = 0
    while len(distinct) < count and repeated < _MOST_REPEATED:
        size = len(distinct)
        distinct[_sampled(random, mtkahypar)] = None
        repeated = repeated + 1 if len(distinct) == size else 0
    return list(distinct)


def _sampled(random: Random, mtkahypar: bool) -> Setting:
    method = "rule-s" if random.random() < _RULE_S_CHANCE else "rule-g"
    names = [name for name in _CUT if mtkahypar or name != "--partitioner"]
    # Rule-S has two parts, and none of Rule-G's heuristics.
    if method == "rule-s":
        names.remove("--parts")
    cut = [(name, random.choice(_CUT[name])) for name in names if random.random() < _CUT_CHANCE]
    flags = _SEARCH if method == "rule-g" else ("--no-reordering",)
    search = tuple(flag for flag in flags if random.random() < _SEARCH_CHANCE)
    return Setting(method, tuple(word for pair in cut for word in pair), search)


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


def beside(model: str, property_: str | None = None) -> Path:
    """The file with the settings of a model: for ``msi4.smv`` it is ``msi4.smv.toml``.

    With a property, because others are tuned too, it is ``msi4.smv.1.toml``.
    """
    return Path(f"{model}.toml" if property_ is None else f"{model}.{property_}.toml")


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
