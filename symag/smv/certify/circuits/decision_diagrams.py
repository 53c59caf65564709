"""Circuits as BDDs in a context of certify's own, for questions about large sets and for searches."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from symag.core.limits import Deadline
from symag.smv.certify.circuits import circuit as circuits
from symag.smv.certify.circuits.circuit import TRUE, Circuit
from symag.smv.certify.circuits.packages import new_manager

#: A reference to a node of a BDD manager; dd has no type annotations.
Bdd = Any
#: Conjuncts are joined beforehand until their conjunction has this many nodes. With 1,000 some products of two grow
#: large before they are given up (pipe_fj_8 0.12 instead of 0.06 s, msi5 of the paper's suite 0.20 instead of 0.16);
#: with 200 the joins are more (brp of NuSMV's suite 0.063 instead of 0.056 s).
_CLUSTER_NODES = 400


class TooMuchMemoryError(Exception):
    """The diagrams need more memory than the caller allows."""


class DecisionDiagrams:
    """The BDDs of a circuit's signals; the variable order is that in which inputs are declared or first used."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        manager = new_manager(circuit.package)
        self._manager, self._product, self._simplified = manager.diagrams, manager.product, manager.simplified
        self._limited = manager.limited
        self._known: dict[int, Bdd] = {TRUE: self._manager.true}

    @contextlib.contextmanager
    def within(self, memory: int) -> Iterator[None]:
        """Operations inside raise TooMuchMemoryError when they need more memory, in bytes, if the diagrams are CUDD's.

        The diagrams are not to be used after that.
        """
        self._limited(memory)
        try:
            yield
        except (RuntimeError, ValueError) as error:
            # CUDD returns NULL then: dd's ``apply`` raises RuntimeError, its operators ValueError.
            if not any(word in str(error) for word in ("NULL", "failed", "memory")):
                raise
            raise TooMuchMemoryError from error
        finally:
            self._limited(None)

    @property
    def true(self) -> Bdd:
        """The valid formula."""
        return self._manager.true

    @property
    def false(self) -> Bdd:
        """The unsatisfiable formula."""
        return self._manager.false

    def declare(self, inputs: Iterable[int]) -> None:
        """Put input signals at the end of the variable order; those that are in it already stay."""
        for signal in inputs:
            if signal not in self._known:
                self._manager.declare(f"s{signal}")
                self._known[signal] = self._manager.var(f"s{signal}")

    def of(self, signal: int) -> Bdd:
        """The BDD of a signal."""
        gates, known, manager = self._circuit.gates, self._known, self._manager
        kinds, first, second, third = gates.kinds, gates.first, gates.second, gates.third
        for number in self._circuit.cone([signal], skip=known):
            # In the order of a gate's operands, in which new inputs come into the variable order.
            operands = [self._literal(first[number]), self._literal(second[number])]
            match kinds[number]:
                case circuits.AND:
                    known[number] = operands[0] & operands[1]
                case circuits.XOR:
                    known[number] = manager.apply("xor", *operands)
                case circuits.ITE:
                    known[number] = manager.ite(*operands, self._literal(third[number]))
        return self._literal(signal)

    def choice(self, condition: Bdd, high: Bdd, low: Bdd) -> Bdd:
        """``high`` where ``condition`` is true, else ``low``."""
        return self._manager.ite(condition, high, low)

    def size(self, formula: Bdd) -> int:
        """The number of nodes of a formula."""
        return _size(formula)

    def inputs(self, formula: Bdd) -> set[int]:
        """The input signals that the formula depends on."""
        return {int(name[1:]) for name in self._manager.support(formula)}

    def projected(self, formula: Bdd, inputs: Iterable[int]) -> Bdd:
        """The formula with all inputs but the given ones quantified away existentially."""
        kept = {f"s{signal}" for signal in inputs}
        return self._manager.exist(sorted(self._manager.support(formula) - kept), formula)

    def name(self, signal: int) -> str:
        """The name of a declared input's variable."""
        self.declare([signal])
        return f"s{signal}"

    def variable(self, name: str) -> Bdd:
        """The formula that one variable is true."""
        return self._manager.var(name)

    def equal(self, one: str, other: str) -> Bdd:
        """The formula that two variables are equal."""
        return ~self._manager.apply("xor", self._manager.var(one), self._manager.var(other))

    def support(self, formula: Bdd) -> frozenset[str]:
        """The names of the variables that the formula depends on."""
        return frozenset(self._manager.support(formula))

    def exists(self, names: Iterable[str], formula: Bdd) -> Bdd:
        """The formula with variables quantified away existentially."""
        return self._manager.exist(set(names), formula)

    def for_all(self, names: Iterable[str], formula: Bdd) -> Bdd:
        """The formula with variables quantified away universally."""
        return self._manager.forall(set(names), formula)

    def replaced(self, formula: Bdd, by: Mapping[str, Bdd | bool]) -> Bdd:
        """The formula with variables replaced, all at once, by formulas (or all by truth values)."""
        return self._manager.let(dict(by), formula) if by else formula

    def conjunction(self, formulas: Iterable[Bdd]) -> Bdd:
        """The conjunction of any number of formulas."""
        product = self.true
        for formula in formulas:
            product = product & formula
        return product

    def schedule(
        self, conjuncts: Sequence[Bdd], known: Iterable[str], kept: Iterable[str]
    ) -> tuple[frozenset[str], tuple[tuple[Bdd, frozenset[str]], ...]]:
        """How to conjoin a formula over the variables ``known`` with all conjuncts: the variables to quantify away
        beforehand, and clusters of conjuncts, each with the variables to quantify with it. ``kept`` are not quantified.
        """
        rest = self._clusters(conjuncts)
        supports = [self.support(conjunct) for conjunct in rest]
        after, seen = set(kept), set(known)
        early = frozenset(seen.difference(after, *supports))
        steps = greedy_order(supports, seen - early, after)
        return early, tuple((rest[index], finished) for index, finished in steps)

    def product(self, a: Bdd, b: Bdd, quantified: Iterable[str]) -> Bdd:
        """The conjunction of two formulas, with variables quantified away existentially."""
        return self._product(a, b, set(quantified))

    def simplified(self, formula: Bdd, care: Bdd) -> Bdd:
        """A formula that is this one where ``care`` is true, without further variables; if possible a smaller one.

        Source: Coudert, Madre, "A unified framework for the formal verification of sequential circuits" (ICCAD 1990).
        """
        return formula if care in (self.true, self.false) else self._simplified(formula, care)

    def is_satisfiable(self, first: Bdd, conjuncts: Sequence[Bdd], last: Bdd, deadline: Deadline) -> bool:
        """Whether some valuation satisfies ``first``, all conjuncts and ``last``.

        They are conjoined in this order, the conjuncts in a greedy one; every variable is quantified away as soon as no
        formula that is left mentions it. Raises OutOfTimeError.
        """
        after = self.support(last)
        early, steps = self.schedule(conjuncts, self.support(first), after)
        product = self.exists(early, first)
        for conjunct, finished in steps:
            deadline.check()
            product = self.product(product, conjunct, finished)
        return bool(self.product(product, last, after) != self.false)

    def _clusters(self, conjuncts: Sequence[Bdd]) -> list[Bdd]:
        """Fewer conjuncts with the same conjunction."""
        clusters: list[Bdd] = []
        for conjunct in conjuncts:
            if conjunct == self.true:
                continue
            if clusters and _size(clusters[-1]) + _size(conjunct) < _CLUSTER_NODES:
                together = clusters[-1] & conjunct
                if _size(together) < _CLUSTER_NODES:
                    clusters[-1] = together
                    continue
            clusters.append(conjunct)
        return clusters

    def _literal(self, signal: int) -> Bdd:
        """The BDD of a signal whose gate has one, or of an input."""
        number = abs(signal)
        if number not in self._known:
            self.declare([number])
        return self._known[number] if signal > 0 else ~self._known[number]


def greedy_order(
    supports: Sequence[Collection[str]], known: Iterable[str], kept: Iterable[str]
) -> list[tuple[int, frozenset[str]]]:
    """An order of the conjuncts with these supports, each with the variables that no later one mentions.

    Next is the conjunct with the fewest new variables, beside the ``known`` ones and those of earlier conjuncts, less
    those that can be quantified with it; ``kept`` are not quantified. Quadratic in the number of conjuncts.
    """
    seen, after = set(known), frozenset(kept)
    #: The conjuncts that are left and mention a variable.
    readers: dict[str, set[int]] = {}
    for index, support in enumerate(supports):
        for name in support:
            readers.setdefault(name, set()).add(index)
    # Of each conjunct: how many of its variables are new, and how many can be quantified with it.
    new = [sum(name not in seen for name in support) for support in supports]
    last = Counter(min(reading) for name, reading in readers.items() if len(reading) == 1 and name not in after)
    order = []
    left = list(range(len(supports)))
    while left:
        index = min(left, key=lambda index: (new[index] - last[index], index))
        left.remove(index)
        finished = []
        for name in supports[index]:
            reading = readers[name]
            reading.remove(index)
            if name not in seen:
                seen.add(name)
                for other in reading:
                    new[other] -= 1
            if name not in after and not reading:
                finished.append(name)
            elif name not in after and len(reading) == 1:
                last[min(reading)] += 1
        order.append((index, frozenset(finished)))
    return order


def _size(formula: Bdd) -> int:
    """The number of nodes, by the name that dd or OxiDD has for it."""
    return int(formula.node_count() if hasattr(formula, "node_count") else len(formula))
