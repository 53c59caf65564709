"""Lines of commands as NuSMV's shell reads them: words and quotes, comments, earlier lines, ``$variables``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.streams import CommandError

#: A quote that is not closed reaches to the end of the line.
_WORD = re.compile(r"""(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s;#"'])+""")
_QUOTED = re.compile(r""""([^"]*)("|$)|'([^']*)('|$)""")
_EARLIER = re.compile(
    r"\\%|%(?:(?P<whole>%)|(?P<last>\$)|(?P<all>\*)|:(?P<word>\d*)|(?P<number>-?\d+)|(?P<start>[^\s;]*))"
)
_MOST_NESTED = 20


def first_command(text: str) -> tuple[list[str], str, bool]:
    """The words of the first command, the text behind its ``;``, and whether all quotes are closed."""
    words: list[str] = []
    balanced = True
    position = 0
    while True:
        position += len(text[position:]) - len(text[position:].lstrip())
        match = _WORD.match(text, position)
        if match is None:
            return words, text[position + 1 :] if text[position : position + 1] == ";" else "", balanced
        position = match.end()
        balanced = balanced and all(quoted[2] or quoted[4] for quoted in _QUOTED.finditer(match[0]))
        plain = _QUOTED.sub(lambda quoted: quoted[1] or quoted[3] or "", match[0])
        words.append(re.sub(r"\s+", " ", plain).lstrip())


def commands_of(text: str) -> Iterator[list[str]]:
    """The words of each command of a text; the last one may be empty."""
    while True:
        words, text, _ = first_command(text)
        yield words
        if not text:
            return


class History:
    """The lines of standard input so far, to which ``%`` and ``^old^new`` refer."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def substituted(self, line: str) -> tuple[str, bool]:
        """The line with what it takes from earlier ones, and whether it takes anything. Raises CommandError."""
        latest = self.lines[-1] if self.lines else ""
        if line.lstrip().startswith("^"):
            old, separator, new = line.lstrip()[1:].partition("^")
            if not separator or old not in latest:
                raise CommandError("Modifier failed")
            return latest.replace(old, new, 1), True
        changed = False

        def earlier(match: re.Match[str]) -> str:
            nonlocal changed
            if match[0] == r"\%":
                return "%"
            changed = True
            return self._earlier(match)

        return _EARLIER.sub(earlier, line), changed

    def _earlier(self, match: re.Match[str]) -> str:
        if not self.lines:
            raise CommandError("Event 0 not found")
        latest = self.lines[-1]
        words = [word for word in re.split(r"[\s;]+", latest) if word]
        if match["whole"]:
            return latest
        if match["last"]:
            return words[-1]
        if match["all"]:
            return re.sub(r"^\s*[^\s;]*[\s;]*", "", latest)
        if match["word"] is not None:
            number = int(match["word"] or 0)
            if number >= len(words):
                raise CommandError("Bad % arg selector")
            return words[number]
        if match["number"]:
            number = int(match["number"])
            event = number if number > 0 else len(self.lines) + 1 + number
            if number == 0 or not 1 <= event <= len(self.lines):
                raise CommandError(f"Event {event} not found")
            return self.lines[event - 1]
        start = match["start"]
        for line in reversed(self.lines):
            if line.startswith(start):
                return line
        raise CommandError(f"Event not found: {start}")


def with_values(word: str, environment: Environment, nested: int = 0) -> str:
    """A word with the values of its ``$variables``, each of which ends before ``:``, ``/`` or the end of the word."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if not name or not environment.knows(name):
            return match[0] if name else ""
        text = environment.text(name)
        shown = "NULL" if text is None else text
        return with_values(shown, environment, nested + 1) if nested < _MOST_NESTED else shown

    return re.sub(r"\$([^$:/]*)", value, word)
