"""Traces of labelled transition systems as LTSA prints them: a heading, then one action a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.trace import Trace

_HEADINGS = {"deadlock": "Trace to DEADLOCK:", "safety": "Trace to property violation:"}
_RUN = "Trace of a run:"
_STEM = "Trace to terminal set of states:"
_CYCLE = "Cycle in terminal set:"
# A cycle that is not known to be in a terminal set: of an assertion's trace, or of a run that violates nothing.
_TO_CYCLE, _ANY_CYCLE = "Trace to a cycle:", "Cycle:"
_NOTHING = "(nothing: a deadlock)"
_QUESTION = re.compile(r"-- \|\|(?P<target>[^:\s]+(?:\([^)]*\))?): (?P<text>.*)")


class ActionTrace(Struct, frozen=True):
    """A trace as read from a text: its actions, and the index from which on they repeat (None: they do not).

    ``kind`` is the kind of question that the heading names, ``name`` the property; ``target`` is the composite process
    and ``text`` the question, each None if no line gives it.
    """

    actions: tuple[str, ...]
    loop: int | None
    kind: str | None
    target: str | None = None
    text: str | None = None
    name: str | None = None


def lines(kind: str | None, trace: Trace, violated: Sequence[str] = ()) -> Sequence[str]:
    """The lines of a trace that answers a question of this kind (None: of a simulated run).

    ``violated`` are the properties that a trace to ERROR violates.
    """
    labels = [step.action for step in trace.steps if step.action is not None]
    if kind is None and trace.loop is None:
        return [_RUN, *(f"\t{label}" for label in labels)]
    if kind == "progress" or trace.loop is not None:
        loop = len(labels) if trace.loop is None else trace.loop
        cycle = labels[loop:] or [_NOTHING]
        first, second = (_STEM, _CYCLE) if kind == "progress" else (_TO_CYCLE, _ANY_CYCLE)
        return [first, *(f"\t{label}" for label in labels[:loop]), second, *(f"\t{label}" for label in cycle)]
    heading = _HEADINGS.get(kind or "", _HEADINGS["safety"])
    if kind == "safety" and violated:
        heading = f"{heading.removesuffix(':')} in {violated[0]}:"
    return [heading, *(f"\t{label}" for label in labels)]


def text_of(target: str, question: str | None, kind: str | None, trace: Trace) -> str:
    """A file with one trace; its first line names the composite process and the question, if there is one."""
    return "\n".join([f"-- ||{target}: {question or ''}".rstrip(), *lines(kind, trace)]) + "\n"


def parsed(content: str, file: str) -> ActionTrace:
    """The trace in a text of LTSA or symag; other lines are ignored. Raises InputError if there is not one trace.

    LTSA's headings may name the property (``Trace to property violation in P:``); text after an action on its line,
    such as the fluents that are true then, is dropped.
    """
    target = text = kind = name = None
    actions: list[str] | None = None
    loop = None
    for number, line in enumerate(content.splitlines(), start=1):
        stripped = line.strip()
        match = _QUESTION.fullmatch(stripped)
        if stripped.startswith(("Trace to ", _RUN)):
            if actions is not None:
                raise InputError("a second trace begins here: expected one trace in a file", file, number)
            actions, kind = [], _kind(stripped)
            _, _, name = stripped.rstrip(":").partition(" violation in ")
        elif stripped.startswith(("Cycle in ", _ANY_CYCLE)) and actions is not None:
            loop = len(actions)
        elif match is not None and actions is None:
            target, text = match["target"], match["text"] or None
        elif actions is not None and line[:1].isspace() and stripped and stripped != _NOTHING:
            actions.append(stripped.split()[0])
        elif actions is not None and stripped and not line[:1].isspace():
            break
    if actions is None:
        raise InputError("no trace in this file: expected a line 'Trace to ...:'", file, 1)
    if loop == len(actions):
        loop = None
    return ActionTrace(tuple(actions), loop, kind, target, text, name or None)


def _kind(heading: str) -> str | None:
    for word, kind in (("DEADLOCK", "deadlock"), ("violation", "safety"), ("terminal set", "progress")):
        if word in heading:
            return kind
    return None
