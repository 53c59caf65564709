"""The content of a trace's page, as plain values that do not depend on the family of models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: The kinds of signals. An ``input`` and an ``action`` belong to the transition that leaves a step.
Kind = Literal["formula", "assumption", "state", "frozen", "input", "action", "define"]
#: The value of a signal at every step, as text; None for no value.
Column = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Signal:
    """A row: ``group`` is the heading above it, ``depth`` the level of a formula below the property.

    The texts of a formula are ``TRUE`` and ``FALSE``.
    """

    name: str
    kind: Kind
    group: str
    column: Column
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """A division of the system into parts, for the lanes of the page.

    ``owner`` gives the part of a signal by its name, ``readers`` the other parts that read it. A signal crosses in
    the step from k to k + 1 if its value at k is new and another part reads it.
    ``joined[k]`` are the parts that take part in the step that leaves k, if the model has such steps: a line with the
    name of the action joins them.
    """

    title: str
    parts: tuple[str, ...]
    owner: Mapping[str, int] = field(default_factory=dict)
    readers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    joined: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Core:
    """The values that force the violation: for the name of a signal the steps at which its value matters.

    ``chosen`` are those of them that no earlier value forces. ``note`` says which question the solver answered.
    """

    steps: Mapping[str, tuple[int, ...]]
    chosen: Mapping[str, tuple[int, ...]]
    note: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The knowledge of a family about a run besides its values; everything may be missing.

    ``shown`` is the step at which the page opens, ``because`` says why. ``assumptions`` are rows with the state of
    each learned assumption at every step. ``command`` is a command line that produces this run.
    """

    shown: int | None = None
    because: str = ""
    cuts: tuple[Cut, ...] = ()
    core: Core | None = None
    assumptions: tuple[Signal, ...] = ()
    command: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """A run of ``steps`` steps, numbered from 0, with everything that the page shows about it.

    ``loop`` is the step to which a lasso returns. ``parents`` gives for every step of a tree the step before it
    (-1: the root); it is empty for a run. ``facts`` are shown below the heading, ``verdict`` beside it.
    The page carries ``about``, so that it can be read back as a trace, and ``evidence``, a document as text.
    """

    title: str
    purpose: str
    steps: int
    signals: tuple[Signal, ...]
    loop: int | None = None
    parents: tuple[int, ...] = ()
    verdict: str = ""
    facts: tuple[str, ...] = ()
    explanation: Explanation = Explanation()
    about: Mapping[str, object] = field(default_factory=dict)
    evidence: str = ""
