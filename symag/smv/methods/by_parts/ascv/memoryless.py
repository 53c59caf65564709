"""The strongest assumption of Rule-S that remembers nothing: one module shows no letters but those of a set.

The set has the letters that the module can show after words of safe letters. No assumption that remembers nothing
suffices if this one does not: premise 2 allows no smaller set, and a larger one helps premise 1 less. As an automaton
it has two states: in the first all is as assumed, in the second any unsafe letter is rejected.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from types import MappingProxyType

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.learning.symbolic_table import Conjecture
from symag.smv.methods.by_parts.ascv.ascv_s import ProvedByRuleS
from symag.smv.methods.by_parts.ascv.premise import ModuleExploration
from symag.smv.methods.by_parts.automaton import StateBits, SymbolicAutomaton
from symag.smv.methods.by_parts.module import Module

#: A search whose pairs need more nodes is given up: the attempt must cost little beside learning.
NODES = 2_000

_FIGURES: Mapping[str, int] = MappingProxyType({"membership_queries": 0, "equivalence_queries": 1})


class Memoryless:
    """One run of the attempt; the same contract as ``AscvS``, but it may end without an outcome."""

    def __init__(
        self, first: Module, second: Module, letter_bits: Sequence[str], progress: Progress, name: str = ""
    ) -> None:
        self._modules = (first, second)
        self._letter_bits = letter_bits
        self._progress = progress
        self.bits = StateBits(first.context, f"{name}A")
        self.conjecture = Conjecture((((0, first.safe),),), (first.context.false,))

    @property
    def states(self) -> int:
        """The size of the assumption."""
        return len(self.conjecture.edges)

    @property
    def figures(self) -> Mapping[str, int]:
        """Cost, by the names of the statistics: it learns nothing."""
        return _FIGURES

    def rounds(self) -> Generator[int, None, ProvedByRuleS | None]:
        """The proof, if the assumption suffices and is small."""
        yield self.states
        proof = memoryless(*self._modules, self.bits, self._letter_bits, self._progress)
        if proof is not None:
            self.conjecture = proof.assumption
        return proof


def memoryless(
    first: Module, second: Module, bits: StateBits, letter_bits: Sequence[str], progress: Progress
) -> ProvedByRuleS | None:
    """The proof by such an assumption about ``second``; None if it does not suffice or becomes too large.

    Costs a search of ``second`` alone, and one of ``first`` with the letters of the set.
    """
    context = first.context
    bits.reserve(2)
    other = _searched(second, first.safe, bits, letter_bits, progress)
    if other is None:
        return None
    shown = context.exists(bits.current, other.available())
    own = _searched(first, first.safe & shown, bits, letter_bits, progress, stop=shown)
    if own is None:
        return None
    # Letters that neither module shows may be in the set or not: the smaller diagram.
    seen = context.exists(bits.current, own.available())
    allowed = context.restrict(shown, seen | shown)
    edges = (
        tuple((target, letters) for target, letters in ((0, first.safe & allowed), (1, first.safe & ~allowed))),
        ((1, first.safe),),
    )
    rejects = (first.unsafe & ~allowed, first.unsafe)
    reached = (own.reached & bits.state(0) | bits.state(1), other.reached & bits.state(0))
    return ProvedByRuleS(Conjecture(edges, rejects), reached)


def _searched(
    module: Module,
    letters: Bdd,
    bits: StateBits,
    letter_bits: Sequence[str],
    progress: Progress,
    stop: Bdd | None = None,
) -> ModuleExploration | None:
    """The module along words of these letters; None if it becomes too large or shows an unsafe letter in ``stop``."""
    context = module.context
    conjecture = Conjecture((((0, letters),),), (context.false,))
    exploration = ModuleExploration(module, SymbolicAutomaton.of(context, bits, conjecture), letter_bits)
    while not exploration.complete:
        if stop is not None and exploration.unsafe & stop != context.false:
            return None
        if context.size(exploration.reached) > NODES:
            return None
        exploration.advance()
        line = f"an assumption that remembers nothing: ring {len(exploration.rings) - 1}"
        progress(ProgressFigures(line, {"assumption_states": 2, **_FIGURES}))
    return exploration
