"""Proofs of earlier versions of a model: which there are, and what they still prove.

One process tries them on all properties, so that the model is encoded once, and what is inductive together is found and
re-checked once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from symag.core.errors import InputError, UsageError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.process.race import Runner, alone
from symag.process.session import Session
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.reuse import NAME, NO_PROOF
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.certify.kinds import EarlierProof


#: Searches start when the attempt has used this many CPU seconds: fewer after it has failed on the property before.
HEAD_START = 4.0
AFTER_FAILURE = 0.2

#: When attempts that decided nothing have used this many CPU seconds, and more than those that did, there are no more.
FUTILE = 3.0


def earlier_proofs(paths: Sequence[str]) -> tuple[EarlierProof, ...]:
    """The certificates in files, and in the ``.json`` files of folders that are certificates.

    A path that does not exist stands for the files that ``--certificate`` writes there, one a property.

    Raises InputError for a file that is none, UsageError for a path that does not exist and a folder without any.
    """
    if not paths:
        return ()
    # Most runs reuse nothing.
    import glob

    from symag.smv.certify.kinds import read_earlier_proof

    proofs: list[EarlierProof] = []
    for path in map(Path, paths):
        if not path.is_dir():
            # What --certificate makes of one path where there are several properties.
            several = [] if path.exists() else sorted(path.parent.glob(f"{glob.escape(path.stem)}-*{path.suffix}"))
            if not path.exists() and not several:
                raise UsageError(f"--reuse {path}: there is no such file")
            proofs.extend(map(read_earlier_proof, several or [path]))
            continue
        count = len(proofs)
        for file in sorted(path.glob("*.json")):
            try:
                proofs.append(read_earlier_proof(file))
            except InputError:
                continue  # folders of evidence hold traces too
        if len(proofs) == count:
            raise UsageError(f"--reuse {path}: the folder has no certificate of an SMV model")
    return tuple(proofs)


def is_reusable(path: str) -> bool:
    """Whether a file has a certificate of clauses, formulas or sets of states: these mostly save time."""
    # Imported here, as in ``earlier_proofs``.
    from symag.smv.certificates.invariants import InductiveSet
    from symag.smv.certificates.temporal import Labelling
    from symag.smv.certify.kinds import read_earlier_proof
    from symag.smv.methods.reuse.together import is_of_facts

    try:
        certificate = read_earlier_proof(path).certificate
    except InputError:
        return False
    return is_of_facts(certificate) or isinstance(certificate, InductiveSet | Labelling)


def fitting(proofs: Sequence[EarlierProof], property: Property) -> tuple[EarlierProof, ...]:
    """The proofs of a property with the same text; if there is none, those with the same name."""
    same = [proof for proof in proofs if (proof.kind, proof.text) == (property.kind, property.text)]
    if not same and property.name is not None:
        same = [proof for proof in proofs if (proof.kind, proof.name) == (property.kind, property.name)]
    return tuple(proof for proof in same if proof.certificate.claim != "violated")


class Reuse:
    """Earlier proofs of the properties of one system, tried in one process that lives until ``close()``."""

    def __init__(
        self,
        system: FlatSystem,
        properties: Sequence[Property],
        proofs: Sequence[EarlierProof],
        options: SmvOptions,
        memory: int | None,
    ) -> None:
        self._fitting = [fitting(proofs, item) for item in properties]
        self._session: Session | None = None
        self._has_failed = False
        self._proves_more = False
        self._gained = self._lost = 0.0
        if any(self._fitting):
            # Imported here, once for all properties; without --reuse it is not needed.
            from symag.smv.checking.reuse_attempt import ReuseAttempt

            self._session = Session(ReuseAttempt(system, properties, self._fitting, options).answer, memory)

    def enter(self, position: int, searches: Sequence[Runner]) -> Sequence[Runner]:
        """The searches for the property at a position, and the attempt with its earlier proofs if there are any."""
        if self._session is None or not self._fitting[position] or self._lost > max(FUTILE, self._gained):
            return searches
        attempt = Runner(NAME, partial(self._session.start, (position, False)), kept=True)
        delay = AFTER_FAILURE if self._has_failed else HEAD_START
        return (attempt, *(replace(search, delay=search.delay + delay) for search in searches))

    def known(self, position: int, deadline: float | None, progress: Progress) -> PropertyResult | None:
        """The answer to the property at a position if it was proved with an earlier one: then there is no race."""
        if self._session is None or not self._proves_more or not self._fitting[position]:
            return None
        outcome = alone(Runner(NAME, partial(self._session.start, (position, True)), kept=True), deadline, progress)
        result: PropertyResult | None = outcome.value
        if result is None or result.verdict is Verdict.UNKNOWN:
            return None
        costs = {"seconds": round(outcome.seconds, 4), "cpu_seconds": round(outcome.cpu_seconds, 4)}
        return replace(result, statistics={**result.statistics, **costs})

    def remember(self, result: PropertyResult) -> None:
        """Record whether the attempt decided a property."""
        entry = next((entry for entry in result.race if entry.method == NAME), None)
        if entry is not None:
            self._has_failed = entry.outcome != "decided"
            self._gained += 0.0 if self._has_failed else entry.cpu_seconds
            self._lost += entry.cpu_seconds if self._has_failed else 0.0
            # An attempt that was overtaken is killed, with what it knew.
            self._proves_more = entry.outcome in ("decided", NO_PROOF)

    def close(self) -> None:
        """Kill the process."""
        if self._session is not None:
            self._session.close()
