"""What a family of models is, and what most families have in common; the front ends use the families through it.

A family declares its suffixes, how its models are read, the questions about them, the methods with their options,
how answers and traces are shown, and how evidence is written. The front ends ask the table of families
(``symag.engine.families``) and never test a suffix.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from symag.core.limits import Limits, Progress
from symag.core.results import PropertyResult
from symag.core.tables import Methods
from symag.core.trace import Trace

if TYPE_CHECKING:
    # Only types: small commands import neither reports nor processes.
    from symag.core.options import Options
    from symag.core.reports import Conversion, ListedQuestion, Report
    from symag.core.walks import WalkRequest
    from symag.process.decisions import Inquiry
    from symag.traces.page.proof import Proof


class Question(Protocol):
    """A question about a model: a property of an SMV model, a check of a composite process, a simulation."""

    @property
    def index(self) -> int:
        """Its number among the questions about the model."""

    @property
    def kind(self) -> str:
        """The kind, such as ``INVARSPEC``, ``deadlock`` or ``pctl``."""

    @property
    def name(self) -> str | None:
        """The name that the user gave it."""

    @property
    def text(self) -> str:
        """The question in the model's language."""

    @property
    def line(self) -> int | None:
        """Its line in the model's file."""

    @property
    def target(self) -> str | None:
        """The composite process in question, if the model has several."""


class Family(Protocol):
    """One family of models. ``request`` and ``options`` are classes of declared options (``symag.core.options``).

    A request says what is read and which questions are asked; options say how the methods search. A ``model`` below is
    a result of ``read``, a ``question`` one of ``questions``.
    """

    #: The name in messages: ``SMV models``.
    name: str
    #: The name in help texts: ``SMV``.
    label: str
    #: The suffixes of files with its models.
    suffixes: tuple[str, ...]
    #: The suffixes of files that a batch reads as models of their own.
    suite_suffixes: tuple[str, ...]
    #: Patterns for the beginnings of texts in its languages, after comments, each with the suffix of its files.
    beginnings: Mapping[bytes, str]
    #: The formats of trace files, which are also their suffixes; files in a folder have the first one.
    trace_formats: tuple[str, ...]
    #: The commands that take models of this family besides those of every family.
    further_commands: tuple[str, ...] = ()
    #: The formats that models are written in, by the suffixes of files.
    conversions: Mapping[str, str]
    #: One model in messages: ``an SMV model``.
    one_model: str
    #: Whether warnings begin with a line number of the model's file, and need the file's name before it.
    warnings_have_lines: bool = False
    #: The warning about a model without questions.
    without_questions: str
    #: The table of its methods, ``auto`` among them.
    methods: Methods[Any]

    @property
    def request(self) -> type[Options]:
        """The class of requests: what is read besides the model's file, and the questions."""

    @property
    def options(self) -> type[Options]:
        """The class of the options that methods read."""

    def read(self, path: str, request: Any) -> Any:
        """The model. Raises InputError and UsageError."""

    def beside(self, path: str) -> tuple[str, ...]:
        """The files that are read with a model without being named, if they exist: ``m.lab`` with ``m.tra``."""
        return ()

    def has_read(self, model: Any) -> bool:
        """Whether this is a model of the family."""

    def warnings(self, model: Any) -> Iterable[str]:
        """Warnings about the model that are known so far."""
        warnings: Sequence[str] = model.warnings
        return warnings

    def questions(self, model: Any, request: Any) -> Sequence[Any]:
        """The questions, in order. Raises UsageError for names that the model does not have."""

    def asking(self, model: Any, request: Any) -> Any:
        """The model with the question of the request, in families whose models contain it. Raises UsageError."""
        return model

    def not_asked(self, model: Any, request: Any) -> Iterable[str]:
        """Lines about checks that users of similar tools may expect and the request lacks, and how to ask for them."""
        return ()

    def unasked(self, model: Any, limits: Limits, progress: Progress) -> Iterable[str]:
        """Warnings about a model without questions. Raises InputError for errors that a search for an answer finds."""
        return ()

    def file_names(self, questions: Sequence[Any]) -> list[tuple[int, str | None]]:
        """The index of each question, and the stem of its files' names (None: the index)."""

    def decides(self, method: str, question: Any) -> bool:
        """Whether the method decides questions of this kind."""
        return True

    def inquiries(
        self,
        model: Any,
        questions: Sequence[Any],
        method: str,
        options: Any,
        limits: Limits,
        progress: Progress,
    ) -> Generator[Inquiry[Any], None, None]:
        """The inquiries that answer the questions, in order, and re-check the answers.

        Closing the generator ends the processes that it keeps. Raises InputError and UsageError.
        """

    def subject(self, question: Any) -> str:
        """The question in warnings: ``property 3``."""

    def sentence(self, question: Any) -> str:
        """The question as the beginning of a sentence: ``invariant x < 3``."""

    def heading(self, question: Any, result: PropertyResult) -> str:
        """The first line of an answer."""

    def trace_lines(self, model: Any, question: Any, trace: Trace, number: int, full: bool) -> Iterator[str]:
        """A counterexample as text; ``number`` counts those of one command, ``full`` shows unchanged values too."""

    def write_certificate(self, path: Path, model: Any, question: Any, result: PropertyResult) -> bool:
        """Write the certificate of an answer, if it has one; whether it has. Raises UsageError."""

    def is_reusable(self, path: str) -> bool:
        """Whether the certificate in a file is worth a try on a changed model: its kind mostly saves time."""
        return False

    def proof(self, model: Any, question: Any, result: PropertyResult) -> Proof:
        """The content of a page about the certificate of an answer, which must have one."""

    def write_trace(self, path: Path, form: str, model: Any, question: Any, result: PropertyResult) -> None:
        """Write the trace of an answer in one of the formats. Raises UsageError."""

    def check_trace_format(self, model: Any, path: str, form: str) -> None:
        """Raises UsageError if traces of this model cannot be written to the file in this format."""
        return

    def info(self, path: str, request: Any, limits: Limits, progress: Progress) -> Report:
        """The size of a model, and its questions. Raises InputError and UsageError."""

    def recheck(
        self, path: str, request: Any, certificate: str, show: bool, limits: Limits, progress: Progress
    ) -> Report:
        """A certificate from a file, re-checked; ``show`` adds the certificate in words.

        Raises InputError, UsageError and CertificationError.
        """

    def replay(self, path: str, request: Any, trace: str, full: bool, limits: Limits, progress: Progress) -> Report:
        """A trace from a file, run again. Raises InputError, UsageError and CertificationError."""

    def simulate(self, path: str, request: Any, walk: WalkRequest, limits: Limits, progress: Progress) -> Report:
        """A run through the model. Raises InputError and UsageError."""

    def convert(self, path: str, request: Any, form: str, output: str, progress: Progress) -> Conversion:
        """The model in a format, for a file of this name. Raises InputError and UsageError."""

    def listed(self, path: str) -> Iterator[ListedQuestion]:
        """The questions that a batch asks about a model. Raises InputError, UsageError and UnsupportedError."""

    def html(self, model: Any, question: Any, result: PropertyResult, sentence: str) -> str:
        """An answer as HTML, for a notebook."""

    def picture(self, model: Any, result: PropertyResult) -> str | None:
        """The learned assumptions as SVG, None if there are none."""
        return None
