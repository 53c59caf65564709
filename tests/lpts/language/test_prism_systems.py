"""``system ... endsystem``: random process-algebra expressions against their definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.lpts.language.prism.exploration import explore
from symag.lpts.language.reading import model_of_text
from tests.lpts import prism_by_hand
from tests.lpts.language.test_prism_models import as_by_hand
from tests.lpts.prism_by_hand import (
    HandCommand,
    HandModule,
    LeavesRangeError,
    Step,
    Valuation,
    WrongSumError,
    distribution,
    models,
    text_of,
    value,
)

Chosen = tuple[str, tuple[HandCommand, ...]]


@dataclass(frozen=True)
class Leaf:
    module: int


@dataclass(frozen=True)
class Both:
    left: System
    right: System
    actions: frozenset[str] | None


@dataclass(frozen=True)
class Relabelled:
    system: System
    names: tuple[tuple[str, str], ...]  # "" hides


System = Leaf | Both | Relabelled


def text(system: System) -> str:
    match system:
        case Leaf(module):
            return f"m{module}"
        case Both(left, right, actions):
            sign = "||" if actions is None else f"|[{','.join(sorted(actions))}]|" if actions else "|||"
            return f"({text(left)} {sign} {text(right)})"
        case Relabelled(inner, names):
            if names[0][1]:
                return f"{text(inner)}{{{','.join(f'{old}<-{new}' for old, new in names)}}}"
            return f"{text(inner)}/{{{','.join(old for old, _ in names)}}}"


def alphabet(system: System, modules: Sequence[HandModule]) -> set[str]:
    match system:
        case Leaf(module):
            return {command.action for command in modules[module].commands} - {""}
        case Both(left, right, _):
            return alphabet(left, modules) | alphabet(right, modules)
        case Relabelled(inner, names):
            return {dict(names).get(action, action) for action in alphabet(inner, modules)} - {""}


def enabled(system: System, modules: Sequence[HandModule], state: Mapping[str, int]) -> list[Chosen]:
    match system:
        case Leaf(module):
            return [(c.action, (c,)) for c in modules[module].commands if value(c.guard, state)]
        case Both(left, right, actions):
            shared = alphabet(left, modules) & alphabet(right, modules) if actions is None else actions
            mine, theirs = enabled(left, modules, state), enabled(right, modules, state)
            alone = [each for each in (*mine, *theirs) if each[0] not in shared]
            return alone + [(a, c + d) for a, c in mine for b, d in theirs if a == b and a in shared]
        case Relabelled(inner, names):
            return [(dict(names).get(a, a) if a else "", c) for a, c in enabled(inner, modules, state)]


def explored(system: System, modules: Sequence[HandModule]) -> dict[Valuation, list[Step]]:
    def moves(state: Valuation) -> list[Step]:
        return [(a, distribution(c, dict(state))) for a, c in enabled(system, modules, dict(state))]

    return prism_by_hand.explored(modules, moves)


@st.composite
def systems(draw: st.DrawFn, count: int) -> System:
    parts: list[System] = [Leaf(k) for k in draw(st.permutations(range(count)))]
    while True:
        place = draw(st.integers(0, len(parts) - 1))
        change = draw(st.sampled_from(("", "", "hide", "rename")))
        if change == "hide":
            hidden = draw(st.sets(st.sampled_from("ab"), min_size=1))
            parts[place] = Relabelled(parts[place], tuple((old, "") for old in sorted(hidden)))
        elif change == "rename":
            old = draw(st.sampled_from("ab"))
            parts[place] = Relabelled(parts[place], ((old, draw(st.sampled_from("abc"))),))
        if len(parts) == 1:
            return parts[0]
        actions = draw(st.none() | st.frozensets(st.sampled_from("abc"), max_size=2))
        parts[:2] = [Both(parts[0], parts[1], actions)]


def named(system: System) -> set[str]:
    """The actions that are hidden, renamed or shared."""
    match system:
        case Leaf():
            return set()
        case Both(left, right, actions):
            return named(left) | named(right) | set(actions or ())
        case Relabelled(inner, names):
            return named(inner) | {old for old, _ in names}


def new_names(system: System) -> set[str]:
    match system:
        case Leaf():
            return set()
        case Both(left, right, _):
            return new_names(left) | new_names(right)
        case Relabelled(inner, names):
            return new_names(inner) | {new for _, new in names if new}


@pytest.mark.parametrize(
    ("system", "column"),
    [("m |[og]| n", 12), ("(m || n)/{go,og}", 21), ("m{og<-a} || n", 10)],
)
def test_an_action_that_nothing_has_is_an_error(system: str, column: int) -> None:
    modules = "module m [go] true -> true; endmodule\nmodule n [go] true -> true; endmodule\n"
    with pytest.raises(InputError, match=f"^m.nm:3:{column}: there is no action og$"):
        model_of_text(f"{modules}system {system} endsystem", "m.nm", {})


@settings(max_examples=200, deadline=None)
@given(st.data(), models())
def test_random_systems_are_explored_by_their_definition(data: st.DataObject, modules: list[HandModule]) -> None:
    system = data.draw(systems(len(modules)))
    written = f"{text_of(modules)} system {text(system)} endsystem"
    if named(system) - {command.action for module in modules for command in module.commands} - new_names(system):
        with pytest.raises(InputError, match="there is no action"):
            model_of_text(written, "model.nm", {})
        return
    model = model_of_text(written, "model.nm", {})
    try:
        expected = explored(system, modules)
    except (LeavesRangeError, WrongSumError):
        with pytest.raises(InputError):
            explore(model, "L")
        return
    found = explore(model, "L")
    assert as_by_hand(found) == {state: sorted(each) for state, each in expected.items()}
    assert set(model.alphabet) == alphabet(system, modules) | {""}
