"""Proofs of earlier versions of a model: which there are, and whether one still serves."""

from __future__ import annotations

import glob
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from symag.core.errors import InputError, UsageError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.process.child import ChildOutcome
from symag.process.race import alone, once
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.certify.files import EarlierProof

#: The share of the time that is left which the attempt with an earlier proof may take.
_SHARE = 0.5


def earlier_proofs(paths: Sequence[str]) -> tuple[EarlierProof, ...]:
    """The certificates in files, and in the ``.json`` files of folders that are certificates.

    A path that does not exist stands for the files that ``--certificate`` writes there, one a property.

    Raises InputError for a file that is none, UsageError for a path that does not exist and a folder without any.
    """
    if not paths:
        return ()
    from symag.smv.certify.files import read_earlier_proof  # most runs reuse nothing

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


def fitting(proofs: Sequence[EarlierProof], property: Property) -> tuple[EarlierProof, ...]:
    """The proofs of a property with the same text; if there is none, those with the same name."""
    same = [proof for proof in proofs if (proof.kind, proof.text) == (property.kind, property.text)]
    if not same and property.name is not None:
        same = [proof for proof in proofs if (proof.kind, proof.name) == (property.kind, property.name)]
    claims = [proof for proof in same if not _refutes(proof)]
    return tuple(claims)


def reused(
    system: FlatSystem,
    property: Property,
    proof: EarlierProof,
    options: SmvOptions,
    memory: int | None,
    deadline: float | None,
    progress: Progress,
) -> PropertyResult | None:
    """The property's result by an earlier proof, or by what of it can still be proved; None if that is no answer.

    The first is re-checked already, the second is not.
    """
    started = time.monotonic()
    whole = alone(once("reuse", partial(_recheck, system, property, proof), memory), _until(deadline), progress)
    accepted: PropertyResult | None = whole.value
    if accepted is not None and accepted.certified:
        costs = {
            "seconds": round(time.monotonic() - started, 4),
            "cpu_seconds": round(whole.cpu_seconds, 4),
            "memory_mib": round(whole.memory, 1),
            "certify_seconds": round(whole.seconds, 4),
        }
        return replace(accepted, statistics=costs, notes=(f"reused the whole proof in {proof.path}",))
    progress(f"reuse: the proof in {proof.path} is none of this version: {_why(whole)}")
    work = partial(_from_what_is_left, system, property, proof, options)
    partly = alone(once("reuse", work, memory), _until(deadline), progress)
    result: PropertyResult | None = partly.value
    if result is None or result.verdict is Verdict.UNKNOWN:
        progress(f"reuse: no answer from the proof in {proof.path}: {_why(partly)}")
        return None
    costs = {
        "seconds": round(time.monotonic() - started, 4),
        "cpu_seconds": round(whole.cpu_seconds + partly.cpu_seconds, 4),
        "memory_mib": round(max(whole.memory, partly.memory), 1),
    }
    notes = tuple(f"reused the proof in {proof.path}: {note}" for note in result.notes)
    method = f"reuse ({result.method})"
    return replace(result, method=method, notes=notes, statistics={**result.statistics, **costs})


def _until(deadline: float | None) -> float | None:
    """When an attempt ends, so that time is left for others."""
    if deadline is None:
        return None
    now = time.monotonic()
    return now + _SHARE * max(0.0, deadline - now)


def _why(outcome: ChildOutcome) -> str:
    return str(outcome.error or outcome.reason or "what it says no longer proves the property")


def _refutes(proof: EarlierProof) -> bool:
    return proof.certificate.claim == "violated"


def _recheck(system: FlatSystem, property: Property, proof: EarlierProof, progress: Progress) -> PropertyResult:
    from symag.smv.certify import accept  # in the child only

    progress(f"re-checking the proof in {proof.path}")
    return accept(system, property, PropertyResult(Verdict.HOLDS, "reuse", certificate=proof.certificate), None)


def _from_what_is_left(
    system: FlatSystem, property: Property, proof: EarlierProof, options: SmvOptions, progress: Progress
) -> PropertyResult | None:
    from symag.smv.methods.reuse import decision  # in the child only

    return decision.decide(system, property, proof.certificate, options, progress)
