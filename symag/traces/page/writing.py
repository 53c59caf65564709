"""The page as one HTML file, which loads nothing; its policy forbids it to.

Style and scripts are from the files in ``assets``; the data are one element of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from symag.core.evidence.documents import page_element
from symag.traces.page.content import Content, Core, Cut
from symag.traces.page.packing import packed

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
