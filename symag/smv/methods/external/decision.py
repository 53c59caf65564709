"""Runs a program that the user names. It reads AIGER or BTOR2, and writes witnesses and certificates.

The program is not trusted: its run is replayed and its certificate re-checked, here and again where answers are
re-checked. A claim without evidence gives no verdict.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from symag.core.errors import CertificationError, InputError, UnsupportedError, UsageError
from symag.core.limits import JobLimits, Progress
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.trace import Trace
from symag.process.folders import temporary_folder
from symag.process.supervision import CommandExit, SupervisedCommand
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.replay import is_refutation
from symag.smv.methods.external.command_line import MODELS, OUTPUTS, filled, words_of
from symag.smv.methods.external.files import VIOLATED, AigerModel, Btor2Model, witness_in
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

#: The lines by which tools say that the property holds, and their exit statuses for both answers (HWMCC).
_HOLDS = frozenset(("0", "unsat"))
_EXIT_HOLDS, _EXIT_VIOLATED = 20, 10

#: The largest number of characters of a program's output in a reason.
_SHOWN = 100


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide an invariant, ``AG p`` or LTL by ``options.command``.

    ``violated`` comes with the program's run, ``holds`` with its certificate (of invariants only), each accepted by the
    re-check. If the program gives neither, or a wrong one, the verdict is ``unknown`` with the reason. Raises
    InputError, UsageError without a command, and UnsupportedError for a property that the
    format cannot express.
    """
    if options.command is None:
        raise UsageError("--method external needs --command, such as --command 'rIC3 {aiger}'")
    words = words_of(options.command)
    name = os.path.basename(words[0])
    program = shutil.which(words[0])
    if program is None:
        return _unknown(f"{words[0]}: there is no such program", {})
    with temporary_folder("symag-external-") as folder:
        model = _Model.of(system, property, words, folder)
        places = {place: str(folder / file) for place, file in {**MODELS, **OUTPUTS}.items()}
        command = [program, *(filled(word, places) for word in words[1:])]
        progress(f"running {name}")
        output = run(command, folder, options.memory)
        if output.ending is None:
            return _unknown(f"{name} could not be run: {_first(output.errors)}", {})
        figures = {"exit_status": output.ending.status, "command_cpu_seconds": round(output.ending.cpu_seconds, 3)}
        if output.ending.limit == "memory":
            return PropertyResult(Verdict.UNKNOWN, "external", reason=Reason.MEMORY.text(), statistics=figures)
        progress(f"reading what {name} wrote")
        return _Answer(system, property, model, output, folder, name, figures).result()


class _Model(Struct, frozen=True):
    """The model in the languages that the command asks for."""

    aiger: AigerModel | None
    btor2: Btor2Model | None

    @staticmethod
    def of(system: FlatSystem, checked: Property, words: Sequence[str], folder: Path) -> _Model:
        """Write the files that the command's words name to a folder."""
        named = {place for place in MODELS if any(place in word for word in words)}
        aiger = AigerModel.of(system, checked) if named & {"{aiger}", "{aag}"} else None
        btor2 = Btor2Model.of(system, checked) if "{btor2}" in named else None
        for model in (aiger, btor2):
            if model is not None:
                model.write(folder)
        return _Model(aiger, btor2)


class _Answer(Struct, frozen=True):
    """The output of a command and the files that it wrote, and what they prove."""

    system: FlatSystem
    checked: Property
    model: _Model
    output: CommandOutput
    folder: Path
    name: str
    figures: Mapping[str, int | float]

    def result(self) -> PropertyResult:
        """The verdict that evidence supports."""
        faults: list[str] = []
        for witness in self._witnesses():
            try:
                for trace in self._traces(witness):
                    if is_refutation(self.system, self.checked, trace):
                        return PropertyResult(Verdict.VIOLATED, "external", trace=trace, statistics=self.figures)
                faults.append("the run that it gives does not violate the property")
            except (InputError, CertificationError) as error:
                faults.append(f"the run that it gives is none: {error}")
        for certificate in self._certificates(faults):
            try:
                if check_certificate(self.system, self.checked, certificate):
                    return PropertyResult(Verdict.HOLDS, "external", certificate=certificate, statistics=self.figures)
            except (CertificationError, UnsupportedError) as error:
                faults.append(str(error))
        return _unknown(f"{self.name}: {faults[0] if faults else self._claim()}", self.figures)

    def _witnesses(self) -> Iterator[str]:
        """Texts that may be witnesses: in the file, and in the output."""
        file = content(self.folder / OUTPUTS["{witness}"]).decode("utf-8", "replace")
        for text in (file, self.output.text):
            witness = witness_in(text)
            if witness is not None:
                yield witness

    def _traces(self, witness: str) -> Sequence[Trace]:
        if witness.startswith("sat"):
            if self.model.btor2 is None:
                raise InputError("it is a BTOR2 witness, and the program was given no BTOR2 file")
            return self.model.btor2.traces(witness, self.folder)
        if self.model.aiger is None:
            raise InputError("it is an AIGER witness, and the program was given no AIGER file")
        return self.model.aiger.traces(witness)

    def _certificates(self, faults: list[str]) -> Iterator[Certificate]:
        """The certificates that can be read; what is wrong with others is added to ``faults``."""
        aiger = self.model.aiger
        circuit = content(self.folder / OUTPUTS["{certificate}"])
        pla = content(self.folder / OUTPUTS["{pla}"]).decode("utf-8", "replace")
        if aiger is None:
            if circuit:
                faults.append("its certificate is for a BTOR2 file: only those of AIGER files are read")
            return
        try:
            if circuit:
                yield aiger.circuit(circuit)
            if pla.strip():
                yield from aiger.invariants(pla)
        except InputError as error:
            faults.append(f"its certificate is none: {error}")

    def _claim(self) -> str:
        """The program's answer, for which it gives no evidence, as a reason."""
        lines = {line.strip().lower() for line in self.output.text.splitlines()}
        assert self.output.ending is not None
        status = self.output.ending.status
        if status == _EXIT_VIOLATED or (status != _EXIT_HOLDS and lines & VIOLATED):
            return "it says that the property is violated, and gives no run"
        if status == _EXIT_HOLDS or lines & _HOLDS:
            return "it says that the property holds, and gives no certificate"
        first = _first(self.output.errors) or _first(self.output.text)
        return f"no answer (exit status {status})" + (f": {first}" if first else "")


def _first(text: str) -> str:
    """The first line that is not blank, with ? for characters that cannot be printed."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return "".join(character if character.isprintable() else "?" for character in line[:_SHOWN])


def _unknown(reason: str, figures: Mapping[str, int | float]) -> PropertyResult:
    return PropertyResult(Verdict.UNKNOWN, "external", reason=f"external: {reason}", statistics=figures)


#: The largest number of bytes that is read of a command's output, or of a file that it writes.
LARGEST = 1 << 28


class CommandOutput(Struct, frozen=True):
    """How the command ended (None: it could not be started), and what it printed."""

    ending: CommandExit | None
    text: str
    errors: str


def run(command: Sequence[str], folder: Path, memory: int | None) -> CommandOutput:
    """Run a command; its first word is the path of a program, ``memory`` its limit in MiB. It has no limit of time."""
    output, errors = folder / "output", folder / "errors"
    running = SupervisedCommand(command, JobLimits(memory=memory), str(output), str(errors), lambda ending: ending)
    ending: CommandExit | None = running.result()
    return CommandOutput(ending, content(output).decode("utf-8", "replace"), content(errors).decode("utf-8", "replace"))


def content(path: Path) -> bytes:
    """The first ``LARGEST`` bytes of a file; nothing if it is missing or not a plain file."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(LARGEST)
