"""Which files make a probabilistic system, and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from symag.core.options import Options, constants_of, option
from symag.lpts.readers import SUFFIXES

_WITH_SPECIFICATION = ("check", "certify", "replay")


def _alphabets(texts: Sequence[str]) -> dict[str, list[str]]:
    """The actions by component in texts such as ``sensor=data,stop``. Raises ValueError."""
    given: dict[str, list[str]] = {}
    for text in texts:
        name, equals, actions = text.partition("=")
        labels = [action.strip() for action in actions.split(",")]
        if not (name and equals and all(labels)):
            raise ValueError(f"expected COMPONENT=ACTION,..., found '{text}'")
        given.setdefault(name, []).extend(labels)
    return given


class LptsRequest(Options, frozen=True):
    """Which components and constants a system has besides its file, and what is asked of it."""

    specification: str | None = option(
        None,
        f"The system that has to simulate MODEL strongly ({', '.join(SUFFIXES)}).",
        commands=_WITH_SPECIFICATION,
        metavar="FILE",
        is_input=True,
    )
    equivalence: Literal["bisimulation", "simulation"] | None = option(
        None,
        "Is MODEL bisimilar to the system of --specification, or does each simulate the other? Strong relations of the "
        "initial states, by the names of actions.",
        commands=_WITH_SPECIFICATION,
    )
    formula: str | None = option(
        None,
        "A formula of pCTL, such as 'P<=0.1 [F send]', 'P>=0.9 [F<=20 \"done\"]', 'Pmax=? [x<3 U y=1]' or "
        '\'R{"time"}min=? [F "done"]\': an action means that it is possible, a label in quotes the states with it.',
        commands=_WITH_SPECIFICATION,
        metavar="TEXT",
    )
    properties: str | None = option(
        None,
        "A file of PRISM's properties (.pctl, .props).",
        commands=_WITH_SPECIFICATION,
        metavar="FILE",
        is_input=True,
    )
    triples: str | None = option(
        None,
        "A file of monitors (modules) and assume-guarantee triples about MODEL's components, such as "
        '<P<=0.1 [F "lost"]> sender <P<=0.2 [F "late"]>;',
        commands=("check", "certify"),
        metavar="FILE",
        is_input=True,
    )
    selected: tuple[str, ...] = option(
        (),
        "Only the property of --properties, or the triple, with this name or number (repeatable).",
        flag="--property",
        commands=("check",),
        metavar="NAME",
    )
    components: tuple[str, ...] = option(
        (),
        "A further component of the system, a file like MODEL (repeatable).",
        flag="--component",
        metavar="FILE",
        is_input=True,
    )
    constants: Mapping[str, str] = option(
        {},
        "Values of constants (repeatable); of a PRISM model also ranges: 1:3, 0:0.5:2.",
        flag="--const",
        metavar="NAME=VALUE,...",
        parse=constants_of,
    )
    alphabets: Mapping[str, Sequence[str]] = option(
        {},
        "Actions that a component has in its alphabet too, and so blocks (repeatable).",
        flag="--alphabet",
        metavar="COMPONENT=ACTION,...",
        parse=_alphabets,
    )
    minimise: Literal["strong"] | None = option(
        None,
        "Write a smallest equivalent system: by strong bisimulation of states with the same labels.",
        commands=("convert",),
    )
    decimals: bool = option(
        False, "Probabilities in a .tra file as rounded decimals.", commands=("convert",), only_yes=True
    )
