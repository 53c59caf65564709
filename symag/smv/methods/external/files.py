"""The model as files for other model checkers, and their files as evidence about the model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from symag.core.errors import InputError, UnsupportedError
from symag.core.files import has_suffix
from symag.core.trace import Trace
from symag.smv.aiger.format import Aiger, ascii_text, binary_bytes
from symag.smv.aiger.reader import parse
from symag.smv.btor2.system import read as read_btor2
from symag.smv.btor2.witness import read_witness as read_btor2_witness
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import BitLiteral
from symag.smv.certificates.invariants import Induction, SharedBit, WitnessCircuit
from symag.smv.convert.aiger import AigerExport, bit_names, is_expressible, to_aiger
from symag.smv.convert.witness import run_of_witness
from symag.smv.methods.external.command_line import MODELS
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.symbolic.system import encode

#: The lines by which tools say that the property is violated; a witness begins with one of them.
VIOLATED = frozenset(("1", "sat"))

_BTOR2 = (".btor2", ".btor")


def witness_in(text: str) -> str | None:
    """The witness in a text, from a line ``1`` or ``sat`` to a line with a dot; None if there is none.

    The older form of AIGER (ABC's ``write_aiger_cex``) has no dot, and a line for each step: the latches before it,
    the inputs, the outputs, and the latches after it.
    """
    lines = [line.strip("\r") for line in text.splitlines()]
    start = next((number for number, line in enumerate(lines) if line.strip() in VIOLATED), None)
    if start is None:
        return None
    rest = [line.split(" ") for line in lines[start + 1 :] if line]
    if rest and all(len(columns) == 4 and not set("".join(columns)) - set("01x") for columns in rest):
        return "\n".join(["1", "b0", rest[0][0], *(columns[1] for columns in rest), ".", ""])
    lines = [line.strip() for line in lines[start:]]
    return "\n".join([*lines[: lines.index(".") + 1], ""]) if "." in lines else None


class AigerModel(Struct, frozen=True):
    """A property of a system as an AIGER file with one bad or justice literal."""

    system: FlatSystem
    exported: AigerExport

    @staticmethod
    def of(system: FlatSystem, checked: Property) -> AigerModel:
        """Raises UnsupportedError for a property that AIGER cannot express, InputError where evaluation can fail."""
        if not is_expressible(system, checked):
            raise UnsupportedError(f"{checked.kind} {checked.text} in AIGER")
        exported = to_aiger(system, [checked])
        if not exported.is_total:
            encode(system)  # it says what fails, if something does
        return AigerModel(system, exported)

    def write(self, folder: Path) -> None:
        """Write the binary and the ASCII file."""
        (folder / MODELS["{aiger}"]).write_bytes(binary_bytes(self.exported.graph))
        (folder / MODELS["{aag}"]).write_text(ascii_text(self.exported.graph))

    def traces(self, witness: str) -> Sequence[Trace]:
        """The run of a witness. Raises InputError."""
        return (run_of_witness(witness, "the witness", self.system, self.exported),)

    def circuit(self, content: bytes) -> Certificate:
        """The certificate in a witness circuit. Raises InputError."""
        witness = parse(content, "the certificate")
        model, meaning = self.exported.graph, self._meaning()
        latches = [latch.literal for latch in model.latches]
        mapped = any(name.startswith("=") for name in witness.symbols.values())

        def shared(letter: str, count: int, by_position: Sequence[int]) -> tuple[SharedBit | None, ...]:
            if not mapped:
                literals: Sequence[int | None] = [*by_position[:count], *[None] * (count - len(by_position))]
            else:
                literals = [_simulated(witness, letter, number) for number in range(count)]
            return tuple(None if literal is None else meaning.get(literal) for literal in literals)

        inputs, own = shared("i", len(witness.inputs), model.inputs), shared("l", len(witness.latches), latches)
        return WitnessCircuit(ascii_text(witness), inputs, own)

    def invariants(self, pla: str) -> Iterator[Certificate]:
        """The possible readings of the table of an inductive invariant (ABC's ``pdr -d``), as certificates.

        A row is a set of states that are never reached. ABC may or may not negate latches that start with 1, so
        there are two readings. Raises InputError.
        """
        graph = self.exported.graph
        ones = frozenset(latch.literal for latch in graph.latches if latch.reset == 1)
        for negated in (frozenset[int](), *([ones] if ones else [])):
            yield Induction(1, tuple(self._clauses(pla, negated)))

    def _clauses(self, pla: str, negated: Collection[int]) -> Iterator[tuple[BitLiteral, ...]]:
        graph, meaning = self.exported.graph, self._meaning()
        literal_of = {graph.symbols["l", number]: latch.literal for number, latch in enumerate(graph.latches)}
        names: list[str] = []
        for number, line in enumerate(pla.splitlines(), start=1):
            words = line.split()
            if words[:1] == [".ilb"]:
                names = words[1:]
            elif words and not line.startswith((".", "#")):
                if len(words) != 2 or len(words[0]) != len(names) or set(words[0]) - set("01-"):
                    raise InputError("expected a row of 0, 1 and - for the names after .ilb, and 1", "the PLA", number)
                row = [(literal_of.get(name, -1), digit) for name, digit in zip(names, words[0], strict=True)]
                row = [(literal, digit) for literal, digit in row if digit != "-"]
                # A row with a latch of the tool's own says nothing about the model.
                if all(literal in meaning for literal, _ in row):
                    yield tuple(
                        (*meaning[literal][:2], (digit == "0") != (literal in negated)) for literal, digit in row
                    )

    def _meaning(self) -> dict[int, SharedBit]:
        """The bit of the system that each input and latch of the graph is; those of the graph alone are left out."""
        graph = self.exported.graph
        own = set(graph.leaves)
        meaning: dict[int, SharedBit] = {
            literal: (name, index, False)
            for name, bits in self.exported.bits.items()
            for index, literal in enumerate(bits)
            if literal in own
        }
        following = {
            f"{bit}'": (variable.name, index, True)
            for variable in self.system.variables
            for index, bit in enumerate(bit_names(variable))
        }
        for number, literal in enumerate(graph.inputs):
            symbol = graph.symbols["i", number]
            if literal not in meaning and symbol in following:
                meaning[literal] = following[symbol]
        return meaning


def _simulated(witness: Aiger, letter: str, number: int) -> int | None:
    """The model's literal for an input or latch of a witness circuit, from its symbol, such as ``= 8``."""
    match = re.match(r"=\s*(\d{1,18})", witness.symbols.get((letter, number), ""))
    return None if match is None else int(match[1])


class Btor2Model(Struct, frozen=True):
    """A BTOR2 file with one property alone, of a system that was read from such a file."""

    text: str

    @staticmethod
    def of(system: FlatSystem, checked: Property) -> Btor2Model:
        """Raises UnsupportedError for a model in another language."""
        if not has_suffix(system.source.path, _BTOR2):
            raise UnsupportedError("{btor2} in --command for a model that is not in BTOR2")
        others = {other.line for other in system.properties if other is not checked}
        lines = system.source.text.split("\n")
        kept = [line for number, line in enumerate(lines, start=1) if number not in others]
        return Btor2Model("\n".join(kept))

    def write(self, folder: Path) -> None:
        """Write the file."""
        (folder / MODELS["{btor2}"]).write_text(self.text)

    def traces(self, witness: str, folder: Path) -> Sequence[Trace]:
        """The runs of a witness, one for each place where its loop can begin. Raises InputError."""
        alone = read_btor2(folder / MODELS["{btor2}"])
        _, traces = read_btor2_witness(witness, "the witness", alone, alone.properties[0])
        return traces
