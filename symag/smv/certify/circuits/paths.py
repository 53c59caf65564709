"""Paths of several steps as one circuit: copies of the circuit over current and next values, joined end to end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit


class Path:
    """Signals over the current and next values of an encoder's variables, read at the states of a path.

    All signals are made in the encoder before they are used here; ``names`` are the variables that they read. Inputs
    and arbitrary values are fresh at every state.
    """

    def __init__(self, encoder: Encoder, names: Iterable[str]) -> None:
        self.circuit = Circuit()
        self._encoder = encoder
        self._names = sorted(names)
        self._bits: list[dict[int, int]] = []
        self._copies: list[dict[int, int]] = []

    def at(self, signal: int, step: int) -> int:
        """A signal, its current values read in state ``step``, its next values in the state after it."""
        while len(self._copies) <= step:
            self._copies.append(self._joined(len(self._copies)))
        copies, gates, circuit = self._copies[step], self._encoder.circuit.gates, self.circuit
        for member in self._encoder.circuit.cone([signal], skip=copies):
            match gates[member]:
                case ("and", a, b):
                    copies[member] = circuit.conjunction(self._copy(a, step), self._copy(b, step))
                case ("xor", a, b):
                    copies[member] = circuit.exclusive(self._copy(a, step), self._copy(b, step))
                case ("ite", condition, a, b):
                    copies[member] = circuit.choice(
                        self._copy(condition, step), self._copy(a, step), self._copy(b, step)
                    )
        return self._copy(signal, step)

    def all_at(self, signals: Iterable[int], step: int) -> list[int]:
        """Several signals, each as by ``at``."""
        return [self.at(signal, step) for signal in signals]

    def differ(self, names: Sequence[str], step: int, other: int) -> int:
        """Whether two states have different values of one of these variables."""
        signals = [bit for name in names for bit in self._encoder.bits(name, False)]
        pairs = zip(self.all_at(signals, step), self.all_at(signals, other), strict=True)
        return self.circuit.any([self.circuit.exclusive(*pair) for pair in pairs])

    def _copy(self, signal: int, step: int) -> int:
        copies = self._copies[step]
        positive = abs(signal)
        if positive not in copies:
            copies[positive] = self.circuit.input()
        return copies[positive] if signal > 0 else -copies[positive]

    def _joined(self, step: int) -> dict[int, int]:
        """The copies of TRUE and of all current and next bits; next bits are the current bits of the next state."""
        copies = {1: 1}
        for number, primed in ((step, False), (step + 1, True)):
            while len(self._bits) <= number:
                self._bits.append(self._state(len(self._bits)))
            for name in self._names:
                current = self._encoder.bits(name, False)
                for now, bit in zip(current, self._encoder.bits(name, primed), strict=True):
                    copies[bit] = self._bits[number][now]
        return copies

    def _state(self, number: int) -> dict[int, int]:
        """Signals for the bits in a state; frozen variables keep those of the first."""
        signals = {}
        for name in self._names:
            frozen = self._encoder.bits(name, False) == self._encoder.bits(name, True)
            for bit in self._encoder.bits(name, False):
                signals[bit] = self._bits[0][bit] if frozen and number > 0 else self.circuit.input()
        return signals


class OneStep(Path):
    """A path of one step: the encoder's circuit itself. ``following`` are the signals of its second state."""

    def __init__(self, encoder: Encoder, following: Mapping[int, int]) -> None:
        super().__init__(encoder, ())
        self.circuit = encoder.circuit
        self._following = following

    def at(self, signal: int, step: int) -> int:
        """See ``Path``."""
        return signal if step == 0 else self._following[signal]
