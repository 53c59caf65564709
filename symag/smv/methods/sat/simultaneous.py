"""Simultaneous induction: invariants of which each may need others to be inductive are proved together.

Assertions of a design are mostly written so that together they are inductive over a few steps, and seldom alone. For
k = 1, 2, .. the base drops the invariants that some run of k states violates, and the step finds the largest set of the
others that is inductive over k steps together with those that are proved. Sources: Khasidashvili, Nadel, Palti, Hanna,
"Simultaneous SAT-based model checking of safety properties" (HVC 2005), for several properties in one search; Flanagan,
Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001), for the largest set.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence

from symag.core.results import PropertyResult
from symag.smv.certificates.invariants import Induction
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.graph import FALSE
from symag.smv.circuits.transitions import reduced
from symag.smv.methods.sat.induction_of_several import InductionOfSeveral, StepProof
from symag.smv.methods.sat.problem import SharedCircuit
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.properties import invariant_of

#: CPU seconds for one property at most, unless the caller gives more. The last ones of the 53 assertions of ZipCPU's
#: wbsafety are inductive over 6 steps, which take 0.4 s together.
MOST = 0.4

#: How many times the seconds for a property a search may take in vain for each of many that are open. Of 45 assertions
#: of eth10g's netfifo the first step proves 27 in 6.5 s, the second all others in 0.6; the last 8 of 53 of longbimpy
#: need steps of 1.3 s without any proof between, three of 12 of txuartlite 81 states, 5 s in all: with 3 instead of 6
#: ``auto`` took 7 or 35 s there by chance, with 6 it takes 7.
SHARE = 6

#: How many times the seconds that all proofs so far took it may take in vain besides. The last 2 of 85 assertions of
#: zipdma_s2mm need 8 states, 12 s after the others, which take 4.
AS_USEFUL = 2.0


class SimultaneousInduction:
    """The search for the invariants of a system: those properties that ``invariant_of`` knows. It goes on where the
    last call of ``proof`` left off. With fewer than ``fewest`` invariants, or without initial states, it proves
    nothing.

    ``shared`` is the circuit of the system; ``bound`` is the largest number of steps, None for any. ``proof`` will be
    called for about ``to_decide`` properties, each time for ``longest`` seconds of the clock at most, but for a step
    that takes longer. ``answers`` are those of an earlier search to properties of the system: what they prove is not
    searched for again.
    """

    def __init__(
        self,
        system: FlatSystem,
        shared: SharedCircuit,
        bound: int | None,
        cone_of_influence: bool,
        fewest: int = 2,
        to_decide: int = 1,
        longest: float = math.inf,
        answers: Sequence[tuple[Property, PropertyResult]] = (),
    ) -> None:
        self._system = system
        self._shared = shared
        self._bound = bound
        self._cone_of_influence = cone_of_influence
        self._fewest = fewest
        self._to_decide = to_decide
        self._longest = longest
        self._answers = answers
        #: The CPU seconds of all steps, and of those up to the last one that proved something.
        self.cpu_seconds = 0.0
        self._useful = 0.0
        #: The invariants by their keys.
        self._texts: dict[int, str] = {}
        self._search: InductionOfSeveral | None = None
        self._is_begun = False
        #: The keys of the invariants whose proofs were given already, or known.
        self._given: set[int] = set()
        #: The sets of invariants, by their keys, that certificates have named; no two have a member in common.
        self._named: list[frozenset[int]] = []

    def proof(self, property: Property, seconds: float) -> Induction | None:
        """An induction that proves the property, with other invariants as lemmas; None if there is none yet.

        Raises InputError where evaluation of the system can fail. Searches until steps that prove nothing have taken
        ``seconds`` of CPU time, or, once some invariant is proved, ``MOST`` if that is more, or the next one would, if
        it takes as long as the last one. Then, if there are several to decide, it goes on for ``SHARE`` times
        ``seconds`` for each that is open, or ``AS_USEFUL`` times as long as what is proved took, counted over all
        calls. The first call makes the circuit besides. With 0 seconds only what is proved already counts.
        """
        search, key = self._begun_search(seconds), property.index
        if search is None:
            return None
        self._search_while(search, lambda: key in search.open, seconds)
        if key not in search.proofs:
            return None
        self._given.add(key)
        return self._certificate(search, key)

    def news(self, seconds: float) -> Mapping[int, Induction | None] | None:
        """What is new since the last call: the properties, by their indices, that are proved, each with an induction,
        or violated (None). Searches until there is something new, or as long as ``proof`` does; None: there never is
        anything new again.
        """
        search = self._begun_search(seconds)
        if search is None:
            return None
        before = tuple(search.open)
        self._search_while(search, lambda: 0 < len(search.open) == len(before), seconds)
        violated = [key for key in before if key not in search.open and key not in search.proofs]
        news = {**dict.fromkeys(violated), **self.new_proofs()}
        return news if news or (search.open and self._may_go_on(search)) else None

    @property
    def steps(self) -> int:
        """Over how many states the search has been."""
        return 0 if self._search is None else self._search.steps

    @property
    def open(self) -> int:
        """How many invariants are neither proved nor violated so far."""
        return 0 if self._search is None else len(self._search.open)

    def _begun_search(self, seconds: float) -> InductionOfSeveral | None:
        if not self._is_begun and seconds > 0:
            self._is_begun = True
            self._search = self._begun()
        return self._search

    def _may_go_on(self, search: InductionOfSeveral) -> bool:
        return self._bound is None or search.steps < self._bound

    def _search_while(self, search: InductionOfSeveral, lacks: Callable[[], bool], seconds: float) -> None:
        """Search for more proofs while ``lacks()``, as long as ``proof`` says."""
        end, in_vain = time.monotonic() + self._longest, 0.0
        while seconds > 0 and lacks() and self._may_go_on(search):
            proved, before = len(search.proofs), time.process_time()
            search.advance(self._bound)
            ahead = time.process_time() - before
            self.cpu_seconds += ahead
            in_vain += ahead
            if len(search.proofs) > proved:
                self._useful, in_vain, ahead = self.cpu_seconds, 0.0, 0.0
            if time.monotonic() > end or not self._goes_on(search, seconds, in_vain, ahead):
                return

    def _goes_on(self, search: InductionOfSeveral, seconds: float, in_vain: float, ahead: float) -> bool:
        """Whether there is time for a step that takes ``ahead``, after ``in_vain`` seconds of this call."""
        if not search.proofs:
            return in_vain + ahead <= seconds
        if in_vain + ahead <= max(seconds, MOST):
            return True
        of_all = max(SHARE * seconds * min(self._to_decide, len(search.open)), AS_USEFUL * self._useful)
        return self._to_decide > 1 and self.cpu_seconds - self._useful + ahead <= of_all

    def new_proofs(self) -> dict[int, Induction]:
        """The inductions that prove other properties, by their indices, since the last call; no search."""
        if self._search is None:
            return {}
        keys = [key for key in self._search.proofs if key not in self._given]
        self._given.update(keys)
        return {key: self._certificate(self._search, key) for key in keys}

    def _begun(self) -> InductionOfSeveral | None:
        invariants = {item.index: invariant_of(self._system, item) for item in self._system.properties}
        if sum(invariant is not None for invariant in invariants.values()) < self._fewest:
            return None
        blasting = self._shared.blasting
        refuse_failures(blasting)
        if not self._shared.has_start:
            return None
        literals = {}
        for key, invariant in invariants.items():
            if invariant is None:
                continue
            of_model = len(blasting.failures)
            literal = blasting.truth(invariant)
            if any(failure.condition != FALSE for failure in blasting.failures[of_model:]):
                # An error of that property alone, if at all: it is told where that property is decided.
                del blasting.failures[of_model:]
                continue
            literals[key] = literal
            self._texts[key] = flat_expression_text(invariant)
        if not literals:
            return None
        circuit = blasting.circuit
        if self._cone_of_influence:
            # A run that other constraints exclude violates nothing: all of them are roots of the cone.
            constraints = (*circuit.initial, *circuit.invariants, *circuit.steps)
            circuit = reduced(circuit, [*literals.values(), *constraints])
        known = self._known()
        self._given.update(known)
        return InductionOfSeveral(circuit, literals, known)

    def _known(self) -> dict[int, StepProof]:
        """What the earlier answers prove by invariants alone."""
        keys: dict[str, list[int]] = {}
        for key, text in self._texts.items():
            keys.setdefault(text, []).append(key)
        known: dict[int, StepProof] = {}
        for item, answer in self._answers:
            proof = answer.certificate
            if not isinstance(proof, Induction) or proof.clauses or proof.distinct or item.index not in self._texts:
                continue
            texts = (self._texts[item.index], *proof.lemmas)
            if keys.keys() >= set(texts):
                members = tuple(key for text in texts for key in keys[text])
                for text, steps in zip(texts, proof.numbers_of_steps(), strict=True):
                    known |= {key: StepProof(steps, members) for key in keys[text] if key not in known}
        return known

    def _certificate(self, search: InductionOfSeveral, key: int) -> Induction:
        steps_of: dict[str, int] = {}
        for member in sorted(self._members(search, key)):
            text = self._texts[member]
            steps_of[text] = max(steps_of.get(text, 0), search.proofs[member].steps)
        sufficient = (steps_of.pop(self._texts[key]), *steps_of.values())
        is_uniform = len(set(sufficient)) == 1
        return Induction(max(sufficient), (), tuple(steps_of), sufficient_steps=() if is_uniform else sufficient)

    def _members(self, search: InductionOfSeveral, key: int) -> frozenset[int]:
        """The invariants that a certificate names: those that an earlier one names, if the key is among them.

        The re-check does not prove again what it has proved of a set, if all of the set is there again.
        """
        members = next((named for named in self._named if key in named), None)
        if members is None:
            members = search.connected(key)
            self._named = [members, *(named for named in self._named if named.isdisjoint(members))]
        return members
