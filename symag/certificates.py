"""Evidence for ``holds``, as plain values that need no BDD library.

Laws of this file:

- Bit k (from 0, least significant first) of a variable is bit k of the INDEX of its value in
  ``symag.smv.types.values(type)`` (declaration order; FALSE before TRUE; a range from low to high);
  for a word it is bit k of its two's-complement pattern. A boolean has the one bit 0. Codes without a
  value never occur in a state, so a diagram may say anything of them.
- A diagram is a DAG of if-then-else nodes: node number n >= 2 is ``nodes[n - 2] = (bit, high, low)``
  where ``bit`` indexes ``bits`` and high and low are node numbers below n; 0 is FALSE and 1 is TRUE.
  All diagrams of one certificate share one table, and a formula is a node number.
- A word over I/O valuations ("letters") is read as in ``lost-figures.md``: the letter at position j
  is the valuation of the I/O variables in state j. Only words in safe* . unsafe matter: an assumption
  never rejects before an unsafe letter (one that violates the property) has been read.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiagramTable:
    """Shared if-then-else nodes over named bits ``(variable, bit index)`` of current-state values."""

    bits: tuple[tuple[str, int], ...]
    nodes: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class InductiveSet:
    """A set of states that holds initially, is closed under the transitions, and implies the property.

    The set is the conjunction of the formulas ``conjuncts``: one, or one for each part of a partition.
    To check: Init & Invar -> set; set & Invar & Trans & Invar' -> set'; set & Invar -> property.
    """

    table: DiagramTable
    conjuncts: tuple[int, ...]
    kind: str = "inductive-set"


@dataclass(frozen=True, slots=True)
class Assumption:
    """A deterministic automaton that reads SAFE letters; state 0 is initial.

    ``edges[q]`` lists ``(target, formula over letter bits)``; the formulas of one state are pairwise
    disjoint; a safe letter that none covers leads to a state from which nothing is ever rejected.
    ``rejects[q]`` is a formula over letter bits: in state q the assumption forbids the UNSAFE letters
    that satisfy it, and allows all other letters.
    """

    edges: tuple[tuple[tuple[int, int], ...], ...]
    rejects: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A module of the partition: the variables it owns, and one inductive set per assumption state.

    ``sets[q]`` contains every state of the module that is paired with assumption state q when the
    next letter is about to be read, for positions after the first; the first letter is judged with
    the module's Init directly in assumption state 0.
    """

    variables: tuple[str, ...]
    sets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AssumeGuarantee:
    """Assumptions and the rule they instantiate.

    ``wires`` are fresh boolean variables, each defined by an expression of the model (its text as the
    flat printer writes it, fully qualified), that the partition treats as ordinary variables: ``(name,
    text)``; the property is one of them when ``property_wire`` names it.

    rule-g: ``assumptions[i]`` is for ``parts[i]``. Premise i: in every state of the pair, an unsafe
    letter that the part can take is in ``rejects``. Last premise: no word is rejected by all.
    rule-s: two parts, one assumption for ``parts[0]``. Premise 1 as above for part 0; premise 2: part 1
    never takes a letter that the assumption rejects (its ``sets`` pair its states with the same
    automaton).
    """

    rule: str
    table: DiagramTable
    parts: tuple[Part, ...]
    assumptions: tuple[Assumption, ...]
    wires: tuple[tuple[str, str], ...] = ()
    property_wire: str | None = None
    kind: str = "assume-guarantee"


Certificate = InductiveSet | AssumeGuarantee
