"""And-inverter graphs from the signals of a circuit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from symag.smv.aiger.format import Aiger, AigerLatch, SymbolKey
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.convert.gates import AndGates


@dataclass(slots=True)
class GraphLatch:
    """A latch before it has literals: its signal, that of its next value, and its value at the start (None: any)."""

    name: str
    signal: int
    next: int
    reset: int | None


@dataclass(slots=True)
class GraphParts:
    """The parts of a graph as signals: inputs, bad signals and lists of justice signals with their symbols, latches,
    constraints and fairness. ``meanings`` are the signals that define inputs of the circuit.
    """

    inputs: list[tuple[str, int]] = field(default_factory=list)
    latches: list[GraphLatch] = field(default_factory=list)
    meanings: dict[int, int] = field(default_factory=dict)
    constraints: list[int] = field(default_factory=list)
    bad: list[tuple[str, int]] = field(default_factory=list)
    justice: list[tuple[str, Sequence[int]]] = field(default_factory=list)
    fairness: list[int] = field(default_factory=list)

    def assembled(self, circuit: Circuit, named: Collection[int], comments: Sequence[str]) -> tuple[AndGates, Aiger]:
        """The gates and the graph. Each signal of ``named`` that is read must be an input, a latch or defined."""

        def meaning(signal: int) -> int | None:
            if signal not in self.meanings and signal in named:
                raise AssertionError("a variable's bit is read and has no literal")
            return self.meanings.get(signal)

        gates = AndGates(circuit, meaning)
        inputs = tuple(gates.place(signal) for _, signal in self.inputs)
        own = [gates.place(latch.signal) for latch in self.latches]
        latches = tuple(
            AigerLatch(literal, gates.literal(latch.next), literal if latch.reset is None else latch.reset)
            for literal, latch in zip(own, self.latches, strict=True)
        )
        conjuncts = dict.fromkeys(gates.literal(signal) for signal in self.constraints)
        conjuncts.pop(1, None)
        symbols: dict[SymbolKey, str] = {("i", number): name for number, (name, _) in enumerate(self.inputs)}
        symbols.update((("l", number), latch.name) for number, latch in enumerate(self.latches))
        symbols.update((("b", number), name) for number, (name, _) in enumerate(self.bad))
        symbols.update((("j", number), name) for number, (name, _) in enumerate(self.justice))
        bad = tuple(gates.literal(signal) for _, signal in self.bad)
        justice = tuple(tuple(map(gates.literal, signals)) for _, signals in self.justice)
        fairness = tuple(gates.literal(signal) for signal in self.fairness)
        graph = Aiger(
            maximum=gates.next_number - 1,
            inputs=inputs,
            latches=latches,
            outputs=(),
            ands=gates.ands,
            bad=bad,
            constraints=tuple(conjuncts),
            justice=justice,
            fairness=fairness,
            symbols=symbols,
            comments=tuple(comments),
        )
        return gates, graph
