"""Proofs of earlier versions of a model: which there are, and whether one still serves."""

from __future__ import annotations

import glob
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from symag.core.errors import CertificationError, InputError, UnsupportedError, UsageError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.process.race import Runner, once
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.certify.files import EarlierProof

#: The name of the attempt with earlier proofs in a race.
NAME = "reuse"

#: Searches start when the attempt has used this many CPU seconds: seldom is it worth more where it fails.
HEAD_START = 1.0


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


def reusing(
    system: FlatSystem,
    property: Property,
    proofs: Sequence[EarlierProof],
    options: SmvOptions,
    memory: int | None,
) -> Runner:
    """What tries earlier proofs of a property: each as it is, then what is left of it.

    Its value is unknown if none serves. An answer by a whole proof is re-checked already, others are not.
    """
    # Imported here, once for the processes of all properties; without --reuse they are not needed.
    from symag.smv.certify import accept
    from symag.smv.methods.reuse import decision

    def attempt(progress: Progress) -> PropertyResult:
        for proof in proofs:
            progress(f"re-checking the proof in {proof.path}")
            claim = PropertyResult(Verdict.HOLDS, NAME, certificate=proof.certificate)
            started = time.monotonic()
            try:
                accepted = accept(system, property, claim, None, package=options.certify_bdd)
            except CertificationError as error:
                progress(f"the proof in {proof.path} is none of this version: {error}")
                continue
            if accepted.certified:
                costs = {"certify_seconds": round(time.monotonic() - started, 4)}
                return replace(accepted, statistics=costs, notes=(f"reused the whole proof in {proof.path}",))
        for proof in proofs:
            try:
                result = decision.decide(system, property, proof.certificate, options, progress)
            except (InputError, UnsupportedError) as error:
                progress(f"no answer from the proof in {proof.path}: {error}")
                continue
            if result is not None and result.verdict is not Verdict.UNKNOWN:
                notes = tuple(f"reused the proof in {proof.path}: {note}" for note in result.notes)
                return replace(result, method=f"{NAME} ({result.method})", notes=notes)
        return PropertyResult(Verdict.UNKNOWN, NAME, reason="no earlier proof proves the property any more")

    return once(NAME, attempt, memory)


def _refutes(proof: EarlierProof) -> bool:
    return proof.certificate.claim == "violated"
