"""A property with its result: what the command line prints and the library returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from symag.core.reasons import word_of
from symag.core.results import PropertyResult, Verdict
from symag.engine.family import Family, Question


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """One property and what was decided about it. ``str()`` gives a sentence, ``to_json()`` plain data.

    ``certificate`` is the path of the file that the evidence was written to, if any; ``trace_file`` is that of a
    counterexample. With ``model``, a notebook shows the trace as a table and learned assumptions as a picture.
    """

    property: Question
    result: PropertyResult
    family: Family = field(repr=False)
    model: Any = field(default=None, repr=False)
    certificate: str | None = None
    trace_file: str | None = None

    def __str__(self) -> str:
        return f"{self.family.sentence(self.property)} {self.verdict_text()}: {self.evidence_text()}"

    def _repr_html_(self) -> str:
        sentence = f"{self.verdict_text()}: {self.evidence_text()}"
        return self.family.html(self.model, self.property, self.result, sentence)

    def _repr_svg_(self) -> str | None:
        return self.family.picture(self.model, self.result)

    def verdict_text(self) -> str:
        """``holds``, ``holds (not certified)``, ``is violated``, ``is unknown (timeout)`` or ``is 3``."""
        match self.result.verdict:
            case Verdict.UNKNOWN:
                return f"is unknown ({self.result.reason})"
            case Verdict.COMPUTED:
                if self.result.bounds is None:
                    return f"is {self.result.value}"
                verdict = f"is {self.result.bounds}"
            case Verdict.HOLDS:
                verdict = "holds"
            case Verdict.VIOLATED:
                verdict = "is violated"
        return verdict if self.result.certified else f"{verdict} (not certified)"

    def evidence_text(self) -> str:
        """Which method answered, how fast, and what stands behind it."""
        result = self.result
        seconds = result.statistics.get("seconds")
        parts = [result.method + ("" if seconds is None else f" in {seconds:.2f} s")]
        if result.trace is not None:
            count = len(result.trace.steps)
            what, shape = ("node", "tree") if result.trace.kind == "tree" else ("state", "trace")
            states = f"{count} {what}{'s' if count > 1 else ''}"
            if result.trace.loop is not None:
                # What is printed shows that state once more.
                states += f", then state {result.trace.loop + 1} again,"
            parts.append(f"{shape} of {states}" + (" replayed" if result.certified else ""))
        elif result.certified:
            evidence = result.certificate.kind.replace("-", " ") if result.certificate is not None else "evidence"
            check = result.statistics.get("certify_seconds")
            parts.append(f"{evidence} re-checked" + ("" if check is None else f" in {check:.2f} s"))
        others = [entry.method for entry in result.race if entry.outcome != "decided"]
        if not others or (len(result.race) == 1 and result.verdict is Verdict.UNKNOWN):
            return ", ".join(parts)
        return ", ".join(parts) + f"; {', '.join(others)} ran{' too' if result.verdict is not Verdict.UNKNOWN else ''}"

    def race_lines(self) -> Iterator[str]:
        """What every method of a race did, a line for each."""
        for entry in self.result.race:
            figures = "".join(f", {name} {value:,}" for name, value in entry.figures.items())
            yield f"{entry.method}: {entry.outcome} after {entry.cpu_seconds:.2f} s of CPU time{figures}"

    def to_json(self) -> dict[str, Any]:
        """The entry of ``results`` in the JSON contract.

        ``reason`` is the word alone; what follows it is a warning of the whole report.
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
            "bounds": None if result.bounds is None else list(result.bounds.texts()),
            "reason": None if result.reason is None else word_of(result.reason),
            "method": result.method,
            "certified": result.certified,
            "certificate": self.certificate,
            "refused_evidence": result.refused_evidence,
            "trace": None if result.trace is None else result.trace.to_json(),
            "trace_file": self.trace_file,
            "notes": list(result.notes),
            "race": [entry.to_json() for entry in result.race],
            "statistics": dict(_numbers(result.statistics)),
        }


def _numbers(statistics: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Every statistic as a number: one per part gets the part's number, counted from 0, in its name."""
    for name, value in statistics.items():
        if isinstance(value, list | tuple):
            yield from ((f"{name}_{number}", item) for number, item in enumerate(value))
        else:
            yield name, int(value) if isinstance(value, bool) else value


def counted(answers: Sequence[Answer]) -> str:
    """How many properties have which answer; uncertified answers are counted apart."""
    counts: dict[str, int] = {}
    for answer in answers:
        text = "is unknown" if answer.result.verdict is Verdict.UNKNOWN else answer.verdict_text()
        if answer.result.bounds is not None:
            text = "computed" if answer.result.certified else "computed (not certified)"
        label = text.removeprefix("is ")
        counts[label] = counts.get(label, 0) + 1
    return f"{len(answers)} properties: " + ", ".join(f"{counts[label]} {label}" for label in sorted(counts))
