"""One module of Rule-G with its learner. Both forms of ASCV_G use it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.core.trace import Value
from symag.learning.symbolic_table import Conjecture, SymbolicTable
from symag.smv.methods.by_parts.ascv.premise import ModuleExploration
from symag.smv.methods.by_parts.automaton import StateBits, SymbolicAutomaton, strengthened
from symag.smv.methods.by_parts.module import Module, Residual, Suffix
from symag.smv.symbolic.relational_product import RelationalProduct


class RuleProof(Struct, frozen=True, eq=False):
    """The assumptions satisfy the rule; ``explorations[i]`` pairs module i with its assumption."""

    assumptions: tuple[Conjecture, ...]
    explorations: tuple[ModuleExploration, ...]
    by_edge_deletion: bool = False


class ViolatingWord(Struct, frozen=True, eq=False):
    """A word over the I/O bits along which the composition has a run that violates the property."""

    word: tuple[Bdd, ...]
    by_early_falsification: bool = False


class SpuriousWord(Struct, frozen=True, eq=False):
    """A word that every module can produce and the composition cannot, because letters hide variables."""

    word: tuple[Bdd, ...]


#: Yields the largest number of states of an assumption before each round, and returns the outcome.
Rounds = Generator[int, None, RuleProof | ViolatingWord | SpuriousWord]


@dataclass(eq=False)
class SearchedModule:
    """One module with its assumption and the search of their pairs.

    ``judged`` are the unsafe endings that the last premise has seen.
    """

    module: Module
    bits: StateBits
    conjecture: Conjecture = field(init=False)
    automaton: SymbolicAutomaton = field(init=False)
    exploration: ModuleExploration = field(init=False)
    judged: Bdd = field(init=False)

    def begin(self, conjecture: Conjecture) -> None:
        """Begin the search anew with a conjecture."""
        self.conjecture = conjecture
        self.automaton = SymbolicAutomaton.of(self.module.context, self.bits, conjecture)
        self.exploration = ModuleExploration(self.module, self.automaton, self.module.letter_bits)
        self.judged = self.module.context.false

    @property
    def states(self) -> int:
        """The size of the conjecture."""
        return len(self.conjecture.edges)

    def strengthened(self) -> Conjecture:
        """The strongest assumption with these states (after edge deletion), by what the search has seen so far."""
        return strengthened(
            self.module.context, self.bits, self.conjecture, self.exploration.available(), self.exploration.unsafe
        )


@dataclass(eq=False)
class ModuleLearner(SearchedModule):
    """A module with its learner; ``suspected``: early falsification has had its turn since the last refinement."""

    table: SymbolicTable[Residual, Suffix] = field(init=False)
    suspected: bool = field(init=False)

    def __post_init__(self) -> None:
        self.table = SymbolicTable(self.module)
        self._restart()

    def refine(self, word: Sequence[Bdd]) -> None:
        """Learn from a word and begin the search anew."""
        self.table.refine(word)
        self._restart()

    def _restart(self) -> None:
        self.begin(self.table.conjecture())
        self.suspected = False

    @property
    def forbidden(self) -> Bdd:
        """Endings of bad words that the module shows and the conjecture allows: violations of premise 1."""
        return self.exploration.unsafe & ~self.automaton.rejects

    def violation(self) -> list[Bdd]:
        """A shortest word with an ending in ``forbidden``, which is not empty."""
        word = self.exploration.word_to(self.forbidden, self.module.letter_bits)
        if word is None:
            raise AssertionError("the module shows a letter at no position")
        return word

    def without_forbidden(self) -> Conjecture:
        """The conjecture that also rejects what the complete search has shown: edge deletion as the paper prints it."""
        context = self.module.context
        forbidden = self.forbidden
        rejects = tuple(
            rejected | context.exists(self.bits.current, forbidden & self.bits.state(state))
            for state, rejected in enumerate(self.conjecture.rejects)
        )
        return Conjecture(self.conjecture.edges, rejects)


def run_of(module: Module, conjecture: Conjecture, word: Sequence[Bdd]) -> tuple[str, ...]:
    """The states of a module's assumption along a word (cubes of at least its letter bits), as text."""
    length = module.ending.length
    if len(word) < length:
        return ("0",) * len(word)
    ending = module.ending.diagram(word[-length:], module.letter_bits)
    return conjecture.run_to(word, ending, length)


def produces(module: Module, word: Sequence[Bdd]) -> bool:
    """Whether the module has a run along a word (cubes of at least its own letter bits)."""
    return module.produces(module.initial(), module.suffixes(word)[0])


def shown_along_a_run(module: Module, word: Sequence[Bdd]) -> list[Bdd]:
    """For a word of safe* . unsafe that the module shows: sets of letters around its letters, over its letter bits.

    With the states of a run fixed, which letters it can read there is a question for each step alone. So one run stands
    for all words with one letter of each set, a product of sets that can be exponentially large.

    The module shows every word with one letter of each set; all letters but the last are safe, and the last is not.
    Costs one run and one relational product for each letter.
    """
    context = module.context
    own_letters = [bit for bit in module.letter_bits if bit in module.state_bits]
    states = [_state(module, values) for values in module.run(word)]
    result = []
    for position, state in enumerate(states):
        conjuncts = [*module.invar, *(module.init if position == 0 else ())]
        quantified = list(module.private_bits)
        assignment = dict(state)
        if position + 1 < len(states):
            conjuncts += module.trans
            assignment.update(_following(module, states[position + 1]))
        concrete = [context.cofactor(conjunct, assignment) for conjunct in conjuncts]
        start = (module.unsafe if position + 1 == len(states) else module.safe) & context.cube(
            {bit: state[bit] for bit in own_letters}
        )
        result.append(RelationalProduct.of(context, concrete, quantified).apply(start))
    return result


def _state(module: Module, values: dict[str, Value]) -> dict[str, bool]:
    """The bits of the own state and frozen variables."""
    own = {name: value for name, value in values.items() if name in module.variables}
    chosen = module.context.pick(module.encoding.valuation(own))
    return {bit: value for bit, value in chosen.items() if bit in module.state_bits}


def _following(module: Module, state: dict[str, bool]) -> dict[str, bool]:
    """The same values for the next bits; frozen bits have none of their own."""
    result = {}
    for name in module.variables:
        pairs = zip(module.encoding.current[name], module.encoding.next.get(name, ()), strict=False)
        result.update({then: state[now] for now, then in pairs if now in state and then != now})
    return result
