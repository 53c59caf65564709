"""The family of probabilistic systems: PRISM's language, and explicit files."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symag.core.errors import UsageError
from symag.core.files import has_suffix, write_file
from symag.core.limits import Limits, Progress
from symag.core.results import PropertyResult
from symag.core.tables import by_suffix
from symag.core.trace import Trace
from symag.core.values import replace
from symag.lpts.checking.trace_formats import FORMATS as TRACE_FORMATS
from symag.lpts.methods.options import METHODS, LptsOptions
from symag.lpts.model import LptsModel
from symag.lpts.readers import FORMATS, PRISM_SUFFIXES, SUFFIXES, SUFFIXES_TEXT, files_beside
from symag.lpts.request import LptsRequest
from symag.process.family import Family

if TYPE_CHECKING:
    # Only for their names: `check` needs no reports, and numpy takes time to import.
    from symag.core.reports import Conversion, ListedQuestion, Report
    from symag.core.walks import WalkRequest
    from symag.lpts.checking.check import SimulationFiles, SimulationQuestion
    from symag.process.decisions import Inquiry
    from symag.traces.page.proof import Proof


def _questions(source: LptsRequest | SimulationFiles) -> list[str]:
    """What is asked, each as it is given."""
    given = (source.specification, source.formula, source.properties, source.triples)
    return [question for question in given if question is not None]


# What reads, decides and re-checks is imported when it is asked for: numpy takes time to import.
class LptsFamily(Family):
    """A model is an ``LptsModel``, a question a ``SimulationQuestion``."""

    name = "PRISM models"
    label = "PRISM"
    suffixes = SUFFIXES
    suite_suffixes = PRISM_SUFFIXES
    beginnings: Mapping[bytes, str] = {rb"(mdp|dtmc|ctmc|pa|probabilistic|nondeterministic)\b": ".prism"}
    request = LptsRequest
    options = LptsOptions
    methods = METHODS
    trace_formats = tuple(TRACE_FORMATS)
    conversions = by_suffix(FORMATS)
    one_model = "a PRISM model"
    without_questions = "nothing is asked of the model"

    def read(self, path: str, request: LptsRequest) -> LptsModel:
        from symag.lpts.checking.check import SimulationFiles

        self._check(path, request)
        return LptsModel(
            SimulationFiles(
                path,
                tuple(request.components),
                request.specification,
                request.formula,
                {name: str(value) for name, value in request.constants.items()},
                request.alphabets,
                request.properties,
                tuple(request.selected),
                request.equivalence,
                request.triples,
            )
        )

    def _check(self, path: str, request: LptsRequest) -> None:
        """Raises UsageError unless exactly one thing is asked, of files with known suffixes."""
        self._check_components(request)
        if len(_questions(request)) > 1:
            raise UsageError("either --specification or --formula or --properties or --triples")
        if request.equivalence not in (None, "bisimulation", "simulation"):
            raise UsageError("--equivalence is bisimulation or simulation")
        if request.equivalence is not None and request.specification is None:
            raise UsageError("--equivalence needs the other system: --specification FILE")
        if request.selected and request.properties is None and request.triples is None:
            raise UsageError("--property is for --properties FILE or --triples FILE")
        if request.specification is not None and not has_suffix(request.specification, SUFFIXES):
            raise UsageError(f"{request.specification}: a specification is read from a {SUFFIXES_TEXT} file")

    def beside(self, path: str) -> tuple[str, ...]:
        return files_beside(path)

    def has_read(self, model: object) -> bool:
        return isinstance(model, LptsModel)

    def _check_components(self, request: LptsRequest) -> None:
        wrong = [component for component in request.components if not has_suffix(component, SUFFIXES)]
        if wrong:
            raise UsageError(f"{wrong[0]}: a component is read from a {SUFFIXES_TEXT} file")

    def warnings(self, model: LptsModel) -> Sequence[str]:
        return () if model.problem is None else model.problem.warnings

    def questions(self, model: LptsModel, request: LptsRequest) -> Sequence[SimulationQuestion]:
        from symag.lpts.checking.questions import questions

        return questions(self._asked(model.files))

    def asking(self, model: LptsModel, request: LptsRequest) -> LptsModel:
        if not _questions(request):
            return model
        self._check(model.files.path, request)
        files = replace(
            model.files,
            specification=request.specification,
            formula=request.formula,
            properties=request.properties,
            selected=tuple(request.selected),
            equivalence=request.equivalence,
            triples=request.triples,
        )
        return LptsModel(files)

    def _asked(self, files: SimulationFiles) -> SimulationFiles:
        """Raises UsageError if nothing is asked."""
        if not _questions(files):
            message = "say by --specification FILE what has to simulate it, or by --formula what it has to satisfy"
            raise UsageError(f"{files.path}: {message} (--properties FILE: several formulas; --triples FILE)")
        return files

    def file_names(self, questions: Sequence[SimulationQuestion]) -> list[tuple[int, str | None]]:
        several = len(questions) > 1
        return [(question.index, question.name or (None if several else question.kind)) for question in questions]

    def inquiries(
        self,
        model: LptsModel,
        questions: Sequence[SimulationQuestion],
        method: str,
        options: LptsOptions,
        limits: Limits,
        progress: Progress,
    ) -> Generator[Inquiry[SimulationQuestion], None, None]:
        from symag.lpts.checking.inquiry import inquiries

        return inquiries(model, questions, method, options, limits, progress)

    def subject(self, question: SimulationQuestion) -> str:
        return f"property {question.index}"

    def sentence(self, question: SimulationQuestion) -> str:
        return question.text

    def heading(self, question: SimulationQuestion, result: PropertyResult) -> str:
        return f"-- {question.text}"

    def trace_lines(
        self, model: LptsModel, question: SimulationQuestion, trace: Trace, number: int, full: bool
    ) -> Iterator[str]:
        from symag.lpts.checking.written_traces import tree_lines

        why = "that violates the formula" if question.kind == "pctl" else "the specification cannot simulate"
        yield f"Tree that the system can run and {why}:"
        yield from tree_lines(trace)

    def write_certificate(
        self, path: Path, model: LptsModel, question: SimulationQuestion, result: PropertyResult
    ) -> bool:
        document = self._evidence_text(model, question, result)
        if document is None:
            return False
        write_file(path, document)
        return True

    def proof(self, model: LptsModel, question: SimulationQuestion, result: PropertyResult) -> Proof:
        from symag.lpts.certificates.certificate import ProbabilisticCertificate
        from symag.lpts.checking.proof_page import proof_of

        problem = None if model.problem is None else model.problem.problem
        assert isinstance(result.certificate, ProbabilisticCertificate)
        return proof_of(model.files, getattr(problem, "components", ()), result.certificate)

    def _evidence_text(self, model: LptsModel, question: SimulationQuestion, result: PropertyResult) -> str | None:
        from symag.lpts.certificates.certificate import ProbabilisticCertificate
        from symag.lpts.certify.kinds import certificate_text
        from symag.lpts.checking.recheck import property_fields

        problem = None if model.problem is None else model.problem.problem
        if problem is None or not isinstance(result.certificate, ProbabilisticCertificate):
            return None
        return certificate_text(model.files.path, property_fields(question), problem, result.certificate)

    def write_trace(
        self, path: Path, form: str, model: LptsModel, question: SimulationQuestion, result: PropertyResult
    ) -> None:
        from symag.lpts.checking.trace_formats import format_named
        from symag.lpts.checking.written_traces import WrittenTree

        document = self._evidence_text(model, question, result)
        if document is not None:
            write_file(path, format_named(form).tree_text(WrittenTree(model, question, result, document, str(path))))

    def info(self, path: str, request: LptsRequest, limits: Limits, progress: Progress) -> Report:
        from symag.lpts.checking.info import info

        return info(self.read(path, request).files, limits, progress)

    def recheck(
        self, path: str, request: LptsRequest, certificate: str, show: bool, limits: Limits, progress: Progress
    ) -> Report:
        from symag.lpts.checking.evidence import recheck_file

        return recheck_file(self._asked(self.read(path, request).files), certificate, show, limits, progress)

    def replay(
        self, path: str, request: LptsRequest, trace: str, full: bool, limits: Limits, progress: Progress
    ) -> Report:
        from symag.lpts.checking.evidence import replay_file

        return replay_file(self._asked(self.read(path, request).files), trace, limits, progress)

    def simulate(
        self, path: str, request: LptsRequest, walk: WalkRequest, limits: Limits, progress: Progress
    ) -> Report:
        from symag.lpts.checking.simulation import simulate_system

        return simulate_system(self.read(path, request).files, walk, limits, progress)

    def convert(self, path: str, request: LptsRequest, form: str, output: str, progress: Progress) -> Conversion:
        from symag.lpts.bisimulation import minimised
        from symag.lpts.convert.conversion import converted
        from symag.lpts.language.reading import named_states

        self._check_components(request)
        if request.minimise not in (None, "strong"):
            raise UsageError("a probabilistic system is minimised by strong bisimulation: --minimise strong")
        named = named_states(path, request.components, request.constants, request.alphabets, progress)
        return converted(named if request.minimise is None else minimised(named, progress), form, request.decimals)

    def listed(self, path: str) -> Iterator[ListedQuestion]:
        """Without a specification, only the states are counted."""
        from symag.core.reports import ListedQuestion

        yield ListedQuestion(None, "count", "the states")

    def html(self, model: LptsModel | None, question: SimulationQuestion, result: PropertyResult, sentence: str) -> str:
        # For start-up: only notebooks show HTML.
        from html import escape

        shown = f"<p><code>{escape(question.text)}</code> {escape(sentence)}</p>"
        if result.trace is None:
            return shown
        from symag.lpts.checking.written_traces import tree_lines

        return f"{shown}\n<pre>{escape(chr(10).join(tree_lines(result.trace)))}</pre>"


#: For ``symag.engine.families``.
FAMILY = LptsFamily()
