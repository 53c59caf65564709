"""NuSMV's recorded answers on the public models, each with its kind; models that need a preprocessor."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

#: NuSMV's names of the kinds, and ours.
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
#: A property by kind and text.
Key = tuple[str, str]


def key(kind: str, text: str) -> Key:
    """Texts are compared without the blanks at their ends."""
    return kind, text.strip()


def properties(entry: Mapping[str, Any]) -> list[Key]:
    """All properties of a recorded model, in NuSMV's order."""
    return [key(KINDS[each["type"]], each["formula"]) for each in entry["properties"]]


def answers(entry: Mapping[str, Any]) -> dict[Key, str]:
    """NuSMV's answers: ``holds``, ``violated``, or a COMPUTE's number or ``infinity``."""
    return matched(properties(entry), entry["verdicts"])


def matched(known: Sequence[Key], verdicts: Sequence[Sequence[str]]) -> dict[Key, str]:
    """The kinds of NuSMV's verdict lines (word, text, value).

    The lines do not say the kind, and both lists are in NuSMV's order, except that ``-coi`` sorts the lines
    of one kind: a line belongs to the next property with its text and a kind that its word allows, else to
    the first that no line has had. Raises ValueError for a line that belongs to none.
    """
    found: dict[Key, str] = {}
    place = 0
    for word, text, value in verdicts:
        fitting = [
            number
            for number, each in enumerate(known)
            if each[1] == text.strip() and each[0] in _WORDS[word] and (number >= place or each not in found)
        ]
        if not fitting:
            raise ValueError(f"no property for the line: {word} {text}")
        chosen = next((number for number in fitting if number >= place), fitting[0])
        found[known[chosen]] = {"true": "holds", "false": "violated"}.get(value, value)
        place = chosen + 1
    return found


@contextlib.contextmanager
def preprocessed(path: Path) -> Iterator[Path]:
    """The model after m4 or cpp if it was recorded so; else, or where that fails, the model itself."""
    text = path.read_text(errors="replace")
    program = "m4" if ".m4." in path.name else "cpp" if re.search(r"^#\w", text, re.MULTILINE) else None
    if program is None or shutil.which(program) is None:
        yield path
        return
    command = [program, *(["-w", "-P"] if program == "cpp" else []), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:  # an m4 file may include NuSMV's own macros
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_text(done.stdout)
        yield copy
