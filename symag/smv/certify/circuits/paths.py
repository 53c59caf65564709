"""A path of several steps as one circuit: copies of a circuit over current and next values, joined end to end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import TRUE, Circuit
from symag.smv.certify.circuits.defined_bits import DefinedBits


class Path:
    """Signals over the current and next values of an encoder's variables, read at the states of a path.

    All signals are made in the encoder before they are used here; ``names`` are the variables that they read. Inputs
    and arbitrary values are fresh at every state. ``initial`` and ``transitions`` are to be required of the first state
    and of every step: a bit that they define is no variable of a state, but the signal that it is equal to.
    """

    def __init__(
        self,
        encoder: Encoder,
        names: Iterable[str],
        defined: DefinedBits,
        initial: Iterable[int],
        transitions: Iterable[int],
    ) -> None:
        self.circuit = Circuit()
        self._encoder = encoder
        self._names = sorted(names)
        #: The current bit of each next bit; frozen variables have none.
        self._now: dict[int, int] = {}
        for name in self._names:
            pairs = zip(encoder.bits(name, True), encoder.bits(name, False), strict=True)
            self._now |= {after: now for after, now in pairs if after != now}
        current = {bit for name in self._names for bit in encoder.bits(name, False)}
        given = (pair for signal in initial for pair in defined.of(signal))
        self._constants = {bit: signal for bit, signal in given if bit in current and abs(signal) == TRUE}
        given = (pair for signal in transitions for pair in defined.of(signal))
        self._functions = {
            self._now[bit]: signal for bit, signal in given if bit in self._now and not defined.reads_next(signal)
        }
        self._bits: list[dict[int, int]] = []
        self._copies: list[dict[int, int]] = []

    def at(self, signal: int, step: int) -> int:
        """A signal, its current values read in state ``step``, its next values in the state after it."""
        return self.all_at([signal], step)[0]

    def all_at(self, signals: Sequence[int], step: int) -> list[int]:
        """Several signals, each as by ``at``."""
        copies, gates, circuit = self._copies_at(step), self._encoder.circuit.gates, self.circuit
        for member in self._encoder.circuit.cone(signals, skip=copies):
            match gates[member]:
                case ("and", a, b):
                    copies[member] = circuit.conjunction(self._copy(a, step), self._copy(b, step))
                case ("xor", a, b):
                    copies[member] = circuit.exclusive(self._copy(a, step), self._copy(b, step))
                case ("ite", condition, a, b):
                    copies[member] = circuit.choice(
                        self._copy(condition, step), self._copy(a, step), self._copy(b, step)
                    )
        return [self._copy(signal, step) for signal in signals]

    def differ(self, names: Sequence[str], step: int, other: int) -> int:
        """Whether two states have different values of one of these variables."""
        signals = [bit for name in names for bit in self._encoder.bits(name, False)]
        pairs = zip(self.all_at(signals, step), self.all_at(signals, other), strict=True)
        return self.circuit.any([self.circuit.exclusive(*pair) for pair in pairs])

    def _copies_at(self, step: int) -> dict[int, int]:
        """The copies at a state: at least those of TRUE and of the current bits."""
        while len(self._copies) <= step:
            self._copies.append({TRUE: TRUE, **self._state(len(self._copies))})
        return self._copies[step]

    def _copy(self, signal: int, step: int) -> int:
        copies = self._copies[step]
        positive = abs(signal)
        if positive not in copies:
            if positive in self._now:
                after = self._state(step + 1)
                copies.update((bit, after[now]) for bit, now in self._now.items())
            else:
                copies[positive] = self.circuit.input()
        return copies[positive] if signal > 0 else -copies[positive]

    def _state(self, number: int) -> dict[int, int]:
        """Signals for the bits in a state; frozen variables keep those of the first."""
        while len(self._bits) <= number:
            last = len(self._bits) - 1
            values = dict(self._constants) if last < 0 else dict(self._bits[0])
            if last >= 0:
                functions = self._functions
                values.update(zip(functions, self.all_at(list(functions.values()), last), strict=True))
                values.update((now, self.circuit.input()) for now in self._now.values() if now not in functions)
            for name in self._names:
                for bit in self._encoder.bits(name, False):
                    if bit not in values:
                        values[bit] = self.circuit.input()
            self._bits.append(values)
        return self._bits[number]


class OneStep(Path):
    """A path of one step: the encoder's circuit itself. ``following`` are the signals of its second state."""

    def __init__(self, encoder: Encoder, following: Mapping[int, int]) -> None:
        super().__init__(encoder, (), DefinedBits(encoder), (), ())
        self.circuit = encoder.circuit
        self._following = following

    def all_at(self, signals: Sequence[int], step: int) -> list[int]:
        """See ``Path``."""
        return list(signals) if step == 0 else [self._following[signal] for signal in signals]
