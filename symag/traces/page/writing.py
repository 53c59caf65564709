"""The page as one HTML file, which loads nothing; its policy forbids it to.

Style and scripts are from the files in ``assets``; the data are one element of JSON.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from symag.core.evidence.documents import page_element
from symag.traces.page.content import Column, Content, Core, Cut

#: The id of the element with the data.
ELEMENT = "symag-trace"
#: Each may use those before it.
_SCRIPTS = (
    "data.js",
    "state.js",
    "rows.js",
    "cells.js",
    "waves.js",
    "lanes.js",
    "details.js",
    "copying.js",
    "controls.js",
    "main.js",
)
_LONGEST_TITLE = 160
#: The kinds of signals that a part may own. (A formula or a DEFINE may have the same name as one of these.)
_OWNED = ("state", "frozen", "input")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page_text(content: Content) -> str:
    """The page as text. Time and length are linear in the number of changes, at most in signals times steps."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(_cut(content.title))}</title>",
        f"<style>{_asset('page.css')}</style></head>",
        f"<body>{_heading(content)}{_asset('body.html')}",
        f'<script type="application/json" id="{ELEMENT}">{element(document(content))}</script>',
        page_element(content.evidence) if content.evidence else "",
        '<script>"use strict";(() => {',
        *(_asset(name) for name in _SCRIPTS),
        "})();</script></body></html>",
    ]
    return "\n".join(parts) + "\n"


def element(value: Mapping[str, Any]) -> str:
    """JSON for the content of an HTML element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def document(content: Content) -> dict[str, Any]:
    """The data of the page: ``about``, then the content."""
    explanation = content.explanation
    signals = (*content.signals, *explanation.assumptions)
    groups = list(dict.fromkeys(signal.group for signal in signals))
    numbers = {signal.name: number for number, signal in enumerate(signals) if signal.kind in _OWNED}
    return {
        "symag": "trace",
        **content.about,
        "steps": content.steps,
        "loop": content.loop,
        "parents": packed([str(parent) for parent in content.parents]) if content.parents else None,
        "violated": content.verdict == "violated",
        "shown": _shown(content),
        "because": explanation.because,
        "command": explanation.command,
        "groups": groups,
        "signals": [
            {
                "name": signal.name,
                "kind": signal.kind,
                "group": groups.index(signal.group),
                "depth": signal.depth,
                **packed(signal.column),
            }
            for signal in signals
        ],
        "cuts": [_cut_object(cut, numbers) for cut in explanation.cuts],
        "core": None if explanation.core is None else _core_object(explanation.core, numbers),
    }


def _shown(content: Content) -> int:
    """The step at which the page opens; by default a counterexample opens at its end."""
    if content.explanation.shown is not None:
        return content.explanation.shown
    return content.steps - 1 if content.verdict == "violated" else 0


def _cut_object(cut: Cut, numbers: Mapping[str, int]) -> dict[str, Any]:
    """A cut as JSON: signals by their numbers; the parts that a step joins as texts such as ``0,2``."""
    owner = [-1] * (max(numbers.values(), default=-1) + 1)
    for name, part in cut.owner.items():
        if name in numbers:
            owner[numbers[name]] = part
    return {
        "title": cut.title,
        "parts": list(cut.parts),
        "owner": owner,
        "readers": {str(numbers[name]): list(parts) for name, parts in cut.readers.items() if name in numbers},
        "joined": packed([",".join(map(str, parts)) for parts in cut.joined]) if cut.joined else None,
    }


def _core_object(core: Core, numbers: Mapping[str, int]) -> dict[str, Any]:
    def by_number(steps: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        return {str(numbers[name]): list(where) for name, where in steps.items() if name in numbers}

    return {"steps": by_number(core.steps), "chosen": by_number(core.chosen), "note": core.note}


def _heading(content: Content) -> str:
    badge = ""
    if content.verdict:
        badge = f'<span class="badge {escape(content.verdict)}">{escape(content.verdict)}</span>'
    facts = " · ".join(fact for fact in (*content.facts, content.explanation.because) if fact)
    return (
        f'<header><p class="kicker">{escape(content.purpose)}</p>'
        f'<h1 title="{escape(content.title)}"><code>{escape(_cut(content.title))}</code>{badge}</h1>'
        f'<p class="facts">{escape(facts)}</p></header>'
    )


def _cut(shown: str) -> str:
    return shown if len(shown) <= _LONGEST_TITLE else shown[:_LONGEST_TITLE] + " ..."


def _asset(name: str) -> str:
    return (files("symag.traces.page") / "assets" / name).read_text(encoding="utf-8")


#: The digits of base 64; none of them has a meaning in HTML or in JSON.
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def packed(column: Sequence[str | None]) -> dict[str, Any]:
    """The column as an object of JSON: the distinct texts, then either the changes or all steps.

    ``{"t": texts, "c": [gap, number, gap, number, ..]}``: after each gap (in steps, the first from step 0) the value is
    the text with this number; -1 is no value. ``{"t": texts, "s": digits, "w": width}``: for each step the number plus
    one, in base 64 with ``width`` digits. The shorter of the two is used; both take time linear in the steps.
    """
    texts = [text for text in dict.fromkeys(column) if text is not None]
    numbers: dict[str | None, int] = {None: -1, **{text: number for number, text in enumerate(texts)}}
    ids = [numbers[text] for text in column]
    width = 1
    while len(DIGITS) ** width <= len(texts):
        width += 1
    steps = [0, *(step for step, (one, other) in enumerate(itertools.pairwise(ids), start=1) if one != other)]
    if 4 * len(steps) <= width * len(ids) + 12:
        gaps = (after - before for before, after in itertools.pairwise([0, *steps]))
        changes = [number for gap, step in zip(gaps, steps, strict=True) for number in (gap, ids[step])]
        if sum(len(str(number)) + 1 for number in changes) <= width * len(ids) + 12:
            return {"t": texts, "c": changes}
    codes = [
        "".join(reversed(code)) for code in itertools.islice(itertools.product(DIGITS, repeat=width), len(numbers))
    ]
    return {"t": texts, "s": "".join([codes[number + 1] for number in ids]), "w": width}


def unpacked(content: Any, steps: int) -> Column:
    """The column of an object that ``packed`` made. Raises ValueError for any other value."""
    if not isinstance(content, dict):
        raise ValueError("a signal is not an object")
    texts = content.get("t")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("a signal has no list of texts")
    ids = _from_digits(content, steps) if "s" in content else _from_changes(content.get("c"), steps)
    if not all(-1 <= number < len(texts) for number in ids):
        raise ValueError("a signal has a value that is not in its list")
    return tuple(None if number < 0 else texts[number] for number in ids)


def _from_digits(content: dict[str, Any], steps: int) -> list[int]:
    digits, width = content["s"], content.get("w")
    if type(width) is not int or not 1 <= width <= 8 or not isinstance(digits, str) or len(digits) != width * steps:
        raise ValueError("a signal does not have one value for each step")
    value = {digit: number for number, digit in enumerate(DIGITS)}
    ids = []
    for start in range(0, len(digits), width):
        number = 0
        for digit in reversed(digits[start : start + width]):
            if digit not in value:
                raise ValueError(f"{digit!r} is not a digit of a signal")
            number = number * len(DIGITS) + value[digit]
        ids.append(number - 1)
    return ids


def _from_changes(changes: Any, steps: int) -> list[int]:
    if not isinstance(changes, list) or len(changes) % 2 or not all(type(number) is int for number in changes):
        raise ValueError("a signal has no list of changes")
    ids: list[int] = []
    current = -1
    at = 0
    for gap, number in zip(changes[::2], changes[1::2], strict=True):
        at += gap
        if not len(ids) <= at < steps:
            raise ValueError("a signal changes at a step that does not exist")
        ids += [current] * (at - len(ids))
        current = number
    return ids + [current] * (steps - len(ids))
