"""The JSON documents that hold evidence: the fields that all of them share.

``{"schema": 1, "kind": "certificate" | "trace", "symag": version, "model": path, "sha256": of the
model's file, "property": {"index", "kind", "name", "text"}, "evidence": {...}}``
"""

# Imports in functions: every check imports this module, and few read or write a document.
from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from symag.core.errors import InputError
from symag.core.files import write_file
from symag.core.input_files import content_of_file
from symag.core.version import VERSION

SCHEMA = 1
_ELEMENT = '<script type="application/json" id="symag-evidence">'
_Kind = TypeVar("_Kind")
_SPELLING = {dict: "an object", list: "a list", int: "a number", str: "a text", bool: "a truth value"}


def evidence_text(kind: str, model: str, sha256: str, about: dict[str, Any] | None, evidence: dict[str, Any]) -> str:
    """A document as text. ``sha256`` is the identity of the model, ``about`` describes the property, if any."""
    import json

    document = {
        "schema": SCHEMA,
        "kind": kind,
        "symag": VERSION,
        "model": model,
        "sha256": sha256,
        "property": about,
        "evidence": evidence,
    }
    return json.dumps(document, separators=(",", ":")) + "\n"


def write_evidence(
    path: str | Path, kind: str, model: str, sha256: str, about: dict[str, Any] | None, evidence: dict[str, Any]
) -> None:
    """Write the document of ``evidence_text`` to a file. Raises UsageError if the file cannot be written."""
    write_file(path, evidence_text(kind, model, sha256, about, evidence))


def is_page(content: str) -> bool:
    """Whether the content of a file is an HTML page, which may carry a document of evidence."""
    return content[:40].lstrip().startswith("<!DOCTYPE html")


def page_element(document: str) -> str:
    """The element in which a page carries a document of evidence; ``read_evidence`` finds it there."""
    return _ELEMENT + document.strip().replace("<", "\\u003c") + "</script>"


def _carried(content: str, kind: str, name: str) -> str:
    """The document that a page carries. Raises InputError."""
    _, start, rest = content.partition(_ELEMENT)
    document, end, _ = rest.partition("</script>")
    if not start or not end:
        raise InputError(f"a page that carries no {kind}, or a truncated one", name)
    return document


def read_evidence(path: str | Path, kind: str, may_be_replaced: bool = False) -> Member:
    """The document of this kind in a file, or in a page that carries it. Raises InputError if there is none.

    ``may_be_replaced``: the same command may write a new version of the file.
    """
    import json

    name = str(path)
    try:
        content = content_of_file(name, may_be_replaced).decode()
        document = json.loads(_carried(content, kind, name) if is_page(content) else content)
    except UnicodeDecodeError:
        raise InputError(f"not a {kind} file: it is not text", name) from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"not a {kind} file, or a truncated one: {error.msg}", name, error.lineno, error.colno
        ) from None
    except RecursionError:
        raise InputError(f"not a {kind} file: it is nested too deeply", name) from None
    except ValueError as error:  # a number of thousands of digits, a path with a NUL
        raise InputError(f"not a {kind} file: {error}", name) from None
    root = Member(document, name, "the file")
    if not isinstance(document, dict) or document.get("kind") != kind:
        raise InputError(f"not a {kind} file of symag", name)
    schema = root.get("schema", int)
    if schema != SCHEMA:
        raise InputError(f"this {kind} has schema {schema}, but this symag reads schema {SCHEMA}", name)
    return root


class Member:
    """A value in a JSON document with its path, which the error messages name, and the value that it is a part of."""

    def __init__(self, value: Any, file: str, path: str, whole: Member | None = None) -> None:
        self.value = value
        self._file = file
        self._path = path
        self._whole = whole

    def wrong(self, expected: str) -> InputError:
        """The error that this value is not what was expected."""
        return InputError(f"malformed: {self._path} is not {expected}", self._file)

    def has(self, kind: type[_Kind]) -> _Kind:
        """The value, which must be of the given JSON type."""
        if not isinstance(self.value, kind) or (kind is int and isinstance(self.value, bool)):
            raise self.wrong(_SPELLING[kind])
        return self.value

    def member(self, key: str) -> Member:
        """A member of an object."""
        members = self.has(dict)
        if key not in members:
            raise InputError(f"malformed: {self._path} has no {key!r}", self._file)
        return Member(members[key], self._file, key if self._path == "the file" else f"{self._path}.{key}", self)

    def get(self, key: str, kind: type[_Kind]) -> _Kind:
        """The value of a member of an object, which must be of the given JSON type."""
        return self.member(key).has(kind)

    def items(self, key: str | None = None) -> list[Member]:
        """The elements of a list (a member of this object, or this value itself)."""
        items = self if key is None else self.member(key)
        return [
            Member(item, self._file, f"{items._path}[{index}]", items) for index, item in enumerate(items.has(list))
        ]

    def nearest(self, key: str) -> Any:
        """The member with this name of the nearest object around this value that has it."""
        if isinstance(self.value, dict) and key in self.value:
            return self.value[key]
        return self.member(key).value if self._whole is None else self._whole.nearest(key)

    def parts(self, length: int, expected: str | None = None) -> list[Member]:
        """The elements of a list of exactly ``length``; ``expected`` says what it is."""
        items = self.items()
        if len(items) != length:
            raise self.wrong(expected or f"a list of {length} numbers")
        return items

    def numbers(self, length: int) -> tuple[int, ...]:
        """A list of exactly ``length`` numbers."""
        if isinstance(self.value, list) and [*map(type, self.value)] == [int] * length:
            return tuple(self.value)  # nearly all; tables are large
        return tuple([item.has(int) for item in self.parts(length)])

    def one_of(self, texts: tuple[str, ...], expected: str | None) -> str:
        """The value, which must be one of these texts; ``expected`` says what they are."""
        if self.has(str) not in texts:
            raise self.wrong(expected or f"one of {', '.join(texts)}")
        return str(self.value)
