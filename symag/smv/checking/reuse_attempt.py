"""What proofs of an earlier version prove of the properties of a system: runs in the process of ``reuse``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.invariants import Induction
from symag.smv.certify import accept, induction, inductive_facts
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.checking.reuse_sets import ReusedSets
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.reuse import NAME, NO_PROOF
from symag.smv.methods.reuse.together import (
    InductiveTogether,
    StatedFacts,
    asked_together,
    inductive_together,
    is_of_facts,
    steps_of,
)
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of

if TYPE_CHECKING:
    from symag.smv.certify.kinds import EarlierProof
    from symag.smv.methods.reuse.decision import EarlierEvidence


_ONE_STEP = frozenset({1})


class ReuseAttempt:
    """Earlier proofs for each of the properties; what they have in common is computed when it is first needed."""

    def __init__(
        self,
        system: FlatSystem,
        properties: Sequence[Property],
        proofs: Sequence[Sequence[EarlierProof]],
        options: SmvOptions,
    ) -> None:
        self._system = system
        self._properties = properties
        self._proofs = proofs
        self._options = options
        self._together: InductiveTogether | None = None
        self._is_tried = False
        #: What is inductive over several steps, by the numbers of steps of its proofs; None where not all of it is.
        self._over_steps: dict[frozenset[int], InductiveTogether | None] = {}
        self._certify_seconds = 0.0
        self._evidence: EarlierEvidence | None = None
        #: What all re-checks of the attempt share.
        self._encoded = EncodedSystem(system, options.certify_bdd)
        self._sets = ReusedSets(system, properties, proofs, options, self._encoded)

    def answer(self, request: tuple[int, bool], progress: Progress) -> PropertyResult:
        """The answer to the property at a position; unknown if no proof serves.

        The other part of the request: only what is proved together already is of interest. An answer by facts that are
        inductive still, or by a whole proof, is re-checked already; others are not.
        """
        position, is_known = request
        if not self._is_tried:
            self._is_tried = True
            self._together = self._tried_together(progress)
        if self._together is not None and position in self._together.invariants:
            return self._proved_together(self._together, position, _ONE_STEP)
        for proof in self._proofs[position]:
            for numbers in self._numbers(steps_of(proof.certificate)):
                over_steps = self._together_over(numbers, progress)
                if over_steps is not None and position in over_steps.invariants:
                    return self._proved_together(over_steps, position, numbers)
            by_set = self._sets.answer(position, proof, is_known, progress)
            if by_set is not None:
                return by_set
        results: Iterator[PropertyResult] = iter(())
        if not is_known:
            results = chain(self._whole(position, progress), self._by_what_is_left(position, progress))
        return next(results, PropertyResult(Verdict.UNKNOWN, NAME, reason=NO_PROOF))

    def _tried_together(self, progress: Progress) -> InductiveTogether | None:
        """The facts of all proofs, and the invariants, that are inductive together, re-checked; None if none is."""
        unchanged = self._unchanged(_ONE_STEP)
        stated, invariants = unchanged.facts, unchanged.invariants
        if not invariants:
            return None
        progress(f"{len(stated)} facts of earlier proofs")
        # As they are, for most often a small change leaves every fact inductive: then nothing is encoded twice.
        if self._is_accepted_together(unchanged, progress):
            return unchanged
        try:
            together = inductive_together(self._system, invariants, stated, self._options.cone_of_influence)
        except (InputError, UnsupportedError) as error:
            progress(f"no answer from the facts of earlier proofs: {error}")
            return None
        progress(
            f"{len(together.facts)} of {len(stated)} facts and {len(together.invariants)} invariants are inductive"
        )
        if together.invariants and not self._is_accepted_together(together, progress):
            return None
        return together

    def _numbers(self, steps: int | None) -> Iterator[frozenset[int]]:
        """The numbers of steps whose proofs are asked together with those over ``steps``: first several, then one."""
        if steps is None or steps == 1:
            return
        every = (steps_of(proof.certificate) for proofs in self._proofs for proof in proofs)
        several = asked_together(steps, (number for number in every if number is not None))
        if len(several) > 1:
            yield several
        yield frozenset({steps})

    def _together_over(self, numbers: frozenset[int], progress: Progress) -> InductiveTogether | None:
        """All that was inductive over these numbers of steps, if it is still over the largest, re-checked."""
        if numbers not in self._over_steps:
            together = self._unchanged(numbers)
            is_accepted = len(together.invariants) > 1 and self._is_accepted_together(together, progress)
            self._over_steps[numbers] = together if is_accepted else None
        return self._over_steps[numbers]

    def _unchanged(self, numbers: frozenset[int]) -> InductiveTogether:
        """All facts of proofs over these numbers of steps, and the invariants that such a proof is for."""
        invariants, steps_of = {}, {}
        certificates: list[Certificate] = []
        for position, item in enumerate(self._properties):
            own = self._certificates(position, numbers)
            invariant = invariant_of(self._system, item) if own else None
            certificates.extend(own)
            if invariant is not None:
                invariants[position] = invariant
                steps_of[position] = max(
                    proof.numbers_of_steps()[0] if isinstance(proof, Induction) else 1 for proof in own
                )
        return InductiveTogether(StatedFacts.of(certificates), invariants, max(numbers), steps_of)

    def _certificates(self, position: int, numbers: frozenset[int]) -> list[Certificate]:
        certificates = (proof.certificate for proof in self._proofs[position])
        return [certificate for certificate in certificates if steps_of(certificate) in numbers]

    def _is_accepted_together(self, together: InductiveTogether, progress: Progress) -> bool:
        proved = [self._properties[position] for position in together.invariants]
        certificate = together.certificate()
        started = time.monotonic()
        try:
            if isinstance(certificate, Induction):
                induction.check_together(proved, certificate, self._encoded, together.steps_of_invariants())
            else:
                inductive_facts.check_together(proved, certificate, self._encoded)
        except (CertificationError, InputError) as error:
            progress(f"the facts of earlier proofs are refused: {error}")
            return False
        self._certify_seconds = time.monotonic() - started
        return True

    def _proved_together(self, together: InductiveTogether, position: int, numbers: frozenset[int]) -> PropertyResult:
        proofs = [proof for proof in self._proofs[position] if steps_of(proof.certificate) in numbers]
        several = f" and {len(proofs) - 1} more" if len(proofs) > 1 else ""
        paths = f"{proofs[0].path}{several}"
        kept, stated = together.kept([proof.certificate for proof in proofs])
        note = f"reused the proof in {paths}: {kept} of its {stated} clauses and formulas are inductive"
        if kept == stated:
            note = f"reused the whole proof in {paths}"
        # The re-check of all is told with the first.
        seconds, self._certify_seconds = self._certify_seconds, 0.0
        return PropertyResult(
            Verdict.HOLDS,
            NAME,
            certified=True,
            certificate=together.certificate(position),
            statistics={"certify_seconds": round(seconds, 4)},
            notes=(note,),
        )

    def _whole(self, position: int, progress: Progress) -> Iterator[PropertyResult]:
        """An answer by a proof as it is, if one is accepted."""
        for proof in self._proofs[position]:
            if self._together is not None and is_of_facts(proof.certificate):
                continue  # one of its facts, or the property, is not inductive with any of the others
            if self._sets.key(position, proof.certificate) is not None:
                continue  # the set does not prove the property, not even when it is enlarged
            progress(f"re-checking the proof in {proof.path}")
            started = time.monotonic()
            if self._is_accepted(position, proof, progress):
                costs = {"certify_seconds": round(time.monotonic() - started, 4)}
                note = f"reused the whole proof in {proof.path}"
                yield PropertyResult(
                    Verdict.HOLDS, NAME, certified=True, certificate=proof.certificate, statistics=costs, notes=(note,)
                )

    def _is_accepted(self, position: int, proof: EarlierProof, progress: Progress) -> bool:
        claim = PropertyResult(Verdict.HOLDS, NAME, certificate=proof.certificate)
        try:
            package = self._options.certify_bdd
            return accept(self._system, self._properties[position], claim, None, package, self._encoded).certified
        except CertificationError as error:
            progress(f"the proof in {proof.path} is none of this version: {error}")
            return False

    def _by_what_is_left(self, position: int, progress: Progress) -> Iterator[PropertyResult]:
        """An answer by what of a proof serves still, if there is one."""
        # Imported here, in the process of all properties: most often the searches are not needed.
        from symag.smv.methods.reuse.decision import EarlierEvidence

        evidence = self._evidence or EarlierEvidence(self._system, self._options)
        self._evidence = evidence
        for proof in self._proofs[position]:
            certificate = proof.certificate
            if self._sets.key(position, certificate) is not None:
                continue
            if self._together is not None and is_of_facts(certificate):
                certificate = self._together.certificate()
            try:
                result = evidence.decide(self._properties[position], certificate, progress)
            except (InputError, UnsupportedError) as error:
                progress(f"no answer from the proof in {proof.path}: {error}")
                continue
            if result is not None and result.verdict is not Verdict.UNKNOWN:
                notes = tuple(f"reused the proof in {proof.path}: {note}" for note in result.notes)
                yield replace(result, method=f"{NAME} ({result.method})", notes=notes)
