"""Traces, shown in a format that the user chooses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.environment import PLUGINS
from symag.cli.nusmv.reports import PLUGIN_NAMES, XML_PLUGINS, plugin_lines
from symag.cli.nusmv.streams import CommandError
from symag.core.values import replace
from symag.traces.report import TraceReport

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

_SLICE = re.compile(r"(\d*)(?:\.(\d*)(?:(:)(\d+)?)?)?")
_NO_TRACES = "There are no traces currently available."


def show_traces(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``show_traces``: one trace, some states of one, or all. Raises CommandError for a wrong number."""
    streams, shown = shell.streams, shell.traces.shown
    plugin = _plugin(shell, options)
    if not shown:
        streams.error(_NO_TRACES)
        return
    if "t" in options:
        count = len(shown)
        streams.error(f"There {'is' if count == 1 else 'are'} {count} trace{'s'[: count != 1]} currently available.")
        return
    if "a" in options and words:
        raise CommandError(COMMANDS["show_traces"].usage("show_traces"))
    if "a" in options:
        for trace in shown:
            _print(shell, trace, plugin, options)
        return
    if not words:
        _print(shell, shown[-1], plugin, options)
        return
    number, start, colon, end = _slice(words[0])
    if not 1 <= number <= len(shown):
        raise CommandError(f"Invalid trace number (valid values are 1-{len(shown)}).")
    trace = shown[number - 1]
    states = len(list(trace.positions()))
    first = max(1, start)
    # Without a colon a single state is shown, with a colon everything from it on.
    last = end or (states if colon or not start else first)
    if first > states:
        raise CommandError(f"    Invalid starting state specified: {first}")
    if last > states:
        raise CommandError(f"    Invalid end state specified: {last}")
    if first > last:
        raise CommandError(f"    Invalid state range specified: {first}:{last}")
    _print(shell, trace, plugin, options, first, last)


def _slice(text: str) -> tuple[int, int, bool, int]:
    """``trace.from:to`` as NuSMV reads it: trace, from, whether there is a colon, to; 0 for a missing number."""
    match = _SLICE.match(text)
    assert match is not None  # the pattern matches an empty text
    numbers = [int(match[k] or 0) for k in (1, 2, 4)]
    return numbers[0], numbers[1], (match[3] is not None and match[4] is not None) or text.endswith(":"), numbers[2]


def _plugin(shell: Shell, options: Mapping[str, str]) -> int:
    if "p" in options:
        text = options["p"]
        if not text.isdecimal() or int(text) >= PLUGINS:
            usage = COMMANDS["show_traces"].usage("show_traces")
            what = 'is not a valid trace plugin value for "show_traces -p" command line option.'
            raise CommandError(f'Error: "{text}" {what}\n{usage}')
        if "v" in options:
            shell.streams.error("Warning: -v option ignored.")
        return int(text)
    return 1 if "v" in options else shell.environment.number("default_trace_plugin")


def _print(
    shell: Shell,
    trace: TraceReport,
    plugin: int,
    options: Mapping[str, str],
    first: int = 1,
    last: int | None = None,
) -> None:
    if "d" in options:
        trace = replace(trace, defines=())
    if plugin not in XML_PLUGINS:
        heading = f"################### Trace number: {trace.number} ###################"
        shell.streams.heading(f"    <!-- {heading} -->")
    shell.streams.lines(plugin_lines(trace, shell.known_model.system, shell.environment, plugin, first, last))


def show_plugins(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``show_plugins``: the formats in which traces can be shown. Raises CommandError."""
    default = shell.environment.number("default_trace_plugin")
    plugin = options.get("n", "0")
    if not plugin.isdecimal():
        raise CommandError(f'Error: "{plugin}" is not a valid value for"-show_plugins" command line option.')
    if int(plugin) >= PLUGINS:
        raise CommandError(f"Error: Plugin {plugin} is not yet registered")
    for number, name in enumerate(PLUGIN_NAMES):
        if options.get("n", str(number)) == str(number):
            shell.streams.line(f"{'[D]' if number == default else '   '}  {number}\t {name}")
