"""Chooses how a proof of an earlier version of a model is used again, by the kind of its certificate."""

from __future__ import annotations

import time
from collections.abc import Sequence

from symag.bdd.context import Bdd, memory_errors
from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.learning.symbolic_table import Conjecture
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import BitLiteral
from symag.smv.certificates.invariants import Induction, InductiveFacts, InductiveSet
from symag.smv.methods.by_parts.ascv.last_premise import discharge
from symag.smv.methods.by_parts.ascv.premise import ModuleExploration
from symag.smv.methods.by_parts.automaton import StateBits, SymbolicAutomaton, strengthened
from symag.smv.methods.by_parts.decision import DecompositionProblem, subjects
from symag.smv.methods.by_parts.decomposition import decompose
from symag.smv.methods.by_parts.evidence import assume_guarantee_certificate, holds
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.reuse import sets
from symag.smv.methods.reuse.together import clause_literals, inductive_subset, readable
from symag.smv.methods.sat.problem import problem_of
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.symbolic.diagram import read_diagrams


class EarlierEvidence:
    """Decides properties of one system from certificates of an earlier version; their common work is done once."""

    def __init__(self, system: FlatSystem, options: SmvOptions) -> None:
        self._system = system
        self._options = options
        self._sets = sets.EnlargedSets(system, options)

    def decide(self, property: Property, earlier: Certificate, progress: Progress) -> PropertyResult | None:
        """Decide an invariant from a certificate of an earlier version of the system; None if it does not help.

        Nothing of the certificate is trusted: what no longer holds is dropped or enlarged, and the result has a
        certificate of its own. ``notes`` say what was used. Raises InputError and MemoryExhausted, and
        UnsupportedError for other properties and other kinds of certificates.
        """
        system, options = self._system, self._options
        match earlier:
            case Induction():
                return _from_facts(system, property, earlier.clauses, earlier.lemmas, options, progress)
            case InductiveFacts():
                return _from_facts(system, property, (), earlier.facts, options, progress)
            case InductiveSet():
                return self._sets.decide(property, earlier, progress)
            case AssumeGuarantee():
                return _from_assumptions(system, property, earlier, options, progress)
        raise UnsupportedError(f"the proof is of the kind {earlier.kind}, which is only re-checked as it is")


def decide(
    system: FlatSystem, property: Property, earlier: Certificate, options: SmvOptions, progress: Progress
) -> PropertyResult | None:
    """``EarlierEvidence.decide`` for one property."""
    return EarlierEvidence(system, options).decide(property, earlier, progress)


def _from_facts(
    system: FlatSystem,
    property: Property,
    clauses: Sequence[tuple[BitLiteral, ...]],
    texts: Sequence[str],
    options: SmvOptions,
    progress: Progress,
) -> PropertyResult | None:
    """Decide an invariant by PDR, which begins with the facts that are inductive together; None if none is.

    ``clauses`` are over bits of variables, ``texts`` are boolean expressions over states. Those that name a variable
    or constant that the system does not have are dropped. Raises InputError, and UnsupportedError for other properties.
    """
    started = time.process_time()
    readings = readable(system, texts)
    problem = problem_of(system, property, list(readings.values()), options.cone_of_influence)
    stated = clause_literals(problem.circuit, clauses)
    inductive = inductive_subset(problem.circuit, (*problem.lemmas, *stated.values()))
    lemmas = [
        (formula, literal)
        for formula, literal in zip(readings.values(), problem.lemmas, strict=True)
        if literal in inductive
    ]
    still = [clause for clause, literal in stated.items() if literal in inductive]
    if not lemmas and not still:
        return None
    progress(f"{len(lemmas) + len(still)} of {len(texts) + len(clauses)} facts of the earlier proof are inductive")
    with_lemmas = replace(problem, lemmas=tuple(literal for _, literal in lemmas))
    result = pdr.solve(with_lemmas, [formula for formula, _ in lemmas], progress, started, clauses=still)
    if result.verdict is not Verdict.HOLDS:
        return result
    used = f"{len(lemmas) + len(still)} of its {len(texts) + len(clauses)} clauses and formulas are inductive"
    return replace(result, notes=(*result.notes, used))


def _from_assumptions(
    system: FlatSystem, property: Property, earlier: AssumeGuarantee, options: SmvOptions, progress: Progress
) -> PropertyResult | None:
    """Prove an invariant with the assumptions of an earlier proof; None if they do not suffice.

    Each automaton becomes the strongest assumption with the same states that its part respects, as in Rule-G's edge
    deletion (symbolic-learning-2008, Section 6.2.1), so that only the last premise can fail.

    Raises UnsupportedError for other properties and for proofs by Rule-S, InputError and MemoryExhausted.
    """
    started = time.process_time()
    if earlier.rule != "rule-g":
        raise UnsupportedError(f"assumptions of {earlier.rule} are only re-checked as they are")
    prepared = _prepared(system, property, earlier, options)
    if prepared is None:
        return None
    parts = _parts(prepared, earlier)
    with memory_errors():
        context = prepared.symbolic.context
        modules = decompose(prepared.symbolic, parts, prepared.safe)
        diagrams = read_diagrams(prepared.symbolic.encoding, earlier.table, prepared.wired.by_name)
        assumptions: list[Conjecture] = []
        paired: list[tuple[StateBits, int, Bdd]] = []
        for number, (module, assumption) in enumerate(zip(modules, earlier.assumptions, strict=True)):
            conjecture = _completed(assumption, diagrams, prepared.safe, context.false)
            letters = context.disjunction(label for edges in conjecture.edges for _, label in edges)
            if not context.support(letters) <= {*module.letter_bits, *context.support(prepared.safe)}:
                return None
            bits = StateBits(context, f"R{number}")
            automaton = SymbolicAutomaton.of(context, bits, conjecture)
            exploration = ModuleExploration(module, automaton, module.letter_bits)
            exploration.finish(progress)
            strongest = strengthened(context, bits, conjecture, exploration.available(), exploration.unsafe)
            assumptions.append(strongest)
            paired.append((bits, len(strongest.edges), exploration.reached))
        automata = [
            SymbolicAutomaton.of(context, bits, assumption)
            for (bits, _, _), assumption in zip(paired, assumptions, strict=True)
        ]
        letter_bits = tuple(dict.fromkeys(bit for module in modules for bit in module.letter_bits))
        if discharge(context, automata, modules[0].ending, letter_bits, progress) is not None:
            return None
        certificate = assume_guarantee_certificate(prepared, "rule-g", modules, assumptions, paired)
    states = [len(assumption.edges) for assumption in assumptions]
    figures = {"assumption_states": states, "cpu_seconds": round(time.process_time() - started, 3)}
    result = holds(prepared, "rule-g", certificate, figures)
    return replace(result, notes=(f"the assumptions of its {len(parts)} parts suffice",))


def _prepared(
    system: FlatSystem, property: Property, earlier: AssumeGuarantee, options: SmvOptions
) -> DecompositionProblem | None:
    """The property with the same wires as in the earlier proof."""
    wires = {name for name, _ in earlier.wires}
    for prepared in subjects(system, property, options, ("defines", "property", "none")):
        if {name for name, _ in prepared.wires} == wires:
            return prepared
    return None


def _parts(prepared: DecompositionProblem, earlier: AssumeGuarantee) -> list[tuple[str, ...]]:
    """The earlier parts with the variables that the system still has; new variables go to the last."""
    if prepared.bits:
        raise UnsupportedError("parts over single bits are only re-checked as they are")
    left = dict.fromkeys(prepared.wired.by_name)
    parts = []
    for part in earlier.parts:
        names = tuple(name for name in part.variables if name in left)
        for name in names:
            del left[name]
        parts.append(names)
    parts[-1] = (*parts[-1], *left)
    if not all(parts):
        raise UnsupportedError("one of the earlier parts has no variable left")
    return parts


def _completed(assumption: Assumption, diagrams: Sequence[Bdd], safe: Bdd, empty: Bdd) -> Conjecture:
    """The automaton with an edge for every safe letter: letters without one, which its part never showed, loop."""
    edges = []
    for state, leaving in enumerate(assumption.edges):
        labels, rest = [], safe
        for target, number in leaving:
            # Labels that were disjoint may overlap after a variable is gone.
            labels.append((target, diagrams[number] & rest))
            rest = rest & ~diagrams[number]
        edges.append((*labels, (state, rest)) if rest != empty else tuple(labels))
    return Conjecture(tuple(edges), tuple(diagrams[number] & ~safe for number in assumption.rejects))
