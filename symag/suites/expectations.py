"""Expected verdicts for properties of models, from the verdict files of other tools.

Properties are matched by their kind and text (or name), never by position. The form of a file is recognised by its
content: verdicts of NuSMV and of LTSA (for each model in the folder that the file is named after), counts of Storm, and
two forms of results for models with one property each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from symag.core.errors import InputError
from symag.core.files import has_suffix
from symag.suites.listing import SUFFIXES

#: NuSMV's names of the kinds, with symag's.
KINDS: Mapping[str, str] = {
    "CTL": "CTL",
    "Quantitative": "COMPUTE",
    "LTL": "LTL",
    "PSL": "PSL",
    "Invar": "INVARSPEC",
}
_WORDS: Mapping[str, tuple[str, ...]] = {
    "specification": ("CTL", "LTL", "PSL"),
    "COMPUTE": ("COMPUTE",),
    "invariant": ("INVARSPEC",),
}
_VERDICTS: Mapping[str, str] = {"true": "holds", "false": "violated"}
#: A property by kind and text.
Key = tuple[str, str]


class ExpectedAnswer(Struct, frozen=True):
    """One answer about a model: ``holds``, ``violated``, a value, or counts (``states=3 choices=4``).

    ``kind``, ``target`` and ``text`` identify the property (None: any). With ``options`` it is about the model with
    these options; then ``kind`` is ``count``. ``text`` may be the property's name if the tool gave only that.
    """

    model: Path
    answer: str
    kind: str | None = None
    target: str | None = None
    text: str | None = None
    options: tuple[str, ...] = ()

    def fits(self, kind: str, target: str | None, texts: Sequence[str | None]) -> bool:
        """Whether it is about a property of its model with this kind, this target, and one of these texts or names."""
        return (
            self.kind in (None, kind)
            and self.target in (None, target)
            and (self.text is None or any(text is not None and text.strip() == self.text for text in texts))
        )


class Expectations(Struct, frozen=True):
    """The expected answers, by resolved path of the model."""

    by_model: Mapping[Path, tuple[ExpectedAnswer, ...]] = field(default_factory=dict)

    def of(self, model: Path) -> tuple[ExpectedAnswer, ...]:
        """The expected answers about a model."""
        return self.by_model.get(model.resolve(), ())

    def answer(self, model: Path, kind: str, target: str | None, *texts: str | None) -> str | None:
        """The expected answer to a property with these texts or names; None unless there is exactly one."""
        expected_answers = {
            expected.answer
            for expected in self.of(model)
            if not expected.options and expected.fits(kind, target, texts)
        }
        return expected_answers.pop() if len(expected_answers) == 1 else None


def expectations(files: Sequence[Path]) -> Expectations:
    """Read verdict files. Raises InputError for a file that cannot be read or has no known form."""
    by_model: dict[Path, list[ExpectedAnswer]] = {}
    for file in files:
        report = _read(file)
        form = next((read for fits, read in _FORMS if fits(report)), None)
        if form is None:
            raise InputError("not a file of verdicts in a known form", str(file))
        try:
            for expected in form(file, report):
                by_model.setdefault(expected.model.resolve(), []).append(expected)
        except OSError as error:
            about = f"cannot read {error.filename}, which the verdicts are about: {error.strerror}"
            raise InputError(about, str(file)) from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise InputError(f"verdicts in a wrong form ({type(error).__name__}: {error})", str(file)) from error
    return Expectations({model: tuple(answers) for model, answers in by_model.items()})


def is_verdict_file(file: Path) -> bool:
    """Whether a JSON file has one of the known forms."""
    try:
        report = _read(file)
    except InputError:
        return False
    return any(fits(report) for fits, _ in _FORMS)


def _read(file: Path) -> Mapping[str, Any]:
    try:
        report = json.loads(file.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", str(file)) from error
    except ValueError as error:
        raise InputError(f"not JSON: {error}", str(file)) from error
    return report if isinstance(report, dict) else {}


def _folder(file: Path) -> Path:
    """``nusmv-verdicts.json`` is about the models in ``nusmv/`` beside it."""
    return file.parent / file.stem.rpartition("-")[0]


def key(kind: str, text: str) -> Key:
    """A property by kind and text, without blanks at the ends."""
    return kind, text.strip()


def nusmv_properties(entry: Mapping[str, Any]) -> list[Key]:
    """All properties of a model in NuSMV's record, in NuSMV's order."""
    return [key(KINDS[property_["type"]], property_["formula"]) for property_ in entry["properties"]]


def nusmv_answers(entry: Mapping[str, Any]) -> dict[Key, str]:
    """NuSMV's answers: ``holds``, ``violated``, or a COMPUTE's number or ``infinity``."""
    return matched(nusmv_properties(entry), entry["verdicts"])


def matched(properties: Sequence[Key], verdicts: Sequence[Sequence[str]]) -> dict[Key, str]:
    """The properties of NuSMV's verdict lines (word, text, value), each with its answer.

    The lines do not name the kind. Both lists are in NuSMV's order, except that ``-coi`` sorts the lines of
    one kind: a line belongs to the next property with its text and a kind that its word allows, else to the
    first such property without a line. Raises ValueError for a line that belongs to no property.
    """
    matches: dict[Key, str] = {}
    next_index = 0
    for word, text, value in verdicts:
        fitting = [
            number
            for number, property_ in enumerate(properties)
            if property_[1] == text.strip()
            and property_[0] in _WORDS[word]
            and (number >= next_index or property_ not in matches)
        ]
        if not fitting:
            raise ValueError(f"no property for the line: {word} {text}")
        chosen = next((number for number in fitting if number >= next_index), fitting[0])
        matches[properties[chosen]] = _VERDICTS.get(value, value)
        next_index = chosen + 1
    return matches


def _nusmv(file: Path, report: Mapping[str, Any]) -> Iterator[ExpectedAnswer]:
    for name, entry in report.items():
        for (kind, text), answer in nusmv_answers(entry).items():
            yield ExpectedAnswer(_folder(file) / name, answer, kind, text=text)


def _ltsa(file: Path, report: Mapping[str, Any]) -> Iterator[ExpectedAnswer]:
    for name, entry in report["files"].items():
        model = _folder(file) / name
        for composite in entry["targets"]:
            target = composite["name"]
            # If LTSA did not explore everything, the file has only its first violation; "ok" means that a search
            # of the whole composition had no violation.
            if composite.get("potential_deadlock", composite["verdict"] == "deadlock"):
                yield ExpectedAnswer(model, "violated", "deadlock", target)
            elif "potential_deadlock" in composite or composite["verdict"] == "ok":
                yield ExpectedAnswer(model, "holds", "deadlock", target)
            if "product" in composite:
                yield ExpectedAnswer(
                    model, "violated" if composite["product"]["has_error"] else "holds", "safety", target
                )
            elif composite["verdict"] in ("violation", "ok"):
                yield ExpectedAnswer(
                    model, "violated" if composite["verdict"] == "violation" else "holds", "safety", target
                )
            if composite.get("progress") == "ok":
                yield ExpectedAnswer(model, "holds", "progress", target)
            elif composite.get("progress") == "progress-violation":
                for violated in " ".join(composite["progress_violated"]).split():
                    yield ExpectedAnswer(model, "violated", "progress", target, violated)
            for asserted, result in (composite.get("asserts") or {}).items():
                yield ExpectedAnswer(
                    model, "holds" if result["verdict"] == "ok" else "violated", "assert", target, asserted
                )


def _storm(file: Path, report: Mapping[str, Any]) -> Iterator[ExpectedAnswer]:
    for result in report["results"]:
        counts = " ".join(f"{name}={result[name]}" for name in ("states", "choices", "transitions"))
        constants = tuple(
            option for setting in result["constants"].split(",") if setting for option in ("--const", setting)
        )
        yield ExpectedAnswer(file.parent / result["model"], counts, "count", options=constants)


def _paper(file: Path, report: Mapping[str, Any]) -> Iterator[ExpectedAnswer]:
    for name, entry in report["models"].items():
        verdicts = [run["verdict"] for run in entry.get("nusmv", {}).values()] + [entry.get("paper_verdict")]
        answer = next((_VERDICTS[verdict] for verdict in verdicts if verdict in _VERDICTS), None)
        if answer is not None:
            yield ExpectedAnswer(_model(_folder(file), name), answer)


def _all_hold(file: Path, report: Mapping[str, Any]) -> Iterator[ExpectedAnswer]:
    # Times of models of generated families, whose invariants all hold.
    for model in sorted(_folder(file).iterdir()):
        if has_suffix(model.name, SUFFIXES):
            yield ExpectedAnswer(model, "holds", "INVARSPEC")


def _model(folder: Path, name: str) -> Path:
    """The model of this name in a folder; if there is none, the name with the first suffix."""
    paths = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    return next(filter(Path.exists, paths), paths[0])


def _is_nusmv(report: Mapping[str, Any]) -> bool:
    return bool(report) and all(
        isinstance(entry, dict) and {"properties", "verdicts"} <= entry.keys() for entry in report.values()
    )


def _models(report: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    models = report.get("models")
    return [entry for entry in models.values() if isinstance(entry, dict)] if isinstance(models, dict) else []


def _is_ltsa(report: Mapping[str, Any]) -> bool:
    files = report.get("files")
    return isinstance(files, dict) and all(isinstance(entry, dict) and "targets" in entry for entry in files.values())


_Form = tuple[Callable[[Mapping[str, Any]], bool], Callable[[Path, Mapping[str, Any]], Iterator[ExpectedAnswer]]]
#: For each form the test that recognises it, and the function that reads it.
_FORMS: Sequence[_Form] = (
    (_is_nusmv, _nusmv),
    (_is_ltsa, _ltsa),
    (lambda report: isinstance(report.get("results"), list) and "tool" in report, _storm),
    (lambda report: any("nusmv" in model for model in _models(report)), _paper),
    (lambda report: any("rule_g" in model for model in _models(report)), _all_hold),
)
