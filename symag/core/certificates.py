"""Evidence for ``holds``, as plain values that need no BDD library.

Laws of this file:

- Bit k (from 0, least significant first) of a variable is bit k of the INDEX of its value in
  ``symag.smv.model.types.values(type)`` (declaration order; FALSE before TRUE; a range from low to high);
  for a word it is bit k of its two's-complement pattern. A boolean has the one bit 0. Codes without a
  value never occur in a state, so a diagram may say anything of them.
- A diagram is a DAG of if-then-else nodes: node number n >= 2 is ``nodes[n - 2] = (bit, high, low)``
  where ``bit`` indexes ``bits`` and high and low are node numbers below n; 0 is FALSE and 1 is TRUE.
  All diagrams of one certificate share one table, and a formula is a node number.
- A word over I/O valuations ("letters") is read along a run: the letter at position j
  is the valuation of the I/O variables in state j. Only words in safe* . unsafe matter: an assumption
  never rejects before an unsafe letter (one that violates the property) has been read.
- A position of an infinite run is a state with the inputs that it leaves with; Trans relates a position to
  a state, and the next position is that state with any inputs. A set in ``FairEmptiness`` and ``Labelling``
  may mention inputs too: then it is a set of positions. A run is fair if it meets every JUSTICE and every
  COMPASSION of the system; where nothing is demanded, every infinite run is fair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


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
class InductiveFacts:
    """Invariants in the model's own words that are inductive together, and imply the property.

    ``facts`` are texts of boolean expressions over states, as the flat printer writes them. ``uses[i]`` are the
    numbers of the facts from which fact i follows after a step. To check: Init & Invar -> fact i; the facts of
    ``uses[i]`` & Invar & Trans & Invar' -> (fact i)'; all facts & Invar -> property.
    """

    facts: tuple[str, ...]
    uses: tuple[tuple[int, ...], ...]
    kind: str = "inductive-facts"


#: ``(variable, bit, value)``: a bit of a variable has a value.
BitLiteral = tuple[str, int, bool]


@dataclass(frozen=True, slots=True)
class Induction:
    """An invariant that is inductive over ``steps`` steps, which is what k-induction and PDR (1 step) find.

    Let C be the conjunction of ``clauses`` (each true where one of its literals is, over current states), of
    ``lemmas`` (texts of boolean expressions over states) and, if it speaks of states, of the property; let p be
    the property if it speaks of transitions. To check, for paths s_0, s_1, .. that satisfy the system's constraints:
    from an initial s_0, C in s_0 .. s_steps-1, and p on the transitions between them; from any s_0 where that is
    so, C in s_steps, and p on the transition into it. With ``distinct`` the latter is asked only of paths on which
    s_0 .. s_steps-1 differ in variables that are not free at every instant.
    """

    steps: int
    clauses: tuple[tuple[BitLiteral, ...], ...]
    lemmas: tuple[str, ...] = ()
    distinct: bool = False
    kind: str = "induction"


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
class PartProof:
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
    parts: tuple[PartProof, ...]
    assumptions: tuple[Assumption, ...]
    wires: tuple[tuple[str, str], ...] = ()
    property_wire: str | None = None
    kind: str = "assume-guarantee"


@dataclass(frozen=True, slots=True)
class AvoidedCondition:
    """What an infinite run that stays somewhere never meets.

    ``justice``: the system's JUSTICE number ``index``. ``compassion``: the second condition of its COMPASSION
    number ``index``. ``eventuality``: the certificate's eventuality number ``index`` (see ``FairEmptiness``).
    ``progress``: nothing; there is no infinite run that stays (``index`` is 0).
    """

    kind: Literal["justice", "compassion", "eventuality", "progress"]
    index: int = 0


@dataclass(frozen=True, slots=True)
class RemovalStep:
    """Positions that no fair run visits infinitely often, given that it comes to stay in a set Z.

    ``positions`` (call it D) is a formula; only D & Z matters. To check, for every transition from D & Z
    that stays in Z: it leads into D, and it does not meet the avoided condition. For ``progress`` instead of
    the latter: D & Z holds no infinite run (it is emptied by dropping positions without a successor in what
    is left, again and again). D & Z is then removed from Z; for ``compassion`` only those positions of D & Z
    that satisfy the pair's first condition.
    """

    positions: int
    avoids: AvoidedCondition


@dataclass(frozen=True, slots=True)
class FairEmptiness:
    """An LTL (or PSL) formula holds: no fair run of the system satisfies its negation.

    ``observers`` are boolean variables that the diagrams may mention besides the system's (bit 0 of their
    name): ``(name, text)`` of an LTL formula with past over the system's names as the flat printer writes it.
    An observer is TRUE at exactly those positions of a run at which its formula is true. A tableau's
    variable for next f has the meaning ``X f``; its variable for previous f ``Y f``; that for an input ``i``
    or a ``next(x)`` read in the formula, the expression itself. Constraints between observers are not
    stated: certify derives them from the meanings, by a tableau of its own.
    ``eventualities`` are texts of LTL formulas ``f U g`` or ``F g`` (or ``!(f V g)``, ``!(G g)``): each
    stands for the condition, met infinitely often by EVERY run, that the formula is false or its ``g`` is
    true (``!g`` for the negated ones).
    ``reached`` is a conjunction of formulas. To check: every position at which a run that violates the
    property begins is in it, and it is closed under the transitions of the system with its observers, both
    but for positions without a successor.
    Then Z starts as this set, ``removals`` take from it in their order, and what is left is empty (or holds
    no fair run: certify computes that by itself, which is slow where much is left).
    """

    table: DiagramTable
    observers: tuple[tuple[str, str], ...]
    eventualities: tuple[str, ...]
    reached: tuple[int, ...]
    removals: tuple[RemovalStep, ...]
    kind: str = "fair-emptiness"


@dataclass(frozen=True, slots=True)
class FormulaLabel:
    """The states, among the reached ones, that satisfy a CTL formula.

    ``removals`` prove that no fair run stays in a set Z: for ``EG f`` the states outside the label that
    satisfy f; for ``AF g`` and ``f AU g`` those of the label that do not satisfy g (without the states that
    are given as not fair, both); for the label of the fair states all reached states outside it. They may
    be empty: certify then searches by itself, which is slower.
    """

    states: int
    removals: tuple[RemovalStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Labelling:
    """A CTL property holds, or is violated.

    ``reached`` is a conjunction of formulas: a set of states that contains the initial ones and is closed
    under the transitions (for a violation shown from some initial states only, those suffice).
    ``labels`` has one entry for every occurrence of a CTL operator in the property, operands before the
    operator, the left one first. A label means the set within ``reached``: states of ``reached`` outside it
    do not satisfy the sub-formula. Path quantifiers range over fair infinite runs.
    ``fair`` are the reached states from which a fair run starts; None if that is all of them. Without any
    ``labels`` certify searches for all these sets by itself, inside ``reached``; ``fair`` may be None then.
    To check, for every operator by its own law from the labels of its operands: that the states inside
    satisfy it where its truth helps the claim, and that the states outside do not where its falsity does.
    ``claim`` says what is proved: ``holds`` (every initial state satisfies the property) or ``violated``
    (some initial state does not).
    """

    table: DiagramTable
    reached: tuple[int, ...]
    labels: tuple[FormulaLabel, ...]
    fair: FormulaLabel | None = None
    claim: Literal["holds", "violated"] = "holds"
    kind: str = "labelling"


@dataclass(frozen=True, slots=True)
class LabelledAssumption:
    """An automaton over visible actions, all of whose states accept: its language is prefix-closed.

    State 0 is initial. ``transitions`` are triples (state, index into ``alphabet``, state), sorted, each once.
    Several states for one action, and none, are allowed.
    """

    alphabet: tuple[str, ...]
    states: int
    transitions: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class LabelledAssumptions:
    """A safety problem over labelled transition systems holds: assumptions, and the rule that they instantiate.

    ``parts`` are the numbers of the components that make up each part; every component is in exactly one.
    An assumption restricts the actions of its alphabet and no others. Part k, M_k, is the composition of its
    components, with tau, and P the property.

    rule-1: two parts, one assumption A. Premises: A || M_0 |= P; the words of M_1, in A's alphabet, are A's.
    rule-3: n parts, n - 1 assumptions A_0 .. A_n-2. Premises: A_0 || M_0 |= P; the words of A_k || M_k, in
    A_k-1's alphabet, are A_k-1's, for k = 1 .. n - 2; the words of M_n-1, in A_n-2's alphabet, are A_n-2's.
    circular: n parts, one assumption each, ``guarantees[i]`` the numbers of the assumptions that premise i uses
    (never i itself). Premise i: if a word s.a (a is its last action) is one of M_i, and s, in their alphabets, is
    one of A_i and of all assumptions of ``guarantees[i]``, then s.a is one of A_i. Last premise:
    A_0 || .. || A_n-1 |= P.
    """

    rule: Literal["rule-1", "rule-3", "circular"]
    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[LabelledAssumption, ...]
    guarantees: tuple[tuple[int, ...], ...] = ()
    kind: str = "labelled-assumptions"


@dataclass(frozen=True, slots=True)
class ExplorationClaim:
    """Nothing but the claim: who explores all reachable states again finds that the property holds."""

    kind: str = "exploration"


@dataclass(frozen=True, slots=True)
class StateQuotient:
    """A safety problem over labelled transition systems holds, for it does with a part of it made smaller.

    ``replaced`` are the numbers of the components that make up N, the others M. ``classes`` gives, for every
    state (the states of these components, in this order) that N reaches by itself, the number of its class.
    N/~ has the classes as states, and from class to class every transition between members, tau included, so
    every word of N is one of it. Premise: M || N/~ |= P.
    """

    replaced: tuple[int, ...]
    classes: tuple[tuple[tuple[int, ...], int], ...]
    kind: str = "state-quotient"


LabelledCertificate = LabelledAssumptions | StateQuotient | ExplorationClaim
"""What certify re-checks for labelled transition systems."""

Certificate = InductiveSet | InductiveFacts | Induction | AssumeGuarantee | FairEmptiness | Labelling
"""What certify re-checks. Of these only a ``Labelling`` may be evidence for ``violated`` too."""
