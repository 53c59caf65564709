"""The data of a page that symag wrote, read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any, get_args

from msgspec import Struct

from symag.core.errors import InputError
from symag.traces.page.content import Kind, Signal
from symag.traces.page.writing import ELEMENT, unpacked

_KINDS: Mapping[str, Kind] = {kind: kind for kind in get_args(Kind)}
#: A page gives its number of steps; one with more values than this is taken for damaged.
_MOST_VALUES = 100_000_000


class PageData(Struct, frozen=True):
    """The data of a page: ``about`` is the whole object, ``signals`` are its rows; a lasso returns to step ``loop``."""

    about: dict[str, Any]
    steps: int
    loop: int | None
    signals: tuple[Signal, ...]


def read_page(content: str, file: str) -> PageData:
    """The data of a page. Raises InputError, with the line, for a text that is not a page with a trace."""
    finder = _Finder()
    finder.feed(content)
    finder.close()
    if not finder.text or not finder.closed:
        raise InputError("not a page of symag's with a trace, or a truncated one", file)
    try:
        return _data(json.loads(finder.text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"the trace in the page is malformed: {error}", file, finder.line) from None


def _data(about: Any) -> PageData:
    """The data in an object of JSON. Raises ValueError if it is not a trace."""
    if not isinstance(about, dict) or about.get("symag") != "trace":
        raise ValueError("it is not a trace")
    steps, loop, listed, groups = (about.get(key) for key in ("steps", "loop", "signals", "groups"))
    if type(steps) is not int or steps < 1:
        raise ValueError("it has no steps")
    if loop is not None and (type(loop) is not int or not 0 <= loop < steps):
        raise ValueError(f"there is no step {loop} to return to")
    if not isinstance(listed, list) or not isinstance(groups, list):
        raise ValueError("it has no list of signals")
    if steps * len(listed) > _MOST_VALUES:
        raise ValueError(f"it has {steps} steps of {len(listed)} signals, which is too much for a page")
    return PageData(about, steps, loop, tuple(_signal(signal, groups, steps) for signal in listed))


def _signal(signal: Any, groups: list[Any], steps: int) -> Signal:
    if not isinstance(signal, dict):
        raise ValueError("a signal is not an object")
    name, kind, group = (signal.get(key) for key in ("name", "kind", "group"))
    if (
        not isinstance(name, str)
        or not isinstance(kind, str)
        or kind not in _KINDS
        or type(group) is not int
        or group not in range(len(groups))
    ):
        raise ValueError("a signal has no name, kind or group")
    return Signal(name, _KINDS[kind], str(groups[group]), unpacked(signal, steps))


class _Finder(HTMLParser):
    """Finds the element with the data."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.line: int | None = None
        self.closed = False
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script" and ("id", ELEMENT) in attrs:
            self._inside = True
            self.line = self.getpos()[0]

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._inside:
            self._inside = False
            self.closed = True
