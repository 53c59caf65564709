"""Simulated runs, state by state: the first choice, a random one, or the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Protocol, TextIO

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.cli.nusmv.reports import input_texts, state_texts
from symag.cli.nusmv.streams import CommandError, Streams
from symag.core.errors import InputError
from symag.core.trace import Value
from symag.smv.model.typed import Expression
from symag.smv.symbolic.system import SymbolicSystem
from symag.smv.traversal.trace import SingleTransitions

Valuation = Mapping[str, Value]
#: Turns an assignment of bits into inputs and a state.
Decode = Callable[[Mapping[str, bool]], tuple[Valuation, Valuation]]


class StateChooser(Protocol):
    """Chooses the states of a run."""

    def initial(self) -> Valuation | None:
        """An initial state, None if there is none that satisfies the constraint."""

    def step(self, state: Valuation) -> tuple[Valuation, Valuation] | None:
        """Inputs and the next state; None if there is no such transition."""


class RunConstraints(Struct, frozen=True):
    """What a run has to satisfy: ``states`` is about the next state (and the inputs), ``steps`` about both states."""

    states: Expression | None = None
    steps: Expression | None = None


class SymbolicChooser(Struct, frozen=True):
    """``StateChooser`` by BDDs; ``shown`` is the most choices that a user is offered."""

    symbolic: SymbolicSystem
    constraints: RunConstraints
    mode: str
    random: Random
    shown: int
    streams: Streams
    input: TextIO | None

    def initial(self) -> Valuation | None:
        """See ``StateChooser``."""
        states = self.symbolic.initial_states() & self._predicate(self.constraints.states)
        if states == self.symbolic.context.false:
            return None
        names = self.symbolic.encoding.state_names()
        bits = self.symbolic.encoding.current_bits(names)
        decode = self.symbolic.encoding.decode
        return self._chosen(states, bits, lambda bits_of: ({}, decode(bits_of, names)))[1]

    def step(self, state: Valuation) -> tuple[Valuation, Valuation] | None:
        """See ``StateChooser``."""
        context, encoding = self.symbolic.context, self.symbolic.encoding
        transitions = SingleTransitions.of(self.symbolic)
        fixed = transitions.current(state)
        successors = context.cofactor(encoding.to_next(self._predicate(self.constraints.states)), fixed)
        for conjunct in (self._predicate(self.constraints.steps), *transitions.conjuncts):
            successors = successors & context.cofactor(conjunct, fixed)
        if successors == context.false:
            return None
        bits = (*encoding.current_bits(transitions.inputs), *encoding.next_bits(transitions.state))

        def decoded(assignment: Mapping[str, bool]) -> tuple[Valuation, Valuation]:
            full = {**fixed, **assignment}
            return encoding.decode(full, transitions.inputs), encoding.decode(full, transitions.state, primed=True)

        return self._chosen(successors, bits, decoded)

    def _predicate(self, constraint: Expression | None) -> Bdd:
        if constraint is None:
            return self.symbolic.context.true
        try:
            return self.symbolic.predicate(constraint)
        except InputError as error:
            raise wrong_constraint(error.message) from None

    def _chosen(self, states: Bdd, bits: Sequence[str], decode: Decode) -> tuple[Valuation, Valuation]:
        if self.mode == "first":
            return decode(self.symbolic.context.pick(states))
        if self.mode == "random":
            return decode(self._random_assignment(states, bits))
        choices = []
        for assignment in self.symbolic.context.valuations(states, bits):
            choices.append(decode(assignment))
            if len(choices) == self.shown:
                break
        return choices[self._user_choice(choices)]

    def _random_assignment(self, states: Bdd, bits: Iterable[str]) -> dict[str, bool]:
        """An assignment with every bit drawn at random, unless only one value is possible."""
        context = self.symbolic.context
        assignment: dict[str, bool] = {}
        for bit in bits:
            value = self.random.random() < 0.5
            rest = context.cofactor(states, {bit: value})
            if rest == context.false:
                value = not value
                rest = context.cofactor(states, {bit: value})
            assignment[bit] = value
            states = rest
        return assignment

    def _user_choice(self, choices: Sequence[tuple[Valuation, Valuation]]) -> int:
        """The number of the user's choice. Raises CommandError at the end of input."""
        system = self.symbolic.source
        shown = state_texts(system, [state for _, state in choices], defines=True)
        streams = self.streams
        streams.line("\n***************  AVAILABLE STATES  *************")
        for number, ((inputs, _), texts) in enumerate(zip(choices, shown, strict=True)):
            streams.line("  \n  ================= State =================")
            if not inputs:
                streams.line(f"  {number}) -------------------------")
            for name, text in texts.items():
                streams.line(f"  {name} = {text}")
            if inputs:
                streams.line(f"    \n    This state is reachable through:\n    {number}) -------------------------")
                for name, text in input_texts(system, inputs).items():
                    streams.line(f"    {name} = {text}")
            streams.line("  ")
        last = len(choices) - 1
        if last == 0:
            streams.write("\nThere's only one available state. Press Return to Proceed.")
            self._answer()
            streams.line("\nChosen state is: 0")
            return 0
        while True:
            streams.write(f"\nChoose a state from the above (0-{last}): ")
            text = self._answer() or "0"
            if text.isdecimal() and int(text) <= last:
                streams.line(f"\nChosen state is: {int(text)}")
                return int(text)

    def _answer(self) -> str:
        """The user's line. Raises CommandError at the end of input."""
        self.streams.flush()
        line = "" if self.input is None else self.input.readline()
        if not line:
            raise CommandError("No state was chosen.")
        return line.strip()


def wrong_constraint(message: str) -> CommandError:
    """The error of a constraint of the command line whose evaluation can fail."""
    return CommandError(f"\nfile <command-line>: line 1: {message}")
