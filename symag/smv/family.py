"""The family of SMV models, with AIGER and BTOR2 models, which are read into the same flat systems."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symag.bdd.engines import Engine
from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress
from symag.core.options import Options, option
from symag.core.results import PropertyResult, Verdict
from symag.core.tables import by_suffix
from symag.core.trace import Trace
from symag.core.values import replace
from symag.process.family import Family
from symag.smv.checking.flat_models import SUFFIXES, files_beside, read_flat_system
from symag.smv.checking.methods import METHODS
from symag.smv.checking.trace_files import ALL_NAMES
from symag.smv.convert.formats import FORMATS
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property, kind_word

if TYPE_CHECKING:
    # Only for their names: `check` needs no reports.
    from symag.core.reports import Conversion, ListedQuestion, Report
    from symag.core.walks import WalkRequest
    from symag.smv.checking.check import PropertyInquiry
    from symag.traces.page.proof import Proof

_VERDICTS = {Verdict.HOLDS: "true", Verdict.VIOLATED: "false", Verdict.UNKNOWN: "unknown"}


class SmvRequest(Options, frozen=True):
    """The properties to answer (none: all), and the options of single commands."""

    properties: tuple[str, ...] = option(
        (),
        "Only the property with this name or NuSMV index (repeatable).",
        flag="--property",
        commands=("check", "replay", "convert"),
        metavar="NAME|N",
    )
    reachable: bool = option(
        False, "Count the reachable states, exactly, and the diameter.", commands=("info",), only_yes=True
    )
    order_file: str | None = option(
        None, "Read a NuSMV .ord file.", flag="--order", commands=("info",), metavar="FILE", is_input=True
    )
    number: int | None = option(
        None, "Which of several traces in a text file.", commands=("replay",), least=1, metavar="N"
    )
    constraint: str | None = option(
        None,
        "Holds in every state; on every step if it reads inputs or next(..).",
        commands=("simulate",),
        metavar="EXPR",
    )
    assumptions: str | None = option(
        None,
        "A certificate by parts: the page (--trace FILE.html) has the state of each of its assumptions at each step.",
        commands=("simulate",),
        metavar="FILE",
    )
    certificate: str | None = option(
        None,
        "Write this certificate of MODEL, as AIGER witness circuit (OUTPUT.aig or .aag).",
        commands=("convert",),
        metavar="FILE",
    )
    picture: str | None = option(None, "Draw the learned assumptions.", commands=("certify",), metavar="FILE.svg")
    certify_bdd: Engine = option("auto", "The package of decision diagrams.", commands=("certify",))


# Methods import what they need: BDDs, SAT solvers and pages take time to import, and no command needs all of them.
class SmvFamily(Family):
    """A model is a ``FlatSystem``, a question a ``Property``."""

    name = "SMV models"
    label = "SMV"
    suffixes = SUFFIXES
    suite_suffixes = SUFFIXES
    beginnings: Mapping[bytes, str] = {rb"aig |aag ": ".aig", rb"\d+\s+sort\s": ".btor2", rb"MODULE\b": ".smv"}
    request = SmvRequest
    options = SmvOptions
    methods = METHODS
    trace_formats = ALL_NAMES
    further_commands = ("partition", "facts", "contracts", "tune")
    conversions = by_suffix(FORMATS)
    one_model = "an SMV model"
    without_questions = "the model has no properties: nothing is decided"

    def read(self, path: str, request: SmvRequest) -> FlatSystem:
        return read_flat_system(path)

    def beside(self, path: str) -> tuple[str, ...]:
        return files_beside(path)

    def has_read(self, model: object) -> bool:
        return isinstance(model, FlatSystem)

    def questions(self, model: FlatSystem, request: SmvRequest) -> Sequence[Property]:
        from symag.smv.checking.check import select

        return select(model, request.properties)

    def unasked(self, model: FlatSystem, limits: Limits, progress: Progress) -> Sequence[str]:
        from symag.smv.checking.evaluation import unasked

        return unasked(model, limits, progress)

    def file_names(self, questions: Sequence[Property]) -> list[tuple[int, str | None]]:
        return [(question.index, question.name) for question in questions]

    def inquiries(
        self,
        model: FlatSystem,
        questions: Sequence[Property],
        method: str,
        options: SmvOptions,
        limits: Limits,
        progress: Progress,
    ) -> Generator[PropertyInquiry, None, None]:
        from symag.smv.checking.check import inquiries

        return inquiries(model, questions, method, options, limits)

    def subject(self, question: Property) -> str:
        return f"property {question.index}"

    def sentence(self, question: Property) -> str:
        return f"{kind_word(question.kind)} {question.text}"

    def heading(self, question: Property, result: PropertyResult) -> str:
        """The line that NuSMV prints, so that scripts that read NuSMV's output can read it."""
        return f"-- {self.sentence(question)}  is {_VERDICTS.get(result.verdict, str(result.value))}"

    def trace_lines(
        self, model: FlatSystem, question: Property, trace: Trace, number: int, full: bool
    ) -> Iterator[str]:
        from symag.smv.checking.reports.trace_report import shown_report
        from symag.traces import plain

        yield "-- as demonstrated by the following execution sequence"
        for line in plain.lines(shown_report(model, trace, question, number=number), full):
            yield line.rstrip()

    def write_certificate(self, path: Path, model: FlatSystem, question: Property, result: PropertyResult) -> bool:
        from symag.smv.certificates.certificate import Certificate
        from symag.smv.certify import write_certificate

        if result.verdict is not Verdict.HOLDS or not isinstance(result.certificate, Certificate):
            return False
        write_certificate(path, model, question, result.certificate)
        return True

    def is_reusable(self, path: str) -> bool:
        from symag.smv.checking.reuse import is_reusable

        return is_reusable(path)

    def proof(self, model: FlatSystem, question: Property, result: PropertyResult) -> Proof:
        from symag.smv.certificates.certificate import Certificate
        from symag.smv.checking.reports.proof_page import proof_of

        assert isinstance(result.certificate, Certificate)
        return proof_of(model, question, result.certificate)

    def write_trace(self, path: Path, form: str, model: FlatSystem, question: Property, result: PropertyResult) -> None:
        from symag.smv.checking.reports.trace_page import dumped_report, explained_report
        from symag.smv.checking.reports.trace_report import trace_report
        from symag.smv.checking.trace_files import DUMP, PAGE, write_trace

        if result.trace is None:
            raise UsageError("there is no trace")
        if form == DUMP:
            report = dumped_report(model, question, result.trace)
        elif form == PAGE:
            report = explained_report(model, question, result.trace, path, result.assumption_runs)
        else:
            report = trace_report(model, result.trace, question)
        write_trace(path, model, question, report, form)

    def check_trace_format(self, model: FlatSystem, path: str, form: str) -> None:
        from symag.smv.checking.trace_files import check_language

        check_language(path, form, model)

    def info(self, path: str, request: SmvRequest, limits: Limits, progress: Progress) -> Report:
        from symag.smv.checking.info import info

        system = read_flat_system(path)
        report = info(system, request.reachable, request.order_file, limits, progress)
        return replace(report, warnings=(*system.warnings, *report.warnings))

    def recheck(
        self, path: str, request: SmvRequest, certificate: str, show: bool, limits: Limits, progress: Progress
    ) -> Report:
        from symag.smv.checking.evidence import recheck_file

        system = read_flat_system(path)
        return recheck_file(system, certificate, show, request.picture, limits, progress, request.certify_bdd)

    def replay(
        self, path: str, request: SmvRequest, trace: str, full: bool, limits: Limits, progress: Progress
    ) -> Report:
        from symag.smv.checking.evidence import replay_file

        system = read_flat_system(path)
        return replay_file(system, trace, request.properties, request.number, full, limits, progress)

    def simulate(self, path: str, request: SmvRequest, walk: WalkRequest, limits: Limits, progress: Progress) -> Report:
        from symag.smv.checking.simulation import simulate_model

        return simulate_model(read_flat_system(path), request.constraint, walk, limits, progress, request.assumptions)

    def convert(self, path: str, request: SmvRequest, form: str, output: str, progress: Progress) -> Conversion:
        from symag.core.reports import Conversion
        from symag.smv.convert.conversion import converted, converted_certificate

        system = read_flat_system(path)
        if request.certificate is not None:
            if request.properties:
                raise UsageError("--property means nothing beside --certificate, which names its property")
            return Conversion(converted_certificate(system, request.certificate, form, output), system.warnings)
        named = bool(request.properties)
        content, warnings = converted(system, self.questions(system, request), named, form, output)
        return Conversion(content, tuple(warnings))

    def listed(self, path: str) -> Iterator[ListedQuestion]:
        from symag.core.reports import ListedQuestion

        for item in read_flat_system(path).properties:
            yield ListedQuestion(str(item.index), item.kind, item.text, item.name)

    def html(self, model: FlatSystem | None, question: Property, result: PropertyResult, sentence: str) -> str:
        from symag.smv.checking.reports.proof_page import answer_html

        return answer_html(model, question, result, sentence)

    def picture(self, model: FlatSystem | None, result: PropertyResult) -> str | None:
        from symag.smv.checking.reports.proof_page import answer_svg

        return answer_svg(model, result)


#: For ``symag.engine.families``.
FAMILY = SmvFamily()
