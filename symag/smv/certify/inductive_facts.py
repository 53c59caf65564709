"""Re-check of invariants that are inductive together, given as texts.

The step of a fact has to follow from the facts that the certificate names for it. It is asked with the constraints in
the cone of influence of all facts first, and if that fails with all constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from symag.core.limits import Deadline
from symag.smv.certificates.invariants import InductiveFacts
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, ConstraintSignals, with_read_variables
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import all_invariants, provable_invariant
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property
from symag.smv.model.typed import Expression

CERTIFICATE = InductiveFacts


def check(property: Property, certificate: InductiveFacts, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``."""
    claim = provable_invariant(encoded.system, property, certificate)
    check_inductive_facts(encoded, claim, certificate, deadline)


def check_together(properties: Sequence[Property], certificate: InductiveFacts, encoded: EncodedSystem) -> None:
    """Accept facts as a proof of several invariants: they imply each of them.

    Raises CertificationError with the premise that fails, UnsupportedError for a property that is no such invariant.
    """
    with deep_recursion():
        claim = all_invariants(encoded.system, properties, certificate)
        check_inductive_facts(encoded, claim, certificate, Deadline(None))


def check_inductive_facts(
    encoded: EncodedSystem, claim: Expression | None, certificate: InductiveFacts, deadline: Deadline
) -> None:
    """Accept facts as invariants, and as a proof of the invariant ``claim`` unless it is None.

    Raises CertificationError with the fact and the premise that fails, OutOfTimeError at the deadline. Costs two
    questions to a SAT solver for each fact that was not proved before.
    """
    facts = encoded.conditions(certificate.facts, "a fact")
    names = encoded.reads_of_states(facts if claim is None else [*facts, claim], "a fact")

    def failure(selected: list[ConstraintReads], start: set[str]) -> str | None:
        now, then = ([encoded.encoder.truth(fact, primed) for fact in facts] for primed in (False, True))
        kept = KeptConditions(encoded, now, then, certificate.uses, certificate.facts, _WORDS)
        return kept.failure(claim, selected, start, deadline)

    encoded.prove(names, failure)


_WORDS = (
    "the facts do not imply the property",
    "an initial state violates {}",
    "a transition leads to a state that violates {}",
)


class KeptConditions(Struct, frozen=True):
    """Conditions on states as signals, ``now`` and ``then``; each follows after a step from those of its ``uses``.

    ``words`` name the premises that can fail: the property's, and of a condition (one of ``names``) the initial one and
    the step.
    """

    encoded: EncodedSystem
    now: list[int]
    then: list[int]
    uses: Sequence[Sequence[int]]
    names: Sequence[object]
    words: tuple[str, str, str]

    def failure(
        self,
        claim: Expression | None,
        selected: list[ConstraintReads],
        start: set[str],
        deadline: Deadline,
        fails: Callable[[Satisfiability, Sequence[int], int], bool] | None = None,
    ) -> str | None:
        """The premise that fails under the selected constraints, in words; those that are proved are recorded.

        More constraints leave fewer states and transitions, so it does not matter under which ones one was proved.
        ``fails`` asks the solver a question about the step of a condition with a number.
        """
        encoded, encoder = self.encoded, self.encoded.encoder
        steps = [
            ("step", frozenset(self.now[use] for use in uses), after)
            for after, uses in zip(self.then, self.uses, strict=True)
        ]
        waiting = [number for number, step in enumerate(steps) if not encoded.is_proved(step)]
        needed = selected if waiting else [item for item in selected if item.moment != "transition"]
        constraints = ConstraintSignals.of(encoder, needed, with_read_variables(start, selected))
        with Satisfiability(encoder.circuit, deadline) as solver:
            solver.require(constraints.state)
            if claim is not None and solver.is_satisfiable([*self.now, -encoder.truth(claim)]):
                return self.words[0]
            for name, condition in zip(self.names, self.now, strict=True):
                if encoded.is_proved(("initial", condition)):
                    continue
                if solver.is_satisfiable([*constraints.initial, -condition]):
                    return self.words[1].format(name)
                encoded.record(("initial", condition))
            if waiting:
                solver.require(constraints.on_steps)
            for number in waiting:
                question = [*steps[number][1], -self.then[number]]
                if solver.is_satisfiable(question) if fails is None else fails(solver, question, number):
                    return self.words[2].format(self.names[number])
                encoded.record(steps[number])
        return None
