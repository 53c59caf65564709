"""Help in groups: the ten most needed options first, all with --help-all, and only those for the models of a kind."""

from __future__ import annotations

import re

import click
import pytest

from symag.cli.check import command_for
from symag.cli.options.help_groups import grouped
from symag.core.options import declarations
from symag.engine.families import FAMILIES
from symag.process.family import Family
from tests.cli.conftest import Symag

MODELS = {"SMV": "models/counter.smv", "FSP": "models/lts/mer.lts", "PRISM": "models/lpts/sensors1.nm"}


def flags(text: str) -> set[str]:
    """The options that stand at the beginning of a line of help."""
    return set(re.findall(r"^│ (--[a-z-]+)", text, re.MULTILINE)) - {"--help", "--help-all"}


def declared(family: Family) -> set[str]:
    return {each.flag for kind in (family.request, family.options) for each in declarations(kind, "check")}


def test_the_first_help_shows_ten_options(symag: Symag) -> None:
    ran = symag("check", "--help")
    assert ran.status == 0
    assert len(flags(ran.out)) == 10
    more = re.search(r"(\d+) more options: --help-all", ran.out)
    assert more is not None
    assert 10 + int(more[1]) == len(flags(symag("check", "--help-all").out))


def test_every_option_is_in_one_named_group(symag: Symag) -> None:
    options = [each for each in command_for(()).params if isinstance(each, click.Option)]
    groups = dict(grouped([each for each in options if each.opts[0] != "--help-all"], "check"))
    assert list(groups) == [
        *("Model and property", "Method", "Limits", "Output", "SMV: search", "SMV: by parts", "FSP", "PRISM"),
    ]
    assert sum(map(len, groups.values())) == len(options) - 1
    shown = symag("check", "--help-all").out
    for name in groups:
        assert f"╭─ {name} ─" in shown
    assert flags(shown) == {each.opts[0] for each in options} - {"--help-all"}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.label)
def test_only_the_options_of_the_models_family_are_shown(symag: Symag, family: Family) -> None:
    for words in (("--help-all", MODELS[family.label]), (MODELS[family.label], "--help-all")):
        found = flags(symag("check", *words).out)
        assert declared(family) <= found
        assert not found & (set().union(*map(declared, FAMILIES)) - declared(family))
    shown = symag("check", MODELS[family.label], "--help").out
    assert len(flags(shown)) == 10
    assert f"more options for {family.name}: --help-all" in shown
    methods = {name for other in FAMILIES for name in other.methods.names()} - set(family.methods.names())
    all_of_it = symag("check", MODELS[family.label], "--help-all").out
    (listed,) = re.findall(r"--method .*?\[(.*?)\]", re.sub(r"\s*│\n│\s*|\s{2,}", " ", all_of_it), re.DOTALL)[:1]
    assert not methods & set(listed.replace(" ", "").split("|"))
