"""Options that are declared once, as fields of a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest

from symag.core.errors import UsageError
from symag.core.options import Options, check_values, declarations, made, option
from symag.core.values import replace


class Sample(Options, frozen=True):
    way: Literal["up", "down"] = option("up", "Where to.", methods=("walk",))
    steps: int | None = option(None, "How far.", flag="--far", keyword="far", least=1, metavar="N", commands=("check",))
    names: Mapping[str, str] = option({}, "What is called what.")
    quick: bool = False

    def __post_init__(self) -> None:
        check_values(self)


def test_declarations_follow_from_the_fields() -> None:
    way, steps, names = declarations(Sample)
    assert (way.field, way.flag, way.kind, way.choices, way.default) == ("way", "--way", "choice", ("up", "down"), "up")
    assert (steps.field, steps.flag, steps.keyword, steps.kind, steps.least) == ("steps", "--far", "far", "whole", 1)
    assert (names.kind, names.default) == ("list", {})
    assert declarations(Sample, "info") == (way, names)


def test_each_value_has_its_own_dictionary() -> None:
    assert made(Sample, {}).names == {}
    assert made(Sample, {}).names is not made(Sample, {}).names


def test_values_are_checked_when_they_are_made_and_when_they_are_changed() -> None:
    options = made(Sample, {"far": 2}, quick=True)
    assert (options.way, options.steps, options.quick) == ("up", 2, True)
    with pytest.raises(UsageError, match="far is at least 1, not 0"):
        replace(options, steps=0)
    with pytest.raises(UsageError, match="way is one of up, down, not 'left'"):
        made(Sample, {"way": "left"})


def test_a_keyword_without_a_declaration_is_refused() -> None:
    with pytest.raises(UsageError, match="no option 'slow'"):
        made(Sample, {"slow": True})
