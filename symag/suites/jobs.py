"""A job: one question about one model, with one method and its options, under the batch's limits; failed jobs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, structs

from symag.core.limits import JobLimits
from symag.core.results import word_of
from symag.engine.families import family_of
from symag.process.supervision import Command, Launch
from symag.suites.option_files import files_in


class KeptEvidence(Struct, frozen=True):
    """The folder for the certificate and the trace of a job; with ``pages`` they are HTML pages.

    ``earlier`` are the certificates of an earlier version of the model, to be tried first.
    """

    folder: str
    pages: bool = False
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the results.

    ``property`` is the value for ``--property``; ``text`` and ``kind`` of the property serve to match expectations.
    Three kinds are not properties: ``count`` (the number of states, by ``symag info``), ``simulation`` (by the
    specification in the options) and ``model`` (its properties cannot be listed; a check of it says why).
    ``expected`` is ``holds``, ``violated``, a value, or None if nothing is known.
    """

    model: str
    property: str | None
    kind: str
    text: str
    name: str | None = None
    target: str | None = None
    method: str = "auto"
    options: tuple[str, ...] = ()
    expected: str | None = None

    def files(self) -> tuple[str, ...]:
        """The files besides the model that the answer depends on."""
        return files_in(self.options)

    def title(self) -> str:
        """The property as a line shows it: its text, after its name if it has one."""
        return self.text if self.name in (None, self.text) else f"{self.name}: {self.text}"

    def arguments(
        self, limits: JobLimits, evidence: KeptEvidence | None = None, others: Sequence[Job] = ()
    ) -> list[str]:
        """The arguments of ``symag`` that run the job, with ``limits`` as symag's own limits.

        ``evidence`` says where certificates and traces go. The job runs alone, or with others of its group
        (``symag.suites.groups``).
        """
        if self.kind == "count":
            words = ["info", self.model, *self.options]
        elif self.kind == "model":
            words = ["check", self.model]
        else:
            properties = [job.property for job in (self, *others) if job.property is not None]
            selection = [word for property in properties for word in ("--property", property)]
            words = ["check", self.model, *selection, "--method", self.method, *self.options]
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
            words += [word for proof in evidence.earlier for word in ("--reuse", proof)]
        return [*words, "--json"]

    def command(
        self, limits: JobLimits, evidence: KeptEvidence | None, launch: Launch, others: Sequence[Job] = ()
    ) -> Command:
        """The command that runs the job, alone or with others of its group."""
        return launch("symag", *self.arguments(limits, evidence, others))


@dataclass(slots=True)
class ContentHashes:
    """Hashes of files, each read once, and of what is read with them (``Family.beside``)."""

    _hashes: dict[str, str] = field(default_factory=dict)

    def hash_of(self, path: str) -> str:
        """The SHA-256 of the file in hexadecimal digits; that of empty content if it cannot be read.

        With files beside it, it is the SHA-256 of the names and hashes of them all.
        """
        if path not in self._hashes:
            own = _content_hash(path)
            beside = [file for file in family_of(path).beside(path) if Path(file).is_file()]
            named = "".join(f"{Path(file).suffix} {_content_hash(file)}\n" for file in beside)
            self._hashes[path] = hashlib.sha256(f"{own}\n{named}".encode()).hexdigest() if beside else own
        return self._hashes[path]

    def read(self, paths: Iterable[str]) -> None:
        """Hash the files now."""
        for path in paths:
            self.hash_of(path)

    def version(self, job: Job) -> str:
        """The hashes of the job's files, the model's first."""
        return self.version_with(job.model, job.options)

    def version_with(self, model: str, options: Sequence[str]) -> str:
        """The hashes of a model and of the files that these options name."""
        return " ".join(map(self.hash_of, (model, *files_in(options))))

    def changed(self, job: Job) -> str | None:
        """The first file of the job whose content is not the one that was hashed first; None if there is none."""
        present = ContentHashes()
        return next((path for path in (job.model, *job.files()) if self.hash_of(path) != present.hash_of(path)), None)


def _content_hash(path: str) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError:
        data = b""
    return hashlib.sha256(data).hexdigest()


def key(job: Job, limits: JobLimits, contents: ContentHashes) -> str:
    """The identity of a job: a hash of its question, method, options and limits, and the content of its files.

    The expectation is not part of it: it can be changed without running anything again.
    """
    return key_with(job, structs.asdict(limits), contents.version(job))


def key_with(job: Job, limits: Mapping[str, Any], version: str) -> str:
    """The identity of a job with these limits, and with files of this ``ContentHashes.version``."""
    identity: Mapping[str, Any] = {
        **{name: value for name, value in asdict(job).items() if name != "expected"},
        "limits": limits,
        "contents": version.split(" "),
    }
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


#: Crashes of symag, refused evidence, questions that make no sense, models that cannot be read.
Failure = Literal["crashed", "internal error", "re-check refused", "wrong usage", "bad input"]


def failure_of(reason: str | None) -> Failure | None:
    """The failure in the reason of an ``unknown`` job; None for other reasons, such as a limit."""
    word = word_of(reason or "")
    if word.startswith("exit status"):  # one that symag does not have
        return "crashed"
    return next((arg for arg in get_args(Failure) if arg == word), None)


def unwritten(warnings: Sequence[str]) -> str | None:
    """The warning that the evidence of a job cannot be written, if there is one."""
    return next((warning for warning in warnings if warning.startswith("cannot write ")), None)


#: In the reason of a job whose files were changed between the listing of its model's properties and its end.
CHANGED = "the file has changed since the batch began"

#: The reason of a job whose output found no room.
UNWRITABLE = "crashed: the folder for temporary files takes no output"


def may_be_mended(reason: str | None) -> bool:
    """Whether the failure may be gone at the next run: a missing file, folder or worker, a full disk."""
    text = reason or ""
    if text.startswith("bad input: "):
        return any(sign in text for sign in ("no such file", "cannot be read", "has no folder", CHANGED))
    return text.startswith(("crashed: the job's supervisor", "crashed: its worker died", UNWRITABLE))
