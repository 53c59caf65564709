"""Proves several invariants of a changed model at once: by clauses and formulas of all their earlier proofs.

Source: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001), for the largest inductive subset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from symag.core.errors import InputError
from symag.core.values import replace
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import BitLiteral
from symag.smv.certificates.invariants import Induction, InductiveFacts
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.transitions import TransitionCircuit, reduced
from symag.smv.expression_reader import expression, expressions
from symag.smv.methods.sat.candidate_path import CandidatePath
from symag.smv.model.flat import FlatSystem
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType

#: The number of candidates that one query asks about.
_TOGETHER = 64

Clause = tuple[BitLiteral, ...]


class StatedFacts(Struct, frozen=True):
    """Clauses over bits of variables, and texts of conditions on states, of which every one is a candidate."""

    clauses: tuple[Clause, ...]
    texts: tuple[str, ...]
    #: For a text the texts that it follows from after a step, if a certificate names them.
    uses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Whether these are facts only, each with its uses, that imply all that is proved.
    are_named: bool = False
    #: Over how many steps a text is inductive, if a certificate has a number for it.
    steps: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, certificates: Sequence[Certificate]) -> StatedFacts:
        """The facts of certificates over any number of steps."""
        clauses: dict[Clause, None] = {}
        texts: dict[str, None] = {}
        uses: dict[str, tuple[str, ...]] = {}
        steps: dict[str, int] = {}
        for certificate in certificates:
            match certificate:
                case Induction():
                    clauses.update(dict.fromkeys(certificate.clauses))
                    texts.update(dict.fromkeys(certificate.lemmas))
                    for text, over in zip(certificate.lemmas, certificate.numbers_of_steps()[1:], strict=True):
                        steps[text] = max(steps.get(text, 0), over)
                case InductiveFacts():
                    texts.update(dict.fromkeys(certificate.facts))
                    for text, numbers in zip(certificate.facts, certificate.uses, strict=True):
                        uses.setdefault(text, tuple(certificate.facts[number] for number in numbers))
        are_named = all(isinstance(certificate, InductiveFacts) for certificate in certificates)
        return cls(tuple(clauses), tuple(texts), uses, are_named, steps)

    def __len__(self) -> int:
        return len(self.clauses) + len(self.texts)


class InductiveTogether(Struct, frozen=True):
    """Facts and ``invariants``, by their keys, that are inductive together, over one step or several.

    ``steps`` are the most of all, ``steps_of`` those over which an invariant is inductive, by its key, if fewer.
    """

    facts: StatedFacts
    invariants: Mapping[int, Expression]
    steps: int = 1
    steps_of: Mapping[int, int] = field(default_factory=dict)

    def certificate(self, key: int | None = None) -> Induction | InductiveFacts:
        """The proof of one of the invariants, which has the others as lemmas; None: only the facts are lemmas.

        Where every text has its uses, and there are no clauses, all of it as facts that imply the invariants.
        """
        texts = {key: flat_expression_text(formula) for key, formula in self.invariants.items()}
        stated = self.facts
        if stated.are_named:
            invariants = [text for text in texts.values() if text in stated.uses]
            every = tuple(dict.fromkeys((*stated.texts, *invariants)))
            numbers = {text: number for number, text in enumerate(every)}
            return InductiveFacts(every, tuple(tuple(numbers[use] for use in stated.uses[text]) for text in every))
        over = self._over(texts)
        if key is None:
            of_property, left_out = self.steps, frozenset(texts.values())
        else:
            of_property, left_out = over[texts[key]], frozenset({texts[key]})
        lemmas = {text: steps for text, steps in over.items() if text not in left_out}
        sufficient = (of_property, *lemmas.values())
        most = self.steps if stated.clauses else max(sufficient)
        is_uniform = set(sufficient) == {most}
        return Induction(most, stated.clauses, tuple(lemmas), sufficient_steps=() if is_uniform else sufficient)

    def steps_of_invariants(self) -> tuple[int, ...]:
        """Over how many steps each of the invariants is inductive, in their order."""
        texts = {key: flat_expression_text(formula) for key, formula in self.invariants.items()}
        over = self._over(texts)
        return tuple(over[text] for text in texts.values())

    def _over(self, texts: Mapping[int, str]) -> dict[str, int]:
        """Over how many steps the texts of the facts and those of the invariants are inductive."""
        over = {text: self.facts.steps.get(text, self.steps) for text in self.facts.texts}
        for key, text in texts.items():
            over[text] = max(over.get(text, 0), self.steps_of.get(key, self.steps))
        return over

    def kept(self, certificates: Sequence[Certificate]) -> tuple[int, int]:
        """How many facts of some certificates are inductive still, and how many they have."""
        stated = StatedFacts.of(certificates)
        clauses, texts = set(self.facts.clauses), set(self.facts.texts)
        kept = sum(clause in clauses for clause in stated.clauses) + sum(text in texts for text in stated.texts)
        return kept, len(stated)


def is_of_facts(certificate: Certificate) -> bool:
    """Whether a certificate is a list of conditions on states that are inductive over one step."""
    return steps_of(certificate) == 1


def steps_of(certificate: Certificate) -> int | None:
    """Over how many steps the conditions of a certificate are inductive; None if together with others they may not be.

    What is inductive on paths without a repeated state is so for the variables of one property only.
    """
    match certificate:
        case InductiveFacts():
            return 1
        case Induction() if certificate.steps == 1 or not certificate.distinct:
            return certificate.steps
    return None


def asked_together(steps: int, others: Iterable[int]) -> frozenset[int]:
    """The numbers of steps, among these and all more than one, that are asked together with ``steps``.

    What is inductive over some steps is so over more: that is one path for all where there were several, but it is
    longer, and about more variables. No number is more than twice the one before it.
    """
    numbers = sorted({number for number in (steps, *others) if number > 1})
    ends = [place for place, (less, more) in enumerate(pairwise(numbers), start=1) if more > 2 * less]
    groups = (numbers[start:end] for start, end in pairwise((0, *ends, len(numbers))))
    return next(frozenset(group) for group in groups if steps in group)


def inductive_together(
    system: FlatSystem, invariants: Mapping[int, Expression], stated: StatedFacts, cone_of_influence: bool
) -> InductiveTogether:
    """The largest subset of the facts and the invariants that is inductive in a system.

    Facts that name a variable or constant that the system does not have are dropped. Raises InputError where evaluation
    can fail. Costs an encoding of the system, and at most a query for each candidate.
    """
    formulas = readable(system, stated.texts)
    blasting = Blasting(system)
    literal_of = {key: blasting.truth(formula) for key, formula in invariants.items()}
    literal_of_text = {text: blasting.truth(formula) for text, formula in formulas.items()}
    refuse_failures(blasting)
    circuit = blasting.circuit
    literal_of_clause = clause_literals(circuit, stated.clauses)
    candidates = list(dict.fromkeys((*literal_of.values(), *literal_of_text.values(), *literal_of_clause.values())))
    if cone_of_influence:
        circuit = reduced(circuit, candidates)
    uses = {
        literal_of_text[text]: [literal_of_text[use] for use in stated.uses[text]]
        for text in literal_of_text.keys() & stated.uses.keys()
        if literal_of_text.keys() >= set(stated.uses[text])
    }
    inductive = inductive_subset(circuit, candidates, uses)
    texts = {text: literal for text, literal in literal_of_text.items() if literal in inductive}
    kept = {key: formula for key, formula in invariants.items() if literal_of[key] in inductive}
    text_of = {literal: text for text, literal in texts.items()}
    text_of |= {literal_of[key]: flat_expression_text(formula) for key, formula in kept.items()}
    facts = StatedFacts(
        tuple(clause for clause, literal in literal_of_clause.items() if literal in inductive),
        tuple(texts),
        {
            text_of[literal]: tuple(text_of[use] for use in needed)
            for literal, needed in inductive.items()
            if literal in text_of and text_of.keys() >= set(needed)
        },
    )
    return InductiveTogether(replace(facts, are_named=not facts.clauses and facts.uses.keys() >= set(texts)), kept)


def readable(system: FlatSystem, texts: Sequence[str]) -> dict[str, Expression]:
    """Those texts that are conditions on states of the system."""
    try:
        pairs = list(zip(texts, expressions(system, texts), strict=True))
    except InputError:
        pairs = []
        for text in texts:
            try:
                pairs.append((text, expression(system, text)))
            except InputError:
                continue
    supports = Supports(system)
    formulas = {}
    for text, formula in pairs:
        read = supports.of(formula)
        if isinstance(formula.type, BooleanType) and not read.next and not read.current & system.inputs:
            formulas[text] = formula
    return formulas


def clause_literals(circuit: TransitionCircuit, clauses: Iterable[Clause]) -> dict[Clause, int]:
    """Clauses as literals of the circuit's graph, without those about a bit that is not a latch."""
    latches = {latch.bit: latch.node for latch in circuit.latches if latch.bit is not None}
    literals = {}
    for clause in clauses:
        if all((name, index) in latches for name, index, _ in clause):
            literals[clause] = circuit.graph.any(
                2 * latches[name, index] + (not value) for name, index, value in clause
            )
    return literals


def inductive_subset(
    circuit: TransitionCircuit, candidates: Sequence[int], uses: Mapping[int, Sequence[int]] | None = None
) -> dict[int, tuple[int, ...]]:
    """The largest set of the candidates, literals of the circuit, that is inductive.

    ``uses`` are candidates from which one may follow after a step; those are asked for first. The result has for each
    literal the ones of the set that it follows from. Costs a query for each ``_TOGETHER`` candidates, at most one more
    for each that is dropped, and two for each with ``uses``.
    """
    uses = uses or {}
    literals = {literal: literal for literal in candidates}
    start = CandidatePath(circuit, literals, from_start=True)
    start.extend()
    left = start.true_together(list(literals), 0, {}, at_once=_TOGETHER)
    start.solver.close()
    step = CandidatePath(circuit, literals, from_start=False)
    step.extend()
    step.extend()
    before = {literal: step.signal(literal, 0) for literal in left}
    needed: dict[int, tuple[int, ...]] = {}
    while True:
        present = frozenset(left)
        needed = {literal: used for literal, used in needed.items() if present.issuperset((literal, *used))}
        for literal in present.intersection(uses).difference(needed):
            shown = _shown_by(step, literal, uses[literal]) if present.issuperset(uses[literal]) else None
            shown = _shown_by(step, literal, left) if shown is None else shown
            if shown is not None:
                needed[literal] = shown
        open_ = [literal for literal in left if literal not in needed]
        kept = frozenset(step.true_together(open_, 1, before, [before[literal] for literal in needed], _TOGETHER))
        if len(kept) == len(open_):
            break
        left = [literal for literal in left if literal in needed or literal in kept]
    step.solver.close()
    return {literal: needed.get(literal, tuple(left)) for literal in left}


def _shown_by(step: CandidatePath, literal: int, given: Sequence[int]) -> tuple[int, ...] | None:
    """Those of ``given`` at the first state from which a literal follows at the second; None if from none."""
    signals = {step.signal(item, 0): item for item in given}
    if step.solver.solve([*signals, -step.signal(literal, 1)]):
        return None
    return tuple(signals[signal] for signal in step.solver.core() if signal in signals)
