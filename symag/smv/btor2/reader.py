"""A text in the BTOR2 format as its nodes; every sort is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symag.core.source import SourceText
from symag.smv.btor2.format import Array, BitVector, Btor2, Btor2Node, Sort
from symag.smv.btor2.signatures import ARITY, SORTED, Signature, signature_of
from symag.smv.model.types import LARGEST_WORD

#: An array has at most 2 to this power elements.
LARGEST_INDEX = 16
_TOKEN = re.compile(r"\S+")
_DIGITS = {"const": ("binary digits", 2), "constd": ("a decimal number", 10), "consth": ("hexadecimal digits", 16)}


def parse(source: SourceText) -> Btor2:
    """Reads a text. Linear time. Raises InputError with line and column."""
    return _Reader(source).model()


class _Reader:
    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._sorts: dict[int, Sort] = {}
        self._nodes: dict[int, Btor2Node] = {}
        self._last = 0
        #: The init and next lines so far, by state: ``("init", number)``, ``("next", number)``.
        self._defined: set[tuple[str, int]] = set()

    def model(self) -> Btor2:
        for number, start in enumerate(self._source.line_starts):
            ends = self._source.line_starts
            end = ends[number + 1] if number + 1 < len(ends) else len(self._source.text)
            tokens = []
            for match in _TOKEN.finditer(self._source.text, start, end):
                if match[0].startswith(";"):
                    break
                tokens.append((match[0], match.start()))
            if tokens:
                self._line(_Line(self._source, tokens, end))
        if not self._last:
            raise self._source.error("expected lines such as '1 sort bitvec 8', found nothing", 0)
        return Btor2(tuple(self._nodes.values()))

    def _line(self, line: _Line) -> None:
        identifier = line.number("a line's number", least=1)
        if identifier <= self._last:
            raise line.error(f"line number {identifier} does not follow {self._last}: expected rising numbers")
        self._last = identifier
        tag = line.word("a keyword such as sort, state or and")
        if tag == "sort":
            self._sorts[identifier] = self._sort(line)
            line.symbol()
            return
        if tag not in ARITY:
            raise line.error(f"'{tag[:40]}' is not a keyword of BTOR2")
        sort = self._named_sort(line) if tag in SORTED else None
        position = line.start
        numbers: tuple[int, ...] = ()
        if tag in _DIGITS or tag in ("zero", "one", "ones"):
            numbers = (self._constant(line, tag, sort),)
        count = line.number("how many conditions", least=1) if tag == "justice" else ARITY[tag]
        operands = tuple(self._operand(line) for _ in range(count))
        if tag in ("slice", "uext", "sext"):
            what = ("the highest bit", "the lowest bit") if tag == "slice" else ("how many bits are added",)
            numbers = tuple(line.number(word) for word in what)
        node = Btor2Node(identifier, tag, sort, operands, numbers, line.symbol(), position)
        problem = signature_of(tag)(Signature(sort, tuple(self._sort_of(operand) for operand in operands), numbers))
        if problem is not None:
            raise line.error_of_whole(f"{tag}: {problem}")
        if tag in ("init", "next"):
            self._of_state(line, node)
        self._nodes[identifier] = node

    def _sort(self, line: _Line) -> Sort:
        kind = line.word("bitvec or array")
        if kind == "bitvec":
            width = line.number("a width", least=1)
            if width > LARGEST_WORD:
                raise line.error(f"a width of {width} is not supported: at most {LARGEST_WORD}")
            return BitVector(width)
        if kind != "array":
            raise line.error(f"expected bitvec or array, found '{kind[:40]}'")
        widths = []
        for what in ("addresses", "elements"):
            sort = self._named_sort(line)
            if not isinstance(sort, BitVector):
                raise line.error(f"arrays whose {what} are arrays are not supported")
            widths.append(sort.width)
        if widths[0] > LARGEST_INDEX:
            message = f"an array of 2**{widths[0]} elements is not supported: at most 2**{LARGEST_INDEX}"
            raise line.error_of_whole(message)
        return Array(widths[0], widths[1])

    def _named_sort(self, line: _Line) -> Sort:
        number = line.number("a sort's number", least=1)
        if number not in self._sorts:
            what = f"{number} is a node, not a sort" if number in self._nodes else f"no line above is sort {number}"
            raise line.error(what)
        return self._sorts[number]

    def _constant(self, line: _Line, tag: str, sort: Sort | None) -> int:
        if not isinstance(sort, BitVector):
            raise line.error(f"{tag}: expected a bitvec sort")
        if tag not in _DIGITS:
            return {"zero": 0, "one": 1, "ones": (1 << sort.width) - 1}[tag]
        expected, base = _DIGITS[tag]
        digits = line.word(expected)
        shape = {2: r"[01]+", 10: r"-?[0-9]+", 16: r"[0-9a-fA-F]+"}[base]
        if not re.fullmatch(shape, digits):
            raise line.error(f"{tag}: expected {expected}, found '{digits[:40]}'")
        if tag == "const" and len(digits) != sort.width:
            raise line.error(f"const: expected {sort.width} binary digits, found {len(digits)}")
        # Python refuses to convert very long decimal numbers; none of them fits.
        value = int(digits, base) if len(digits) <= max(sort.width + 1, 4000) or base != 10 else 1 << sort.width
        if not -(1 << sort.width - 1) <= value < 1 << sort.width:
            raise line.error(f"{tag}: {digits[:40]} does not fit into {sort.width} bits")
        return value & ((1 << sort.width) - 1)

    def _operand(self, line: _Line) -> int:
        number = line.number("a node's number", signed=True)
        node = self._nodes.get(abs(number))
        if node is None:
            if abs(number) == self._last:
                raise line.error(f"node {self._last} reads itself")
            what = "a sort, not a node" if abs(number) in self._sorts else "defined on no line above"
            raise line.error(f"node {abs(number)} is {what}")
        if node.sort is None or node.tag in ("init", "next"):
            raise line.error(f"{node.identifier} ({node.tag}) has no value that another line can read")
        if number < 0 and isinstance(node.sort, Array):
            raise line.error(f"node {node.identifier} is an array, which has no negation")
        return number

    def _sort_of(self, operand: int) -> Sort:
        sort = self._nodes[abs(operand)].sort
        assert sort is not None
        return sort

    def _of_state(self, line: _Line, node: Btor2Node) -> None:
        state, value = node.operands
        if state < 0 or self._nodes[state].tag != "state":
            raise line.error_of_whole(f"{node.tag}: node {state} is not a state")
        if (node.tag, state) in self._defined:
            raise line.error_of_whole(f"{node.tag}: state {state} has one already")
        self._defined.add((node.tag, state))
        if node.tag == "init":
            for read in self._leaves_below(value):
                if read.tag == "input":
                    message = f"the value must not depend on an input, and {value} reads {read.identifier}"
                    raise line.error_of_whole(f"init: {message}")
                if read.identifier >= state:
                    message = f"the value may read states above {state} only, and {value} reads {read.identifier}"
                    raise line.error_of_whole(f"init: {message}")

    def _leaves_below(self, value: int) -> Iterator[Btor2Node]:
        """The inputs and states that a value depends on."""
        seen: set[int] = set()
        stack = [abs(value)]
        while stack:
            number = stack.pop()
            if number in seen:
                continue
            seen.add(number)
            if self._nodes[number].tag in ("input", "state"):
                yield self._nodes[number]
            stack.extend(map(abs, self._nodes[number].operands))


class _Line:
    """The words of a line that are still to be read; errors point at the one that was read last."""

    def __init__(self, source: SourceText, tokens: Sequence[tuple[str, int]], end: int) -> None:
        self._source = source
        self._tokens = tokens
        self._next = 0
        self.start = tokens[0][1]
        self._end = max(self.start, tokens[-1][1] + len(tokens[-1][0]))

    def word(self, expected: str) -> str:
        if self._next == len(self._tokens):
            raise self._source.error(f"the line ends where {expected} was expected", self._end)
        self._next += 1
        return self._tokens[self._next - 1][0]

    def number(self, expected: str, least: int = 0, signed: bool = False) -> int:
        word = self.word(expected)
        digits = word.removeprefix("-") if signed else word
        if not (digits.isascii() and digits.isdecimal()):
            raise self.error(f"expected {expected}, found '{word[:40]}'")
        if len(digits) > 18:
            raise self.error(f"a number of {len(digits):,} digits is too large")
        if int(digits) < least:
            raise self.error(f"expected {expected} of at least {least}, found {digits}")
        return int(word)

    def symbol(self) -> str | None:
        """The name at the end of the line, if there is one."""
        if self._next == len(self._tokens):
            return None
        name = self.word("a name")
        if self._next < len(self._tokens):
            self._next += 1
            raise self.error(f"expected the end of the line, found '{self._tokens[self._next - 1][0][:40]}'")
        return name

    def error(self, message: str) -> Exception:
        return self._source.error(message, self._tokens[max(self._next - 1, 0)][1])

    def error_of_whole(self, message: str) -> Exception:
        """An error that points at the line's beginning."""
        return self._source.error(message, self.start)
