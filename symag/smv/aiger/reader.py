"""A file in AIGER 1.9, or in the older format that it extends, as an and-inverter graph."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symag.core.errors import InputError
from symag.core.ranges import distinct
from symag.smv.aiger.format import Aiger, AigerLatch, Ands, SymbolKey, is_topological

#: Names of the header's counts, in order; the last four may be missing.
_COUNTS = ("M", "I", "L", "O", "A", "B", "C", "J", "F")

#: So many inputs of a binary file are believed whatever its size.
_FREE_INPUTS = 1 << 22

#: The largest number of a variable: a byte is kept for each, whether the file has it or not.
_LARGEST = 1 << 28

#: The most bytes of a number of the binary form.
_LONGEST = 9


def parse(content: bytes, path: str) -> Aiger:
    """Reads either form, told by the first word. Linear time.

    Raises InputError with the line, or for the gates of the binary form the byte (from 0) in the message.
    """
    return _Reader(content, path).graph()


class _Reader:
    def __init__(self, content: bytes, path: str) -> None:
        self._content = content
        self._path = path
        self._offset = 0
        self._line = 0

    def graph(self) -> Aiger:
        words = self._words("a header 'aag M I L O A' or 'aig M I L O A'")
        if not words or words[0] not in ("aag", "aig"):
            raise self._error("expected a header 'aag M I L O A' or 'aig M I L O A'")
        if not 6 <= len(words) <= 10:
            raise self._error(f"expected 5 to 9 counts after '{words[0]}', found {len(words) - 1}")
        self._binary = words[0] == "aig"
        counts = dict(zip(_COUNTS, map(self._number, words[1:]), strict=False))
        maximum = self._maximum = counts["M"]
        defined = counts["I"] + counts["L"] + counts["A"]
        if self._binary and maximum != defined:
            raise self._error(f"M must be I + L + A = {defined}, not {maximum}")
        if maximum < defined:
            raise self._error(f"M must be at least I + L + A = {defined}, not {maximum}")
        # Inputs of the binary form take no bytes.
        free = min(counts["I"], _FREE_INPUTS) if self._binary else 0
        if defined - free + sum(counts.get(letter, 0) for letter in "OBCJF") > len(self._content):
            raise self._error("the counts are larger than the file")
        if maximum > _LARGEST:
            raise self._error(f"M is {maximum}, and at most {_LARGEST} is supported")
        self._defined = bytearray(maximum + 1)
        inputs = self._inputs(counts["I"])
        latches = self._latches(counts["L"], counts["I"])
        outputs, bad, constraints = (self._literals(counts.get(letter, 0)) for letter in "OBC")
        sizes = [self._single("the size of a justice property") for _ in range(counts.get("J", 0))]
        if sum(sizes) > len(self._content):
            raise self._error("the justice properties are larger than the file")
        justice = tuple(self._literals(size) for size in sizes)
        fairness = self._literals(counts.get("F", 0))
        ands = self._binary_ands(counts) if self._binary else self._ascii_ands(counts["A"])
        symbols, comments = self._symbols(counts)
        graph = Aiger(maximum, inputs, latches, outputs, ands, bad, constraints, justice, fairness, symbols, comments)
        self._check(graph)
        return graph

    def _inputs(self, count: int) -> tuple[int, ...]:
        if self._binary:
            return tuple(self._define(2 * number) for number in range(1, count + 1))
        return tuple(self._define(self._single("an input's literal")) for _ in range(count))

    def _latches(self, count: int, inputs: int) -> tuple[AigerLatch, ...]:
        latches = []
        for number in range(count):
            numbers = self._numbers("a latch")
            if self._binary:
                numbers.insert(0, 2 * (inputs + number + 1))
            if not 2 <= len(numbers) <= 3:
                raise self._error("expected a latch: its literal (in the ASCII form), the next one, and a reset value")
            reset = numbers[2] if len(numbers) == 3 else 0
            if reset not in (0, 1, numbers[0]):
                raise self._error(f"expected the reset value 0, 1 or {numbers[0]} (none), found {reset}")
            latches.append(AigerLatch(self._define(numbers[0]), self._within(numbers[1]), reset))
        return tuple(latches)

    def _literals(self, count: int) -> tuple[int, ...]:
        return tuple(self._within(self._single("a literal")) for _ in range(count))

    def _ascii_ands(self, count: int) -> Ands:
        rows = self._plain_rows(count)
        if rows is not None:
            return Ands(rows)
        ands = []
        for _ in range(count):
            numbers = self._numbers("a gate")
            if len(numbers) != 3:
                raise self._error("expected a gate: three literals")
            ands.append((self._define(numbers[0]), self._within(numbers[1]), self._within(numbers[2])))
        return Ands.of(ands)

    def _plain_rows(self, count: int) -> NDArray[np.int64] | None:
        """Gates without any fault in their lines, all at once; None where a fault has to be told."""
        match = re.compile(rb"(?:[0-9]{1,18} [0-9]{1,18} [0-9]{1,18}\r?\n){%d}" % count).match(
            self._content, self._offset
        )
        if match is None or not count:
            return None
        numbers = np.fromiter(map(int, match[0].split()), dtype=np.int64, count=3 * count).reshape(-1, 3)
        left = numbers[:, 0]
        if (left & 1).any() or (left == 0).any() or numbers.max() > 2 * self._maximum + 1:
            return None
        defined = np.frombuffer(self._defined, dtype=np.uint8)
        if defined[left >> 1].any() or len(distinct(left)) < count:
            return None
        defined[left >> 1] = 1
        self._offset = match.end()
        self._line += count
        return numbers

    def _binary_ands(self, counts: dict[str, int]) -> Ands:
        count = counts["A"]
        bytes_left = np.frombuffer(self._content, dtype=np.uint8, offset=min(self._offset, len(self._content)))
        ends = np.flatnonzero(bytes_left[: 2 * count * _LONGEST] < 128)[: 2 * count]
        starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
        lengths = ends - starts + 1
        too_long = np.flatnonzero(lengths > _LONGEST)
        known = min(len(ends), int(too_long[0]) if len(too_long) else len(ends)) // 2
        deltas = np.zeros(2 * known, dtype=np.int64)
        for place in range(int(lengths[: 2 * known].max(initial=0))):
            has = lengths[: 2 * known] > place
            here = bytes_left[starts[: 2 * known][has] + place].astype(np.int64)
            deltas[has] |= (here & 127) << (7 * place)
        left = 2 * np.arange(counts["I"] + counts["L"] + 1, counts["I"] + counts["L"] + 1 + known, dtype=np.int64)
        first = left - deltas[::2]
        second = first - deltas[1::2]
        wrong = np.flatnonzero((first < 0) | (second < 0) | (first >= left))
        if len(wrong):
            number = int(wrong[0])
            byte = self._offset + int(ends[2 * number + 1]) + 1
            message = f"at byte {byte}: gate {int(left[number])} must be above its operands"
            raise self._error(message, located=False)
        if known < count:
            after = int(ends[-1]) + 1 if len(ends) else 0
            start = int(starts[too_long[0]]) if len(too_long) else after
            if len(too_long) or len(bytes_left) - after > _LONGEST:
                byte = self._offset + start + _LONGEST
                raise self._error(f"at byte {byte}: a number is too long", located=False)
            raise self._error(f"at byte {len(self._content)}: the file ends within the gates", located=False)
        self._offset += int(ends[-1]) + 1 if count else 0
        np.frombuffer(self._defined, dtype=np.uint8)[left >> 1] = 1
        return Ands(np.stack([left, first, second], axis=1))

    def _symbols(self, counts: dict[str, int]) -> tuple[dict[SymbolKey, str], tuple[str, ...]]:
        limits = dict(zip("ilobcjf", (counts.get(letter, 0) for letter in "ILOBCJF"), strict=True))
        symbols: dict[SymbolKey, str] = {}
        while self._offset < len(self._content):
            line = self._text()
            # ABC's command &w writes its own sections there: the letter of one follows at once, in place of a new line.
            if line.strip() == "c" or re.match(r"c[a-z]", line):
                rest = self._content[self._offset :].decode("utf-8", "replace")
                return symbols, tuple(rest.splitlines())
            key, blank, name = line.partition(" ")
            if not re.fullmatch("[ilobcjf][0-9]{1,18}", key) or not blank:
                raise self._error("expected a symbol such as 'i0 name', or 'c' and comments")
            if int(key[1:]) >= limits[key[0]]:
                raise self._error(f"there is no {key}")
            if name:
                symbols[key[0], int(key[1:])] = name
        return symbols, ()

    def _check(self, graph: Aiger) -> None:
        """Every literal in use is defined, and gates depend on each other without circles."""
        roots = np.fromiter(graph.roots(), dtype=np.int64)
        defined = np.frombuffer(self._defined, dtype=np.uint8).astype(bool)
        defined[0] = True
        if is_topological(graph.rows) and defined[roots >> 1].all() and defined[graph.rows >> 1].all():
            return
        operands = {left: (first, second) for left, first, second in graph.ands}
        done: set[int] = set()
        open_gates: set[int] = set()
        for root in (*graph.roots(), *operands):
            stack = [(root & ~1, False)]
            while stack:
                literal, below_done = stack.pop()
                if below_done:
                    open_gates.discard(literal)
                    done.add(literal)
                    continue
                if literal in done:
                    continue
                if literal in open_gates:
                    raise self._error(f"gate {literal} depends on itself", located=False)
                if literal and not self._defined[literal >> 1]:
                    raise self._error(f"literal {literal} is used and not defined", located=False)
                if literal not in operands:
                    done.add(literal)
                    continue
                open_gates.add(literal)
                stack.append((literal, True))
                stack.extend((operand & ~1, False) for operand in operands[literal] if operand & ~1 not in done)

    def _define(self, literal: int) -> int:
        if literal & 1 or literal == 0:
            raise self._error(f"expected a positive, even literal, found {literal}")
        if self._defined[self._within(literal) >> 1]:
            raise self._error(f"literal {literal} is defined twice")
        self._defined[literal >> 1] = 1
        return literal

    def _within(self, literal: int) -> int:
        if literal > 2 * self._maximum + 1:
            raise self._error(f"literal {literal} is above 2M + 1 = {2 * self._maximum + 1}")
        return literal

    def _single(self, expected: str) -> int:
        numbers = self._numbers(expected)
        if len(numbers) != 1:
            raise self._error(f"expected {expected}: one number")
        return numbers[0]

    def _numbers(self, expected: str) -> list[int]:
        return [self._number(word) for word in self._words(expected)]

    def _number(self, word: str) -> int:
        if not (word.isascii() and word.isdecimal()):
            raise self._error(f"expected a number, found '{word[:40]}'")
        if len(word) > 18:
            raise self._error(f"a number of {len(word):,} digits is too large")
        return int(word)

    def _words(self, expected: str) -> Sequence[str]:
        if self._offset >= len(self._content):
            self._line += 1
            raise self._error(f"the file ends where {expected} was expected")
        return self._text().split()

    def _text(self) -> str:
        end = self._content.find(b"\n", self._offset)
        end = len(self._content) if end < 0 else end
        line = self._content[self._offset : end].decode("utf-8", "replace").rstrip("\r")
        self._offset = end + 1
        self._line += 1
        return line

    def _error(self, message: str, located: bool = True) -> InputError:
        return InputError(message, self._path, self._line if located else None)
