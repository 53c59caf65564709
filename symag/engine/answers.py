"""Answers: a property with its result, as the command line prints it and the library returns it."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from symag.core.results import Evidence, PropertyResult, Reason, Verdict, kind_of, word_of
from symag.core.trace import Trace
from symag.process.family import Family, Question


class Answer(Struct, frozen=True, eq=False):
    """One property and its result. ``str()`` gives a sentence, ``to_json()`` plain data.

    ``certificate_file`` and ``trace_file`` are the paths of the files with its evidence, None if none was written;
    ``evidence_errors`` say why not, if they were to be. With ``model``, a notebook shows the trace as a table and
    learned assumptions as a picture.
    """

    property: Question
    result: PropertyResult
    family: Family
    model: Any = None
    certificate_file: str | None = None
    trace_file: str | None = None
    evidence_errors: tuple[str, ...] = ()

    @builtins.property
    def verdict(self) -> Verdict:
        """``Verdict.HOLDS``, ``VIOLATED``, ``UNKNOWN`` or ``COMPUTED``; its ``value`` is the word."""
        return self.result.verdict

    @builtins.property
    def certified(self) -> bool:
        """Whether separate code has re-checked the evidence."""
        return self.result.certified

    @builtins.property
    def trace(self) -> Trace | None:
        """The run or the tree that is a counterexample, None for other answers."""
        return self.result.trace

    @builtins.property
    def certificate(self) -> Evidence | None:
        """The evidence as a value, whose ``kind`` names its form; None if there is no evidence beyond the trace."""
        return self.result.certificate

    @builtins.property
    def statistics(self) -> Mapping[str, Any]:
        """Numbers by their names, such as ``seconds`` and ``cpu_seconds``."""
        return self.result.statistics

    def __str__(self) -> str:
        return f"{self.family.sentence(self.property)} {self.verdict_text()}: {self.evidence_text()}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        sentence = f"{self.verdict_text()}: {self.evidence_text()}"
        return self.family.html(self.model, self.property, self.result, sentence)

    def _repr_svg_(self) -> str | None:
        return self.family.picture(self.model, self.result)

    def verdict_text(self) -> str:
        """``holds``, ``is violated``, ``is 3``, these with ``(not certified)``, or ``is unknown (timeout)``."""
        match self.result.verdict:
            case Verdict.UNKNOWN:
                return f"is unknown ({self.result.reason})"
            case Verdict.COMPUTED:
                verdict = f"is {self.result.value if self.result.bounds is None else self.result.bounds}"
            case Verdict.HOLDS:
                verdict = "holds"
            case Verdict.VIOLATED:
                verdict = "is violated"
        return verdict if self.result.certified else f"{verdict} (not certified)"

    def evidence_text(self) -> str:
        """The method, its wall-clock time, the evidence or how far it came, and the other methods that ran."""
        result = self.result
        seconds = result.statistics.get("seconds")
        parts = [result.method + ("" if seconds is None else f" in {seconds:.2f} s")]
        if result.trace is not None:
            count = len(result.trace.steps)
            what, shape = ("node", "tree") if result.trace.kind == "tree" else ("state", "trace")
            states = f"{count} {what}{'s' if count > 1 else ''}"
            if result.trace.loop is not None:
                # The printed trace shows that state once more.
                states += f", then state {result.trace.loop + 1} again,"
            parts.append(f"{shape} of {states}" + (" replayed" if result.certified else ""))
        elif result.certified:
            evidence = result.certificate.kind.replace("-", " ") if result.certificate is not None else "evidence"
            check = result.statistics.get("certify_seconds")
            parts.append(f"{evidence} re-checked" + ("" if check is None else f" in {check:.2f} s"))
        others = [entry.method for entry in result.race if entry.outcome != "decided"]
        if result.verdict is Verdict.UNKNOWN and len(result.race) == 1:
            stopped = kind_of(result.reason) in (Reason.TIMEOUT, Reason.MEMORY, Reason.DISK, Reason.INTERRUPTED)
            how_far = result.race[0].last_progress
            return ", ".join([*parts, how_far] if stopped and how_far else parts)
        if not others:
            return ", ".join(parts)
        return ", ".join(parts) + f"; {', '.join(others)} ran{' too' if result.verdict is not Verdict.UNKNOWN else ''}"

    def race_lines(self) -> Iterator[str]:
        """A line for each method of a race: how it ended, its CPU seconds, and how far it was."""
        for entry in self.result.race:
            figures = "".join(f", {name} {value:,}" for name, value in entry.figures.items())
            where = f" ({entry.last_progress})" if entry.outcome != "decided" and entry.last_progress else ""
            yield f"{entry.method}: {entry.outcome} after {entry.cpu_seconds:.2f} s of CPU time{where or figures}"

    def detail(self) -> str | None:
        """The warning that tells the detail of the reason, in JSON; None if there is no detail."""
        reason = self.result.reason or ""
        return f"{self.family.subject(self.property)}: {reason}" if ":" in reason else None

    def to_json(self) -> dict[str, Any]:
        """The entry of ``results`` in the JSON contract.

        ``reason`` is only the word; the detail is a warning.
        """
        item, result = self.property, self.result
        return {
            "index": item.index,
            "name": item.name,
            "line": item.line,
            "kind": item.kind,
            "text": item.text,
            "target": item.target,
            "verdict": result.verdict.value,
            "value": result.value if result.bounds is None else result.bounds.number(),
            "constants": dict(result.constants),
            "bounds": None if result.bounds is None else list(result.bounds.texts()),
            **({"curve": [list(corner) for corner in result.curve]} if result.curve else {}),
            "reason": None if result.reason is None else word_of(result.reason),
            "method": result.method,
            "certified": result.certified,
            "certificate": self.certificate_file,
            "refused_evidence": result.refused_evidence,
            "trace": None if result.trace is None else result.trace.to_json(),
            "trace_file": self.trace_file,
            "notes": list(result.notes),
            "race": [entry.to_json() for entry in result.race],
            "statistics": dict(_numbers(result.statistics)),
            "warnings": [*result.warnings, *filter(None, [self.detail()]), *self.evidence_errors],
        }


class Answers(list[Answer]):
    """The answers about a model in the order of its properties; they print as lines, in a notebook as a table."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        # For start-up: only notebooks show HTML.
        from html import escape

        cells = "".join(map(_row, self))
        heads = "".join(f"<th>{head}</th>" for head in ("", "property", "verdict", "method", "s"))
        counts = f"<p>{escape(counted(self))}</p>"
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table>\n{counts}"


def _row(answer: Answer) -> str:
    """A row of the table in a notebook; the verdict is a word in a colour."""
    # For start-up: only notebooks show HTML.
    from html import escape

    question, seconds = answer.property, answer.statistics.get("seconds")
    name = question.name or " ".join(question.text.split())
    where = "" if question.target is None else f"||{question.target} "
    colour = {Verdict.HOLDS: "#0a7d33", Verdict.VIOLATED: "#b42318"}.get(answer.verdict, "inherit")
    verdict = f'<span style="color:{colour}">{escape(answer.verdict_text().removeprefix("is "))}</span>'
    cells = (
        str(question.index),
        f'<code title="{escape(question.text)}">{escape(where + name)}</code>',
        verdict,
        escape(answer.result.method),
        "" if seconds is None else f"{seconds:.2f}",
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _numbers(statistics: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Every statistic as a number: one per part gets the part's number, counted from 0, in its name."""
    for name, value in statistics.items():
        if isinstance(value, list | tuple):
            yield from ((f"{name}_{number}", item) for number, item in enumerate(value))
        else:
            yield name, int(value) if isinstance(value, bool) else value


def counted(answers: Sequence[Answer]) -> str:
    """The number of properties with each verdict, as text; uncertified answers are counted apart."""
    counts: dict[str, int] = {}
    for answer in answers:
        text = "is unknown" if answer.result.verdict is Verdict.UNKNOWN else answer.verdict_text()
        if answer.result.verdict is Verdict.COMPUTED:
            text = "computed" if answer.result.certified else "computed (not certified)"
        label = text.removeprefix("is ")
        counts[label] = counts.get(label, 0) + 1
    noun = "property" if len(answers) == 1 else "properties"
    return f"{len(answers)} {noun}: " + ", ".join(f"{counts[label]} {label}" for label in sorted(counts))
