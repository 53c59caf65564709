"""Answers whose evidence a re-check refuses: they become unknown, and a file keeps the evidence.

A refusal is a bug of symag, perhaps a wrong verdict; the file is for a report about it. It is the file of
``--certificate`` or ``--trace`` with one more member, so that ``symag certify`` and ``symag replay`` refuse it again::

    "refused": {"verdict", "method", "why", "details", "trace"}
"""

# Imports in functions: every check imports this module, and hardly any has a refusal.
from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from symag.core.errors import InputError, UsageError
from symag.core.files import write_file
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.values import replace


class Refusal(Struct, frozen=True):
    """A refused answer: the path of the model, index and text of the property, and ``why`` in one line.

    ``write`` writes the evidence, if there is any, to a path as a JSON object. ``details`` is further text, such as a
    traceback.
    """

    model: str
    index: int
    text: str
    why: str
    write: Callable[[Path], object] | None
    details: str = ""


def refused(result: PropertyResult, refusal: Refusal) -> PropertyResult:
    """The answer as unknown, without its evidence; ``refused_evidence`` names the file that keeps it.

    The file is in the current folder, or in the folder for temporary files if the current one cannot be written to.
    """
    fields: dict[str, Any] = {
        "verdict": result.verdict.value,
        "method": result.method,
        "why": refusal.why,
        "details": refusal.details,
        "trace": None if result.trace is None else result.trace.to_json(),
    }
    file, problem = None, ""
    for path in _paths(refusal, result):
        try:
            _write(path, refusal, fields)
        except (OSError, UsageError, InputError) as error:
            problem = str(error)
        except Exception as error:  # evidence that cannot even be written
            problem = f"{type(error).__name__}: {error}"
        else:
            file = str(path)
            break
    where = f"not kept ({problem})" if file is None else f"kept in {file}; please report it"
    return replace(
        result,
        verdict=Verdict.UNKNOWN,
        reason=Reason.REFUSED.text(f"{refusal.why}; the evidence is {where}"),
        value=None,
        trace=None,
        certificate=None,
        certified=False,
        notes=(),
        bounds=None,
        refused_evidence=file,
    )


def _write(path: Path, refusal: Refusal, fields: dict[str, Any]) -> None:
    import json

    document: dict[str, Any] = {}
    if refusal.write is not None:
        refusal.write(path)
        document = json.loads(path.read_text(encoding="utf-8"))
    write_file(path, json.dumps({**document, "refused": fields}) + "\n")


def _paths(refusal: Refusal, result: PropertyResult) -> Iterator[Path]:
    """The paths to try; the name of the file distinguishes models, properties and methods."""
    import hashlib
    import json
    import tempfile

    identity = json.dumps([os.path.abspath(refusal.model), refusal.text, result.method, result.verdict.value])
    digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    stem = re.sub(r"[^\w.-]+", "_", Path(refusal.model).stem)
    name = f"symag-refused-{stem}-{refusal.index}-{digest}.json"
    with contextlib.suppress(OSError):
        yield Path.cwd() / name
    with contextlib.suppress(OSError):
        yield Path(tempfile.mkdtemp(prefix="symag-refused-")) / name
