"""The weakest safe assumption of a module by explicit subset construction, to judge the learner by.

Everything is enumerated from the module's diagrams, one full valuation at a time; the language U over
safe* . unsafe is represented as a map from words (up to a length) to membership and as the number of its
Nerode classes, by partition refinement on the subset automaton.
"""

from __future__ import annotations

import itertools

from symag.bdd.context import Bdd
from symag.smv.methods.by_parts.module import Module

Letter = tuple[bool, ...]
Subset = frozenset[tuple[bool, ...]]


class ExplicitModule:
    """A module's steps as explicit relations over (own state bits, letter)."""

    def __init__(self, module: Module) -> None:
        context = module.context
        self.module = module
        self.state_bits = sorted(module.state_bits)
        inputs = [bit for bit in module.own_bits if bit not in module.state_bits]
        following = {}
        for name in module.variables:
            pairs = zip(module.encoding.current[name], module.encoding.next.get(name, ()), strict=False)
            following.update(pairs)
        init, invar = context.conjunction(module.init), context.conjunction(module.invar)
        trans = context.conjunction(module.trans)
        hidden = [bit for bit in inputs if bit not in module.letter_bits]
        self.letters = [self._letter(bits) for bits in _all(module.letter_bits)]
        self.safe = {letter for letter in self.letters if self._holds(module.safe, module.letter_bits, letter)}
        self.unsafe = {letter for letter in self.letters if self._holds(module.unsafe, module.letter_bits, letter)}
        states = [tuple(bits) for bits in _all(self.state_bits)]
        self.shows: dict[Letter, Subset] = {}
        self.starts: dict[Letter, Subset] = {}
        self.steps: dict[Letter, dict[tuple[bool, ...], Subset]] = {}
        for letter in sorted(self.safe | self.unsafe):
            seen = dict(zip(module.letter_bits, letter, strict=True))
            consistent = [
                x for x in states if all(seen.get(b, v) == v for b, v in zip(self.state_bits, x, strict=True))
            ]
            shows = [x for x in consistent if self._meets(invar, {**seen, **self._now(x)})]
            self.shows[letter] = frozenset(shows)
            self.starts[letter] = frozenset(x for x in shows if self._meets(init, {**seen, **self._now(x)}))
            relation = {}
            for x in shows:
                image = context.exists(hidden, context.cofactor(trans, {**seen, **self._now(x)}))
                relation[x] = frozenset(y for y in states if self._meets(image, self._next(y, following, x)))
            self.steps[letter] = relation

    def _letter(self, bits: tuple[bool, ...]) -> Letter:
        return tuple(bits)

    def _now(self, state: tuple[bool, ...]) -> dict[str, bool]:
        return dict(zip(self.state_bits, state, strict=True))

    def _next(
        self, state: tuple[bool, ...], following: dict[str, str], before: tuple[bool, ...]
    ) -> dict[str, bool] | None:
        values = {}
        for bit, old, new in zip(self.state_bits, before, state, strict=True):
            then = following.get(bit, bit)
            if then == bit and old != new:
                return None  # a frozen bit keeps its value
            if then != bit:
                values[then] = new
        return values

    def _meets(self, diagram: Bdd, values: dict[str, bool] | None) -> bool:
        context = self.module.context
        return values is not None and context.cofactor(diagram, values) != context.false

    def _holds(self, diagram: Bdd, bits: tuple[str, ...], letter: Letter) -> bool:
        context = self.module.context
        return bool(context.cofactor(diagram, dict(zip(bits, letter, strict=True))) == context.true)

    def after(self, subset: Subset | None, letter: Letter) -> Subset:
        """The states after one more safe letter; None stands for the empty word's residual."""
        source = self.starts[letter] if subset is None else subset & self.shows[letter]
        return frozenset(y for x in source for y in self.steps[letter][x])

    def produces(self, subset: Subset | None, letter: Letter) -> bool:
        """Whether the unsafe letter can be shown now."""
        return bool(self.starts[letter] if subset is None else subset & self.shows[letter])

    def classes(self) -> int:
        """How many Nerode classes of safe words the language has (subset construction, then refinement)."""
        subsets: dict[Subset | None, int] = {None: 0}
        todo: list[Subset | None] = [None]
        edges: dict[Subset | None, dict[Letter, Subset]] = {}
        while todo:
            subset = todo.pop()
            edges[subset] = {letter: self.after(subset, letter) for letter in self.safe}
            for target in edges[subset].values():
                if target not in subsets:
                    subsets[target] = len(subsets)
                    todo.append(target)
        block = {s: hash(frozenset(b for b in self.unsafe if self.produces(s, b))) for s in subsets}
        while True:
            keys = {s: (block[s], tuple(block[edges[s][a]] for a in sorted(self.safe))) for s in subsets}
            numbers = {key: number for number, key in enumerate(dict.fromkeys(keys.values()))}
            refined = {s: numbers[keys[s]] for s in subsets}
            if len(set(refined.values())) == len(set(block.values())):
                return len(set(refined.values()))
            block = refined

    def in_language(self, word: tuple[Letter, ...]) -> bool:
        """Whether a word of safe* . unsafe is in U."""
        subset: Subset | None = None
        for letter in word[:-1]:
            subset = self.after(subset, letter)
        return self.produces(subset, word[-1])

    def words(self, length: int) -> list[tuple[Letter, ...]]:
        """All words of safe* . unsafe with this many letters."""
        return [(*w, b) for w in itertools.product(sorted(self.safe), repeat=length - 1) for b in sorted(self.unsafe)]


def _all(bits: list[str] | tuple[str, ...]) -> itertools.product[tuple[bool, ...]]:
    return itertools.product((False, True), repeat=len(bits))
