"""A module: the variables of one part with the constraints that the part owns, read along words.

The paper leaves open when a letter is read. The rules here:

- A letter is a valuation of the I/O variables that the module sees: foreign variables that it reads,
  own ones that others read, and the variables of the property. A letter is a cube of their current bits.
- A module state is a valuation of the module's own state and frozen bits. Own input variables have no
  place in a state; they are quantified, or part of the letter when others read them.
- Init and Invar constrain the letter of the state in which they hold; a run need not have a successor.
- A residual is the set of states that the module can be in before it reads the next letter; before the
  first letter Init is still to be applied, because it may read foreign variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext
from symag.core.trace import Value
from symag.smv.methods.by_parts.automaton import WordEnding
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.relational_product import RelationalProduct


class Residual(Struct, frozen=True, eq=False):
    """The module states after a word; ``first`` before any letter was read."""

    states: Bdd
    first: bool = False


class Suffix(Struct, frozen=True, eq=False):
    """The states that can produce a word that starts with the letter ``first``."""

    states: Bdd
    first: Bdd


def letter_cube(context: BddContext, letter_bits: Iterable[str], bits: Mapping[str, bool]) -> Bdd:
    """The letter over ``letter_bits`` that agrees with ``bits``; a bit that is not given is FALSE."""
    return context.cube({bit: bits.get(bit, False) for bit in letter_bits})


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One part of a system, ready for queries; it implements ``symag.learning.symbolic_table.Teacher``.

    ``variables`` are owned; ``letters`` are the I/O variables that the module sees, own and foreign;
    ``hidden`` are foreign variables that it reads but does not see: they may have any value at any time.
    ``init``, ``invar`` and ``trans`` are its conjuncts, ``safe`` and ``unsafe`` its valid letters;
    with ``look_ahead`` the endings of bad words are pairs of letters (``ending``).
    """

    context: BddContext
    encoding: Encoding
    variables: tuple[str, ...]
    letters: tuple[str, ...]
    hidden: tuple[str, ...]
    init: tuple[Bdd, ...]
    invar: tuple[Bdd, ...]
    trans: tuple[Bdd, ...]
    safe: Bdd
    unsafe: Bdd
    look_ahead: bool = False
    _products: dict[str, RelationalProduct] = field(default_factory=dict, repr=False)

    @property
    def own_bits(self) -> tuple[str, ...]:
        """Current bits of all owned variables, inputs included."""
        return self.encoding.current_bits(self.variables)

    @property
    def letter_bits(self) -> tuple[str, ...]:
        """Current bits of the variables that letters show."""
        return self.encoding.current_bits(self.letters)

    @property
    def private_bits(self) -> tuple[str, ...]:
        """Current bits of own and hidden variables that no letter shows."""
        return self.encoding.current_bits(self._private)

    @property
    def _private(self) -> tuple[str, ...]:
        """Own and hidden variables that no letter shows."""
        return tuple(name for name in (*self.variables, *self.hidden) if name not in self.letters)

    @property
    def next_bits(self) -> tuple[str, ...]:
        """Next bits of all owned variables."""
        return self.encoding.next_bits(self.variables)

    @property
    def passing_bits(self) -> tuple[str, ...]:
        """The bits that a transition quantifies: all current bits but those of the module's own frozen variables."""
        frozen = {name for name in self.variables if self._kind(name) is VariableKind.FROZEN}
        names = dict.fromkeys((*self.variables, *self.hidden, *self.letters))
        return self.encoding.current_bits(name for name in names if name not in frozen)

    @property
    def ending(self) -> WordEnding:
        """The form of the endings of words."""
        return WordEnding(self.encoding, self.ending_length)

    @property
    def ending_length(self) -> int:
        """The number of letters of an ending."""
        return 2 if self.look_ahead else 1

    def product(self, name: str, conjuncts: Sequence[Bdd], quantified: Sequence[str]) -> RelationalProduct:
        """The scheduled product with this name; made at its first use, then kept."""
        if name not in self._products:
            self._products[name] = RelationalProduct.of(self.context, conjuncts, quantified)
        return self._products[name]

    def initial(self) -> Residual:
        """The residual of the empty word."""
        foreign = [bit for bit in (*self.letter_bits, *self.private_bits) if bit not in self.state_bits]
        return Residual(self.context.exists(foreign, self.context.conjunction(self.init)), first=True)

    def started(self, residual: Residual) -> Bdd:
        """The residual's states, with Init (which may read letters) if the next letter is the first."""
        return residual.states & self.context.conjunction(self.init) if residual.first else residual.states

    def shown(self, states: Bdd) -> Bdd:
        """The states that satisfy Invar, with all bits that no letter shows quantified. Costs one product."""
        return self.product("shown", self.invar, self.private_bits).apply(states)

    def available(self, states: Bdd) -> Bdd:
        """The letters, safe or not, that these states can show."""
        return self.shown(states) & (self.safe | self.unsafe)

    def unsafe_letters(self, residual: Residual) -> Bdd:
        """The unsafe letters that the residual can show."""
        return self.shown(self.started(residual) & self.unsafe)

    def unsafe_endings(self, residual: Residual) -> Bdd:
        """The endings of bad words that the residual can show."""
        return self.endings(self.started(residual))

    def endings(self, states: Bdd) -> Bdd:
        """The endings of bad words (unsafe letters, or pairs of a safe and an unsafe one) from these states."""
        if not self.look_ahead:
            return self.shown(states & self.unsafe)
        following = [self.encoding.to_next(conjunct) for conjunct in (*self.invar, self.unsafe)]
        conjuncts = (*self.invar, self.safe, *self.trans, *following)
        step = self.product("endings", conjuncts, (*self.private_bits, *self.encoding.next_bits(self._private)))
        return step.apply(states)

    def successor(self, residual: Residual, letter: Bdd) -> Residual:
        """The residual after one more letter."""
        values = self.context.pick(letter)
        frozen = {bit: value for bit, value in values.items() if bit in self.frozen_bits}
        states = self.context.cofactor(self.started(residual), values)
        conjuncts = [self.context.cofactor(conjunct, values) for conjunct in (*self.invar, *self.trans)]
        image = RelationalProduct.of(self.context, conjuncts, self.passing_bits).apply(states)
        return Residual(self.encoding.to_current(image) & self.context.cube(frozen))

    def suffixes(self, word: Sequence[Bdd]) -> list[Suffix]:
        """At index k the suffix that starts with letter k; the state of the last letter needs no successor."""
        result: list[Suffix] = []
        after: Bdd | None = None
        for letter in reversed(word):
            values = self.context.pick(letter)
            conjuncts = [self.context.cofactor(conjunct, values) for conjunct in self.invar]
            readable = (*self.own_bits, *self.private_bits)
            quantified = [bit for bit in readable if bit not in self.state_bits]
            start = self.context.true
            if after is not None:
                conjuncts += [self.context.cofactor(conjunct, values) for conjunct in self.trans]
                start = self.context.cofactor(self.encoding.to_next(after), values)
                quantified += self.next_bits
            own = {bit: value for bit, value in values.items() if bit in self.state_bits}
            states = RelationalProduct.of(self.context, conjuncts, quantified).apply(start)
            after = states & self.context.cube(own)
            result.append(Suffix(after, letter))
        return result[::-1]

    def produces(self, residual: Residual, suffix: Suffix) -> bool:
        """Whether some state of the residual can produce the suffix."""
        meet = residual.states & suffix.states
        if residual.first:
            values = self.context.pick(suffix.first)
            meet = self.context.cofactor(meet, values)
            for conjunct in self.init:
                meet = meet & self.context.cofactor(conjunct, values)
        return bool(meet != self.context.false)

    def producing_letters(self, residual: Residual, suffix: Suffix) -> Bdd:
        """The letters after which the residual can produce the suffix."""
        step = self.product("letters", (*self.invar, *self.trans), (*self.private_bits, *self.next_bits))
        return step.apply(self.started(residual) & self.encoding.to_next(suffix.states))

    def pick(self, letters: Bdd) -> Bdd:
        """One letter as a cube of all letter bits; FALSE where the set leaves a choice."""
        return letter_cube(self.context, self.letter_bits, self.context.pick(letters))

    def run(self, word: Sequence[Bdd]) -> list[dict[str, Value]]:
        """One run of the module along a word that it can produce: own and hidden variables' values at each letter.

        Input variables have their value on the step that leaves the state (the last state: none, unless hidden).
        Raises ValueError if the module cannot produce the word.
        """
        suffixes = self.suffixes(word)
        states = [name for name in self.variables if self._kind(name) is not VariableKind.INPUT]
        inputs = [name for name in self.variables if self._kind(name) is VariableKind.INPUT]
        steps: list[dict[str, Value]] = []
        here = self.started(self.initial())
        read = frozenset(self.encoding.current_bits(dict.fromkeys((*self.variables, *self.hidden, *self.letters))))
        for position, (whole_letter, suffix) in enumerate(zip(word, suffixes, strict=True)):
            # Bits that only other modules see would stay in the states and contradict the next letter.
            letter = self.context.exists(self.context.support(whole_letter) - read, whole_letter)
            valuation = self.encoding.pick_values(here & suffix.states & letter, states)
            joint = self.encoding.valuation(valuation) & here & letter
            if position + 1 < len(word):
                for conjunct in (*self.invar, *self.trans, self.encoding.to_next(suffixes[position + 1].states)):
                    joint = joint & conjunct
                step = valuation | self.encoding.pick_values(joint, (*inputs, *self.hidden))
                joint = joint & self.encoding.valuation({name: step[name] for name in (*inputs, *self.hidden)})
                here = self.encoding.to_current(self.context.exists(self.passing_bits, joint))
            else:
                step = valuation | self.encoding.pick_values(joint & self.context.conjunction(self.invar), self.hidden)
            steps.append(step)
        return steps

    def _kind(self, name: str) -> VariableKind:
        return self.encoding.variables[name].kind

    @property
    def state_bits(self) -> frozenset[str]:
        """Current bits of the own state and frozen variables."""
        names = (name for name in self.variables if self._kind(name) is not VariableKind.INPUT)
        return frozenset(self.encoding.current_bits(names))

    @property
    def frozen_bits(self) -> frozenset[str]:
        """Bits of the own frozen variables, the same now and next."""
        names = (name for name in self.variables if self._kind(name) is VariableKind.FROZEN)
        return frozenset(self.encoding.current_bits(names))
