"""Random small models in the BTOR2 format."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from symag.core.source import SourceText
from symag.smv.btor2 import parse, to_system
from symag.smv.model.flat import FlatSystem

UNARY = "not inc dec neg".split()
REDUCING = "redand redor redxor".split()
ALIKE = "and nand or nor xor xnor add sub mul udiv urem sdiv srem smod sll srl sra rol ror".split()
COMPARING = "eq neq ult ulte ugt ugte slt slte sgt sgte uaddo usubo umulo saddo ssubo smulo sdivo".split()
LOGICAL = "iff implies".split()


@dataclass
class Writer:
    """A text that grows by lines."""

    random: Random
    lines: list[str] = field(default_factory=list)
    sorts: dict[object, int] = field(default_factory=dict)
    nodes: dict[object, list[int]] = field(default_factory=dict)
    #: Nodes that depend on states or inputs.
    moving: set[int] = field(default_factory=set)

    def line(self, text: str) -> int:
        self.lines.append(f"{len(self.lines) + 1} {text}")
        return len(self.lines)

    def sort(self, of: object) -> int:
        """A width, or the widths of addresses and elements."""
        if of not in self.sorts:
            if isinstance(of, tuple):
                self.sorts[of] = self.line(f"sort array {self.sort(of[0])} {self.sort(of[1])}")
            else:
                self.sorts[of] = self.line(f"sort bitvec {of}")
        return self.sorts[of]

    def node(self, of: object, text: str) -> int:
        number = self.line(text)
        self.nodes.setdefault(of, []).append(number)
        operands = [abs(int(word)) for word in text.split()[2:] if word.lstrip("-").isdigit()]
        if text.startswith(("state", "input")) or self.moving.intersection(operands):
            self.moving.add(number)
        return number

    def constant(self, width: int) -> int:
        value = self.random.randrange(1 << width)
        kind = self.random.choice(["const", "constd", "consth", "zero", "one", "ones"])
        digits = {"const": f" {value:0{width}b}", "constd": f" {value}", "consth": f" {value:x}"}.get(kind, "")
        return self.node(width, f"{kind} {self.sort(width)}{digits}")

    def any(self, of: object) -> int:
        """A node of this sort that is there, perhaps negated, or a new constant."""
        known = self.nodes.get(of, [])
        if isinstance(of, tuple):
            return self.random.choice(known)
        if not known or self.random.random() < 0.1:
            return self.constant(of)
        moving = [number for number in known if number in self.moving]
        chosen = self.random.choice(moving if moving and self.random.random() < 0.7 else known)
        return chosen * (-1 if self.random.random() < 0.2 else 1)

    def operation(self, width: int) -> int:
        """A new node of a width."""
        choose, sort = self.random.choice, self.sort
        arrays = [of for of in self.nodes if isinstance(of, tuple) and of[1] == width]
        kinds = ["unary", "alike", "alike", "ite", "slice", "extend", "concat", "read"]
        kinds += ["reduce", "compare", "compare", "logic", "arrays"] if width == 1 else []
        other = choose([1, 2, 3])
        match choose(kinds):
            case "alike":
                return self.node(width, f"{choose(ALIKE)} {sort(width)} {self.any(width)} {self.any(width)}")
            case "ite":
                return self.node(width, f"ite {sort(width)} {self.any(1)} {self.any(width)} {self.any(width)}")
            case "slice":
                low = choose([0, 1])
                operand, high = self.any(width + low + choose([0, 1])), low + width - 1
                return self.node(width, f"slice {sort(width)} {operand} {high} {low}")
            case "extend" if width > 1:
                added = choose(range(width))
                return self.node(width, f"{choose(['uext', 'sext'])} {sort(width)} {self.any(width - added)} {added}")
            case "concat" if width > 1:
                high = choose(range(1, width))
                return self.node(width, f"concat {sort(width)} {self.any(high)} {self.any(width - high)}")
            case "read" if arrays:
                of = choose(arrays)
                return self.node(width, f"read {sort(width)} {self.any(of)} {self.any(of[0])}")
            case "arrays" if any(isinstance(of, tuple) for of in self.nodes):
                of = choose([of for of in self.nodes if isinstance(of, tuple)])
                return self.node(1, f"{choose(['eq', 'neq'])} {sort(1)} {self.any(of)} {self.any(of)}")
            case "reduce":
                return self.node(1, f"{choose(REDUCING)} {sort(1)} {self.any(other)}")
            case "compare":
                return self.node(1, f"{choose(COMPARING)} {sort(1)} {self.any(other)} {self.any(other)}")
            case "logic":
                return self.node(1, f"{choose(LOGICAL)} {sort(1)} {self.any(1)} {self.any(1)}")
        return self.node(width, f"{choose(UNARY)} {sort(width)} {self.any(width)}")

    def array_operation(self, of: tuple[int, int]) -> int:
        if self.random.random() < 0.3:
            return self.node(of, f"ite {self.sort(of)} {self.any(1)} {self.any(of)} {self.any(of)}")
        return self.node(of, f"write {self.sort(of)} {self.any(of)} {self.any(of[0])} {self.any(of[1])}")


def random_model(random: Random, justice: bool = False) -> str:
    """A model of at most 6 state bits and 3 input bits with one or two properties.

    Operands and sorts are made before the line that names them, for a line's number is its place.
    """
    writer = Writer(random)
    for width in (1, 2, 3, 4, 5):
        writer.sort(width)
    for width in (1, 2, 3):
        writer.constant(width)
    states: list[tuple[int, object]] = []
    bits = 0
    for _ in range(random.choice([1, 2, 2, 3])):
        of: object = random.choice([1, 1, 2, 3, (1, 1), (1, 2), (2, 1)])
        cost = of if isinstance(of, int) else of[1] << of[0]
        if bits + cost > 6:
            continue
        bits += cost
        wanted = random.random()
        initial = None
        if wanted < 0.8:
            initial = writer.any(of) if isinstance(of, int) else writer.constant(of[1])
            if isinstance(of, int) and wanted < 0.3:
                initial = writer.operation(of)
        sort = writer.sort(of)
        state = writer.node(of, f"state {sort}" + random.choice(["", f" s{bits}", f" top.r[{bits}]"]))
        states.append((state, of))
        if initial is not None:
            writer.line(f"init {sort} {state} {initial}")
    for number in range(random.choice([0, 1, 1, 2])):
        width = random.choice([1, 1, 2]) if number == 0 else 1
        sort = writer.sort(width)
        writer.node(width, f"input {sort}" + random.choice(["", f" in{number}"]))
    for _ in range(random.choice([3, 6, 10])):
        arrays = [of for of in writer.nodes if isinstance(of, tuple)]
        if arrays and random.random() < 0.3:
            writer.array_operation(random.choice(arrays))
        else:
            writer.operation(random.choice([1, 1, 2, 3]))
    for state, of in states:
        if random.random() < 0.85:
            value = writer.array_operation(of) if isinstance(of, tuple) else writer.operation(of)
            writer.line(f"next {writer.sort(of)} {state} {value}")
    for _ in range(random.choice([0, 0, 1])):
        writer.line(f"constraint {writer.operation(1)}")
    if justice:
        for _ in range(random.choice([0, 0, 1])):
            writer.line(f"fair {writer.operation(1)}")
        wanted_nodes = [writer.operation(1) for _ in range(random.choice([1, 1, 2]))]
        writer.line(f"justice {len(wanted_nodes)} " + " ".join(map(str, wanted_nodes)))
    for number in range(random.choice([1, 2])):
        name = random.choice(["", f" p{number}"])
        bad = writer.operation(1)
        for state, of in states:
            if isinstance(of, int) and random.random() < 0.6:
                same = writer.node(1, f"eq {writer.sort(1)} {state} {writer.constant(of)}")
                bad = writer.node(1, f"and {writer.sort(1)} {bad} {same}")
        writer.line(f"bad {bad}{name}")
    return "\n".join(writer.lines) + "\n"


def system_of(text: str) -> FlatSystem:
    """The system of a model's text."""
    source = SourceText.of("model.btor2", text)
    return to_system(parse(source), source)
