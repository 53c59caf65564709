"""Plots as SVG: the number of problems solved within a time, and one method against another."""

from __future__ import annotations

import importlib.util
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

#: Shorter times, in seconds, are drawn as this: they differ only by start-up.
LEAST = 0.05
_COLOURS = ("#3b6fb6", "#d1603d", "#3f8f5f", "#8a5fb0", "#b08a2e", "#5f8fa0", "#a04f6f", "#707070")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: The line style of the first eight methods, of the second eight, and so on.
_LINES = ("-", "--", ":", "-.")
#: The most methods whose legend fits into a corner of a plot.
_LEGEND_INSIDE = 6

#: The text of a report in place of plots if the library is not installed.
MISSING = "plots need the library matplotlib: pip install 'symag[plots]'"


def is_available() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def cactus(seconds: Mapping[str, Sequence[float]], limit: float | None) -> str:
    """A cactus plot: for each method the seconds of its solved problems in ascending order, and the limit."""
    inside = len(seconds) <= _LEGEND_INSIDE
    figure, axes = _figure(7.2 if inside else 9.6, 4.2)
    for number, (method, times) in enumerate(seconds.items()):
        heights = [max(time, LEAST) for time in sorted(times)]
        axes.plot(
            range(1, len(heights) + 1),
            heights,
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=3.5,
            linewidth=1.2,
            linestyle=_LINES[number // len(_COLOURS) % len(_LINES)],
            color=_COLOURS[number % len(_COLOURS)],
            label=f"{method} ({len(heights)})",
        )
    axes.set_yscale("log")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("problems solved")
    axes.set_ylabel("CPU seconds")
    if limit is not None:
        axes.axhline(limit, color="#999999", linestyle=":", linewidth=1)
    if inside:
        axes.legend(loc="upper left", frameon=False, fontsize=8)
    else:
        figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    return _svg(figure)


def scatter(
    points: Sequence[tuple[float | None, float | None, str]], left: str, right: str, limit: float | None
) -> str:
    """A scatter plot: a point for each problem, with the seconds of both methods (None: not solved).

    The third entry of a point is its group (a verdict), which determines its colour and mark. Unsolved problems are
    drawn beyond the lines of the limit.
    """
    figure, axes = _figure(4.6, 4.6)
    values = [value for x, y, _ in points for value in (x, y) if value is not None]
    most = max([LEAST * 10, *values]) if limit is None else limit
    outside = most * 1.8
    for number, group in enumerate(sorted({group for _, _, group in points})):
        mine = [(x, y) for x, y, other in points if other == group]
        axes.scatter(
            [outside if x is None else max(x, LEAST) for x, _ in mine],
            [outside if y is None else max(y, LEAST) for _, y in mine],
            s=14,
            alpha=0.75,
            color=_COLOURS[number % len(_COLOURS)],
            marker=_MARKERS[number % len(_MARKERS)],
            label=group,
        )
    ends = (LEAST * 0.7, outside * 1.4)
    axes.plot(ends, ends, color="#999999", linewidth=0.8)
    for draw in (axes.axhline, axes.axvline):
        draw(most * 1.2, color="#999999", linestyle=":", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)
    axes.set_xlabel(f"{left}, CPU seconds")
    axes.set_ylabel(f"{right}, CPU seconds")
    axes.legend(loc="upper left", frameon=False, fontsize=8)
    return _svg(figure)


def _figure(width: float, height: float) -> tuple[Any, Any]:
    # Not by pyplot, which keeps figures at module level and looks for a screen.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, which="major", linewidth=0.4, color="#dddddd")
    axes.set_axisbelow(True)
    return figure, axes


def _svg(figure: Any) -> str:
    """The figure as an element for an HTML page; the same figure gives the same text."""
    # Slow to import, and only reports with plots need it.
    import matplotlib as mpl

    text = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "symag", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    element = text.getvalue()
    return re.sub(r"<metadata>.*?</metadata>", "", element[element.index("<svg") :], flags=re.DOTALL)
