"""The family of labelled transition systems: FSP, and Aldebaran's format."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from symag.core.errors import UsageError
from symag.core.files import has_suffix
from symag.core.limits import Limits, Progress
from symag.core.options import Options, constants_of, option
from symag.core.results import PropertyResult
from symag.core.tables import by_suffix
from symag.core.trace import Trace
from symag.lts.automata import AUTOMATA, FORMATS
from symag.lts.checking.trace_formats import FORMATS as TRACE_FORMATS
from symag.lts.methods.options import METHODS, LtsOptions, kinds_decided
from symag.process.family import Family

if TYPE_CHECKING:
    # Only for their names: `check` needs no reports, and numpy takes time to import.
    from symag.core.reports import Conversion, ListedQuestion, Report
    from symag.core.walks import WalkRequest
    from symag.lts import Model
    from symag.lts.questions import CompositeQuestion
    from symag.process.decisions import Inquiry
    from symag.traces.page.proof import Proof


def _whole_constants(texts: Sequence[str]) -> dict[str, int]:
    """The constants of FSP, which are whole numbers. Raises ValueError."""
    given = constants_of(texts)
    for name, value in given.items():
        if not value.removeprefix("-").isdecimal():
            raise ValueError(f"{name}={value}: expected a whole number")
    return {name: int(value) for name, value in given.items()}


class LtsRequest(Options, frozen=True):
    """The components and constants of a system besides its file, the questions, and the options of ``convert``."""

    properties: tuple[str, ...] = option(
        (),
        "Only the property with this name, kind or number (repeatable).",
        flag="--property",
        commands=("check", "replay"),
        metavar="NAME|N",
    )
    targets: tuple[str, ...] = option(
        (),
        "Only this composite process.",
        flag="--target",
        commands=("check", "info", "replay", "convert", "simulate"),
        metavar="NAME",
    )
    components: tuple[str, ...] = option(
        (),
        "A further component of the system, an .aut file (repeatable).",
        flag="--component",
        metavar="FILE",
        is_input=True,
    )
    constants: Mapping[str, int] = option(
        {}, "Values of constants (repeatable).", flag="--const", metavar="NAME=VALUE,...", parse=_whole_constants
    )
    unquoted: bool = option(
        False, "Labels in an .aut file without quotation marks.", commands=("convert",), only_yes=True
    )
    silent: Literal["tau", "i"] = option("tau", "How .aut files spell the silent action.", commands=("convert",))
    minimise: Literal["strong", "weak", "traces"] | None = option(
        None,
        "Write a smallest equivalent system: by strong or weak bisimulation, or deterministic.",
        commands=("convert",),
    )
    quotient: bool = option(
        False,
        "The system with everything but the first part replaced by its quotient, by which ERROR is reached exactly if "
        "it is without.",
        commands=("convert",),
        only_yes=True,
    )
    groups: tuple[str, ...] = option(
        (),
        "Components that are one part, by name or number (A,B,3); others are parts of their own.",
        flag="--group",
        commands=("convert",),
        metavar="NAMES",
    )
    order: str | None = option(
        None, "Components, as in --group, whose parts come first.", commands=("convert",), metavar="NAMES"
    )
    steps: int | None = option(
        None,
        "Refine the quotient at most N times; any N gives a right one.",
        commands=("convert",),
        least=0,
        metavar="N",
    )
    abstraction: bool | None = option(
        None,
        "Refine an abstraction of the first part, or use its own states (default: if they are many).",
        commands=("convert",),
    )
    timeout: float | None = option(
        None, "How long to look for a quotient.", commands=("convert",), least=0.0, metavar="SECONDS"
    )


# The code that reads, decides and re-checks is imported at its first use: numpy takes time to import.
class LtsFamily(Family):
    """A model is a ``symag.lts.Model``, a question a ``CompositeQuestion``."""

    name = "labelled transition systems"
    label = "FSP"
    suffixes = (".lts", ".fsp", *AUTOMATA)
    suite_suffixes = suffixes
    beginnings: Mapping[bytes, str] = {
        rb"des\s*\(": ".aut",
        rb"(const|range|set|property|progress|assert|constraint|fluent|menu|minimal|deterministic)\s|\|\|": ".lts",
        rb"\w+(\([^)]*\))?\s*=": ".lts",
    }
    request = LtsRequest
    options = LtsOptions
    methods = METHODS
    trace_formats = tuple(TRACE_FORMATS)
    conversions = by_suffix(FORMATS)
    one_model = "a labelled transition system"
    warnings_have_lines = True
    without_questions = "the specification has no process: nothing is decided"

    def read(self, path: str, request: LtsRequest) -> Model:
        from symag.lts import read

        if request.constants and has_suffix(path, tuple(AUTOMATA)):
            raise UsageError("--const is for FSP and PRISM models")
        wrong = [component for component in request.components if not has_suffix(component, tuple(AUTOMATA))]
        if wrong:
            raise UsageError(f"{wrong[0]}: a component is read from an {' or '.join(AUTOMATA)} file")
        return read(path, request.components, request.constants)

    def has_read(self, model: object) -> bool:
        from symag.lts import Model

        return isinstance(model, Model)

    def questions(self, model: Model, request: LtsRequest) -> Sequence[CompositeQuestion]:
        from symag.lts.checking.check import select

        return select(model, request.targets, tuple(map(str, request.properties)))

    def not_asked(self, model: Model, request: LtsRequest) -> Sequence[str]:
        if request.properties or model.specification.progress or not model.targets:
            return ()
        return ("default progress (every action happens infinitely often) is not checked: --property progress",)

    def file_names(self, questions: Sequence[CompositeQuestion]) -> list[tuple[int, str | None]]:
        """A question without a name is called by its kind, and by its target too if there are several."""
        several = len({question.target for question in questions}) > 1
        names = [(question, question.name or question.kind) for question in questions]
        return [(question.index, f"{question.target}.{name}" if several else name) for question, name in names]

    def decides(self, method: str, question: CompositeQuestion) -> bool:
        return question.kind in kinds_decided(METHODS.resolved(method))

    def inquiries(
        self,
        model: Model,
        questions: Sequence[CompositeQuestion],
        method: str,
        options: LtsOptions,
        limits: Limits,
        progress: Progress,
    ) -> Generator[Inquiry[CompositeQuestion], None, None]:
        from symag.lts.checking.check import inquiries

        return inquiries(model, questions, method, options, limits)

    def subject(self, question: CompositeQuestion) -> str:
        return f"||{question.target}, property {question.index}"

    def sentence(self, question: CompositeQuestion) -> str:
        return f"||{question.target}: {question.text}"

    def heading(self, question: CompositeQuestion, result: PropertyResult) -> str:
        return f"-- ||{question.target}: {question.text}"

    def trace_lines(
        self, model: Model, question: CompositeQuestion, trace: Trace, number: int, full: bool
    ) -> Iterator[str]:
        from symag.traces import actions

        violated: Sequence[str] = ()
        if question.kind == "safety":
            from symag.lts.words import violated_components

            violated = violated_components(model.composite(question.target).components, trace)
        yield from actions.lines(question.kind, trace, violated)
        if violated:
            yield f"The action {trace.steps[-2].action} violates {', '.join(violated)}."

    def write_certificate(self, path: Path, model: Model, question: CompositeQuestion, result: PropertyResult) -> bool:
        from symag.lts.certificates import LabelledCertificate
        from symag.lts.certify.kinds import write_labelled_certificate

        if not isinstance(result.certificate, LabelledCertificate):
            return False
        write_labelled_certificate(path, model, question, result.certificate)
        return True

    def proof(self, model: Model, question: CompositeQuestion, result: PropertyResult) -> Proof:
        from symag.lts.certificates import LabelledCertificate
        from symag.lts.checking.proof_page import proof_of

        assert isinstance(result.certificate, LabelledCertificate)
        return proof_of(model, question, result.certificate, result)

    def write_trace(
        self, path: Path, form: str, model: Model, question: CompositeQuestion, result: PropertyResult
    ) -> None:
        from symag.lts.checking.trace_formats import WrittenRun
        from symag.lts.checking.traces import write_trace

        if result.trace is None:
            raise UsageError("there is no trace")
        run = WrittenRun(model, question.target, question, result.trace, result.assumption_runs)
        write_trace(path, run, form)

    def info(self, path: str, request: LtsRequest, limits: Limits, progress: Progress) -> Report:
        from symag.lts.checking.info import info

        return info(self.read(path, request), request.targets, limits, progress)

    def recheck(
        self, path: str, request: LtsRequest, certificate: str, show: bool, limits: Limits, progress: Progress
    ) -> Report:
        from symag.lts.checking.evidence import recheck_file

        return recheck_file(self.read(path, request), certificate, show, limits, progress)

    def replay(
        self, path: str, request: LtsRequest, trace: str, full: bool, limits: Limits, progress: Progress
    ) -> Report:
        from symag.lts.checking.traces import replay_file

        model = self.read(path, request)
        return replay_file(model, trace, request.targets, request.properties, limits, progress)

    def simulate(self, path: str, request: LtsRequest, walk: WalkRequest, limits: Limits, progress: Progress) -> Report:
        from symag.lts.checking.simulation import simulate_composite

        return simulate_composite(self.read(path, request), request.targets, walk, limits, progress)

    def convert(self, path: str, request: LtsRequest, form: str, output: str, progress: Progress) -> Conversion:
        from symag.lts.convert.conversion import converted

        details = (request.order, request.steps, request.abstraction, request.timeout)
        if not request.quotient and (request.groups or any(detail is not None for detail in details)):
            raise UsageError("--group, --order, --steps, --abstraction and --timeout are for --quotient")
        quotient = None
        if request.quotient:
            quotient = LtsOptions(
                steps=request.steps,
                seconds=request.timeout,
                abstraction=request.abstraction,
                group_names=request.groups,
                order_names=request.order,
            )
        model = self.read(path, request)
        silent, minimise = request.silent, request.minimise
        return converted(model, request.targets, form, request.unquoted, silent, minimise, quotient, progress)

    def listed(self, path: str) -> Iterator[ListedQuestion]:
        """The questions about each composite, numbered from 0 for each composite."""
        from symag.core.reports import ListedQuestion
        from symag.lts.checking.check import select

        model = self.read(path, LtsRequest())
        for target in model.targets:
            for question in select(model, (target,)):
                yield ListedQuestion(str(question.index), question.kind, question.text, question.name, target)

    def html(self, model: Model | None, question: CompositeQuestion, result: PropertyResult, sentence: str) -> str:
        from symag.lts.checking.proof_page import answer_html

        return answer_html(question, result, sentence)

    def picture(self, model: Model | None, result: PropertyResult) -> str | None:
        from symag.lts.checking.proof_page import assumptions_svg

        return assumptions_svg(result)


#: For ``symag.engine.families``.
FAMILY = LtsFamily()
