"""The settings that tuning tries: methods of ``symag check`` with options of the cut and of the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

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
    """The defaults of every method and a sample of others, ``count`` in all. The same seed gives the same settings."""
    distinct = dict.fromkeys([DEFAULT, Setting("rule-g"), Setting("rule-s")])
    distinct |= dict.fromkeys(
        Setting("monolithic", (), ("--direction", direction)) for direction in ("forward", "backward")
    )
    random = Random(seed)
    while len(distinct) < count:
        distinct[_sampled(random, mtkahypar)] = None
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
