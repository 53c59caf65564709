"""A job: one question about one model, asked with one method and its options, under the batch's limits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from symag.core.limits import JobLimits
from symag.process.python import python_command


@dataclass(frozen=True, slots=True)
class KeptEvidence:
    """A folder for the certificate and the trace of a job; as ``pages`` they can be looked at."""

    folder: str
    pages: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the results.

    ``property`` is what ``--property`` takes, ``text`` and ``kind`` are the property's own and serve to match
    expectations. Three kinds are no properties: ``count`` (how many states, ``symag info``), ``simulation`` (by the
    specification that the options name) and ``model`` (one whose properties cannot be listed; checking it says why).
    ``files`` are further files that the answer depends on.
    ``expected`` is ``holds``, ``violated``, a value, or None where nothing is known.
    """

    model: str
    property: str | None
    kind: str
    text: str
    name: str | None = None
    target: str | None = None
    method: str = "auto"
    options: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    expected: str | None = None

    def arguments(self, limits: JobLimits, evidence: KeptEvidence | None = None) -> list[str]:
        """The command line behind ``symag`` that runs the job alone; its limits are symag's own.

        ``evidence`` says where certificates and traces go.
        """
        if self.kind == "count":
            words = ["info", self.model, *self.options]
        elif self.kind == "model":
            words = ["check", self.model]
        else:
            of_property = [] if self.property is None else ["--property", self.property]
            words = ["check", self.model, *of_property, "--method", self.method, *self.options]
        if self.target is not None:
            words += ["--target", self.target]
        if limits.wall is not None:
            words += ["--timeout", f"{limits.wall:g}"]
        if limits.memory is not None:
            words += ["--memory", str(limits.memory)]
        if evidence is not None and self.kind not in ("count", "model"):
            words += ["--certificate", f"{evidence.folder}/{'proof.html' if evidence.pages else ''}"]
            # The tree that refutes a simulation is written as a certificate.
            trace = ["--trace", f"{evidence.folder}/{'trace.html' if evidence.pages else ''}"]
            words += [] if self.kind == "simulation" else trace
        return [*words, "--json"]

    def command(self, limits: JobLimits, evidence: KeptEvidence | None = None) -> list[str]:
        """The same as a command for this interpreter."""
        return python_command("symag", *self.arguments(limits, evidence))


@dataclass(slots=True)
class ContentHashes:
    """Hashes of files, each read once."""

    _hashes: dict[str, str] = field(default_factory=dict)

    def hash_of(self, path: str) -> str:
        """SHA-256 of the file in hexadecimal; of nothing if it cannot be read."""
        if path not in self._hashes:
            try:
                data = Path(path).read_bytes()
            except OSError:
                data = b""
            self._hashes[path] = hashlib.sha256(data).hexdigest()
        return self._hashes[path]


def key(job: Job, limits: JobLimits, contents: ContentHashes) -> str:
    """What tells whether a job has been done: its question, method, options and limits, and what the files hold.

    The expectation does not count: it can be changed without running anything again.
    """
    identity: Mapping[str, Any] = {
        **{name: value for name, value in asdict(job).items() if name not in ("expected", "files")},
        "limits": asdict(limits),
        "contents": [contents.hash_of(path) for path in (job.model, *job.files)],
    }
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
