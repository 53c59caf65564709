"""Sets of states of earlier proofs: each is proved once for all properties of the new version that it may serve."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.certificates.temporal import Labelling
from symag.smv.certify import inductive_set
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import branching_formula
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.reuse import NAME
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of

if TYPE_CHECKING:
    from symag.smv.certify.kinds import EarlierProof
    from symag.smv.methods.reuse.sets import EnlargedSets

#: A set of states: the kind of the certificate that it is from, its table, and the numbers of its conjuncts.
SetKey = tuple[type[Certificate], DiagramTable, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _SetProof:
    """The certificate of the positions that a set proves; ``note`` says what of it was enlarged, None if nothing."""

    certificate: Certificate
    positions: frozenset[int]
    note: str | None = None


class ReusedSets:
    """Sets of earlier proofs of the properties of one system, each re-checked, or enlarged and re-checked, once.

    The re-checks share the system's circuit and diagrams, in ``encoded``. Certificates with facts, or with labels of
    operators, are not among them.
    """

    def __init__(
        self,
        system: FlatSystem,
        properties: Sequence[Property],
        proofs: Sequence[Sequence[EarlierProof]],
        options: SmvOptions,
        encoded: EncodedSystem,
    ) -> None:
        self._system = system
        self._properties = properties
        self._options = options
        self._positions: dict[SetKey, list[int]] = {}
        for position, offered in enumerate(proofs):
            for proof in offered:
                key = self.key(position, proof.certificate)
                if key is not None and position not in self._positions.setdefault(key, []):
                    self._positions[key].append(position)
        self._wide = _widest(self._positions)
        for key, own in list(self._positions.items()):
            for wide in self._wider(key):
                served = self._positions.setdefault(wide, [])
                served.extend(position for position in own if position not in served)
        self._proved: dict[SetKey, _SetProof] = {}
        #: Whether the last set was enlarged: then a re-check of the next one as it is would probably be in vain.
        self._is_changed = False
        self._encoded = encoded
        self._enlarging: EnlargedSets | None = None

    def key(self, position: int, certificate: Certificate) -> SetKey | None:
        """The set of a certificate if it may prove the property at a position; None for all other proofs."""
        item = self._properties[position]
        match certificate:
            case InductiveSet() if not certificate.facts.texts and invariant_of(self._system, item) is not None:
                return InductiveSet, certificate.table, certificate.conjuncts
            case Labelling(labels=()) if branching_formula(self._system, item) is not None:
                return Labelling, certificate.table, certificate.reached
        return None

    def answer(self, position: int, proof: EarlierProof, is_known: bool, progress: Progress) -> PropertyResult | None:
        """The re-checked answer to the property at a position by the set of a proof, None if it does not prove it.

        ``is_known``: only what was proved before is of interest.
        """
        own = self.key(position, proof.certificate)
        if own is None:
            return None
        started = time.monotonic()
        keys = own, *self._wider(own)
        proofs = (self._proof(key, is_known, progress) for key in reversed(keys))
        proved = next((item for item in proofs if item is not None and position in item.positions), None)
        if proved is None:
            return None
        whole = proved.note is None
        what = f"whole proof in {proof.path}" if whole else f"proof in {proof.path}: {proved.note}"
        return PropertyResult(
            Verdict.HOLDS,
            NAME if whole else f"{NAME} (sets)",
            certified=True,
            certificate=proved.certificate,
            statistics={"certify_seconds": round(time.monotonic() - started, 4)},
            notes=(f"reused the {what}",),
        )

    def _wider(self, key: SetKey) -> tuple[SetKey, ...]:
        """The widest labelling's reached states, as a set of the same kind, if they are about all bits of a set."""
        kind, table, _ = key
        if self._wide is None or not frozenset(table.bits) <= frozenset(self._wide[1].bits):
            return ()
        wide = (kind, *self._wide[1:])
        return () if wide == key else (wide,)

    def _proof(self, key: SetKey, is_known: bool, progress: Progress) -> _SetProof | None:
        if key not in self._proved and not is_known:
            self._proved[key] = self._prove(key, progress)
        return self._proved.get(key)

    def _prove(self, key: SetKey, progress: Progress) -> _SetProof:
        positions = self._positions[key]
        progress(f"re-checking a set of states for {len(positions)} properties")
        if not self._is_changed:
            unchanged = self._accepted(self._certificate(key), positions, progress)
            if unchanged.positions:
                return unchanged
        try:
            enlarged = self._enlarged(key, progress)
        except (InputError, UnsupportedError) as error:
            progress(f"a set of states of an earlier proof is of no use: {error}")
            enlarged = None
        return enlarged or _SetProof(self._certificate(key), frozenset())

    def _enlarged(self, key: SetKey, progress: Progress) -> _SetProof | None:
        # Imported here: most often the sets serve as they are.
        from symag.smv.methods.reuse.sets import EnlargedSets

        self._enlarging = self._enlarging or EnlargedSets(self._system, self._options)
        positions = {id(self._properties[position]): position for position in self._positions[key]}
        properties = [self._properties[position] for position in positions.values()]
        kind, table, roots = key
        earlier = InductiveSet(table, roots)
        # If only initial states changed, no step leaves the set as it was: most images are saved.
        for assume_closed in (True, False):
            proved = self._enlarging.proved(
                properties, earlier, progress, branching=kind is Labelling, assume_closed=assume_closed
            )
            self._is_changed = proved.is_larger
            if not proved.candidates:
                return None
            grown = proved.certificate
            certificate = self._certificate((kind, grown.table, grown.conjuncts))
            accepted = self._accepted(certificate, [positions[id(item)] for item in proved.candidates], progress)
            if accepted.positions or not proved.assumes_closed:
                break
        return replace(accepted, note=proved.note) if proved.is_larger else accepted

    def _certificate(self, key: SetKey) -> Certificate:
        kind, table, roots = key
        return Labelling(table, roots, ()) if kind is Labelling else InductiveSet(table, roots)

    def _accepted(self, certificate: Certificate, positions: Sequence[int], progress: Progress) -> _SetProof:
        """The positions whose property the certificate proves by itself, which is re-checked here."""
        properties = [self._properties[position] for position in positions]
        try:
            if isinstance(certificate, InductiveSet):
                inductive_set.check_together(properties, certificate, self._encoded)
                return _SetProof(certificate, frozenset(positions))
            # Imported here: many models have invariants only.
            from symag.smv.certify import labelling

            assert isinstance(certificate, Labelling)
            shown = labelling.check_together(properties, certificate, self._encoded)
            return _SetProof(certificate, frozenset(positions[number] for number in shown))
        except (CertificationError, UnsupportedError) as error:
            progress(f"a set of states of an earlier proof is none of this version: {error}")
            return _SetProof(certificate, frozenset())


def _widest(keys: Iterable[SetKey]) -> SetKey | None:
    """The labelling with the most bits. Its reached states were found by a forward search, for no property of its own,
    so they most often prove whatever is about these bits.
    """
    labellings = [key for key in keys if key[0] is Labelling]
    return max(labellings, key=lambda key: len(key[1].bits), default=None)
