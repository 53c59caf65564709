"""BTOR2 models evaluated on numbers, in the plainest way: its own reading of the lines, its own operators.

Nothing here comes from ``symag``. A value is a number, or for an array a tuple of numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction


def signed(number: int, width: int) -> int:
    return number - (1 << width) if number >> (width - 1) else number


def truncated(dividend: int, divisor: int) -> int:
    """C's division."""
    return int(Fraction(dividend, divisor))


def operator(tag: str, widths: list[int], values: list[int]) -> int:
    """An operator on bit-vectors; the result is not yet cut to its width."""
    w, a = widths[0], values[0]
    b = values[1] if len(values) > 1 else 0
    sa = signed(a, w)
    sb = signed(b, widths[1]) if len(values) > 1 else 0
    top = 1 << (w - 1)
    match tag:
        case "not":
            return ~a
        case "inc":
            return a + 1
        case "dec":
            return a - 1
        case "neg":
            return -a
        case "redand":
            return int(a == (1 << w) - 1)
        case "redor":
            return int(a > 0)
        case "redxor":
            return bin(a).count("1") % 2
        case "and":
            return a & b
        case "nand":
            return ~(a & b)
        case "or":
            return a | b
        case "nor":
            return ~(a | b)
        case "xor":
            return a ^ b
        case "xnor":
            return ~(a ^ b)
        case "iff" | "eq":
            return int(a == b)
        case "neq":
            return int(a != b)
        case "implies":
            return int(not a or b)
        case "concat":
            return a << widths[1] | b
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "udiv":
            return a // b if b else -1
        case "urem":
            return a % b if b else a
        case "sdiv":
            return truncated(sa, sb) if b else (1 if sa < 0 else -1)
        case "srem":
            return sa - sb * truncated(sa, sb) if b else a
        case "smod":
            return sa % sb if b else a
        case "sll":
            return a << b
        case "srl":
            return a >> b
        case "sra":
            return sa >> b
        case "rol":
            return a << b % w | a >> (w - b % w)
        case "ror":
            return a >> b % w | a << (w - b % w)
        case "ult":
            return int(a < b)
        case "ulte":
            return int(a <= b)
        case "ugt":
            return int(a > b)
        case "ugte":
            return int(a >= b)
        case "slt":
            return int(sa < sb)
        case "slte":
            return int(sa <= sb)
        case "sgt":
            return int(sa > sb)
        case "sgte":
            return int(sa >= sb)
        case "uaddo":
            return int(a + b >= 2 * top)
        case "usubo":
            return int(a < b)
        case "umulo":
            return int(a * b >= 2 * top)
        case "saddo":
            return int(not -top <= sa + sb < top)
        case "ssubo":
            return int(not -top <= sa - sb < top)
        case "smulo":
            return int(not -top <= sa * sb < top)
        case "sdivo":
            return int(bool(b) and not -top <= truncated(sa, sb) < top)
    raise ValueError(tag)


@dataclass
class Oracle:
    """A model; ``sorts`` gives a width, or for an array the widths of addresses and elements."""

    text: str
    sorts: dict[int, int | tuple[int, int]] = field(default_factory=dict)
    lines: dict[int, tuple[str, object, list[int]]] = field(default_factory=dict)
    states: list[int] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    init: dict[int, int] = field(default_factory=dict)
    next: dict[int, int] = field(default_factory=dict)
    bad: list[int] = field(default_factory=list)
    constraints: list[int] = field(default_factory=list)
    fair: list[int] = field(default_factory=list)
    justice: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for line in self.text.splitlines():
            number, tag, *rest = line.split(";")[0].split() or [0, ""]
            number = int(number)
            if tag == "sort":
                widths = [int(one) for one in rest[1:]]
                self.sorts[number] = widths[0] if rest[0] == "bitvec" else tuple(self.sorts[one] for one in widths)
            elif tag in ("init", "next"):
                getattr(self, tag)[int(rest[1])] = int(rest[2])
            elif tag in ("bad", "constraint", "fair"):
                {"bad": self.bad, "constraint": self.constraints, "fair": self.fair}[tag].append(int(rest[0]))
            elif tag == "justice":
                self.justice.append([int(one) for one in rest[1 : 1 + int(rest[0])]])
            elif tag in ("const", "constd", "consth"):
                value = int(rest[1], {"const": 2, "constd": 10, "consth": 16}[tag])
                self.lines[number] = ("value", self.sorts[int(rest[0])], [value])
            elif tag in ("zero", "one", "ones"):
                self.lines[number] = ("value", self.sorts[int(rest[0])], [{"zero": 0, "one": 1, "ones": -1}[tag]])
            elif tag and tag != "output":
                count = {"input": 0, "state": 0, "slice": 3, "uext": 2, "sext": 2, "ite": 3, "write": 3}.get(tag)
                arguments = [int(one) for one in rest[1:] if one.lstrip("-").isdigit()][:count]
                self.lines[number] = (tag, self.sorts[int(rest[0])], arguments)
                if tag == "state":
                    self.states.append(number)
                if tag == "input":
                    self.inputs.append(number)

    def values_of(self, node: int) -> list[object]:
        """All values of a node's sort."""
        sort = self.lines[node][1]
        if isinstance(sort, int):
            return list(range(1 << sort))
        return list(itertools.product(range(1 << sort[1]), repeat=1 << sort[0]))

    def evaluate(self, node: int, known: dict[int, object]) -> object:
        """The value of a node, from values of states and inputs; ``known`` grows."""
        if node < 0:
            width = self.lines[-node][1]
            return ~self.evaluate(-node, known) & ((1 << width) - 1)
        if node not in known:
            known[node] = self._evaluate(node, known)
        return known[node]

    def _evaluate(self, node: int, known: dict[int, object]) -> object:
        tag, sort, arguments = self.lines[node]
        if tag == "value":
            return arguments[0] & ((1 << sort) - 1)
        if tag in ("slice", "uext", "sext"):
            value = self.evaluate(arguments[0], known)
            if tag == "slice":
                return value >> arguments[2] & ((1 << sort) - 1)
            width = self.lines[abs(arguments[0])][1]
            return (signed(value, width) if tag == "sext" else value) & ((1 << sort) - 1)
        values = [self.evaluate(one, known) for one in arguments]
        if tag == "ite":
            return values[1] if values[0] else values[2]
        if tag == "read":
            return values[0][values[1]]
        if tag == "write":
            return tuple(values[2] if place == values[1] else old for place, old in enumerate(values[0]))
        if tag in ("eq", "neq"):
            return int((values[0] == values[1]) is (tag == "eq"))
        widths = [self.lines[abs(one)][1] for one in arguments]
        return operator(tag, widths, values) & ((1 << sort) - 1)

    def steps(self, state: tuple[object, ...]) -> Iterator[dict[int, object]]:
        """All valuations of states and inputs at one step, those that violate a constraint left out."""
        for chosen in itertools.product(*(self.values_of(node) for node in self.inputs)):
            known = dict(zip(self.states, state, strict=True)) | dict(zip(self.inputs, chosen, strict=True))
            if all(self.evaluate(node, known) for node in self.constraints):
                yield known

    def initial(self) -> Iterator[tuple[object, ...]]:
        for state in itertools.product(*(self.values_of(node) for node in self.states)):
            known = dict(zip(self.states, state, strict=True))
            if all(self._starts(node, value, known) for node, value in self.init.items()):
                yield state

    def _starts(self, node: int, value: int, known: dict[int, object]) -> bool:
        wanted = self.evaluate(value, known)
        if isinstance(known[node], tuple) and not isinstance(wanted, tuple):
            return set(known[node]) == {wanted}
        return known[node] == wanted

    def successors(self, known: dict[int, object]) -> Iterator[tuple[object, ...]]:
        options = [
            [self.evaluate(self.next[node], known)] if node in self.next else self.values_of(node)
            for node in self.states
        ]
        return itertools.product(*options)

    def depths(self) -> list[int | None]:
        """For each bad node the first step at which it can be 1; None if there is none."""
        found: list[int | None] = [None] * len(self.bad)
        layer, seen, depth = set(self.initial()), set(), 0
        while layer:
            seen |= layer
            after = set()
            for state in layer:
                for known in self.steps(state):
                    for place, node in enumerate(self.bad):
                        if found[place] is None and self.evaluate(node, known):
                            found[place] = depth
                    after.update(self.successors(known))
            layer, depth = after - seen, depth + 1
        return found

    def just(self) -> list[bool]:
        """For each justice property whether a run violates it, as Emerson and Lei's fix-point says."""
        edges: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
        labels: dict[tuple[object, ...], dict[int, object]] = {}
        of_state: dict[tuple[object, ...], list[tuple[object, ...]]] = {}

        def positions(state: tuple[object, ...]) -> list[tuple[object, ...]]:
            if state not in of_state:
                of_state[state] = []
                for known in self.steps(state):
                    position = (*state, *(known[node] for node in self.inputs))
                    labels[position] = known
                    of_state[state].append(position)
            return of_state[state]

        stack = [position for state in self.initial() for position in positions(state)]
        while stack:
            position = stack.pop()
            if position not in edges:
                edges[position] = [one for state in set(self.successors(labels[position])) for one in positions(state)]
                stack.extend(edges[position])
        return [self._cycles(edges, labels, [*conditions, *self.fair]) for conditions in self.justice]

    def _cycles(self, edges: dict, labels: dict, conditions: list[int]) -> bool:
        inside = set(edges)
        while True:
            before = len(inside)
            for condition in conditions or [None]:
                goal = {one for one in inside if condition is None or self.evaluate(condition, labels[one])}
                reach = goal
                while True:
                    more = {one for one in inside if any(after in reach for after in edges[one])} | goal
                    if more == reach:
                        break
                    reach = more
                inside = {one for one in inside if any(after in reach for after in edges[one])}
            if len(inside) == before:
                return bool(inside)
