"""Values with a place in a document of evidence, written and read by the types of their fields; kinds of certificates.

A field of a class below ``Documented`` is a number, a text, a truth value, another ``Documented``, one of several texts
(Literal), a tuple of such, or None beside one of these. ``Annotated`` says what the type alone does not:

- a text: what the value is, for the message that says that a document has something else there;
- a ``Spelling``: functions that read and write the value;
- ``INLINE``: its members are members of the object that has the field; ``OPTIONAL``: it is left out where it is empty.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Generic, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from symag.core.errors import CertificationError
from symag.core.evidence.documents import Member

_Read = Callable[[Member], Any]
_Write = Callable[[Any], Any]


class Spelling(Struct, frozen=True):
    """How a value is read, with InputError for a wrong one, and how it is written, if not as it is."""

    read: _Read
    write: _Write | None = None


class _Placement(Enum):
    INLINE = "inline"
    OPTIONAL = "optional"


INLINE, OPTIONAL = _Placement.INLINE, _Placement.OPTIONAL


class Documented:
    """A Struct or dataclass with a place in a document. A field ``kind`` is not written: it chooses the class."""

    __slots__ = ()

    def document(self) -> dict[str, Any]:
        """The members of its JSON object."""
        return _writer_of_object(type(self))(self)

    @classmethod
    def read(cls, item: Member) -> Self:
        """The value in an object. Raises InputError that names the malformed member."""
        value: Self = _reader_of_object(cls)(item)
        return value

    def check_members(self, item: Member) -> None:
        """Refuse what the types of the fields allow and the class does not. Raises InputError."""


def _fields(kind: type[Documented]) -> Mapping[str, Any]:
    names: Iterable[str] = getattr(kind, "__struct_fields__", ()) or getattr(kind, "__dataclass_fields__", ())
    types = get_type_hints(kind, include_extras=True)
    return {name: types[name] for name in names if name != "kind"}


def _parts(form: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without its notes, and the notes."""
    return (form.__origin__, form.__metadata__) if get_origin(form) is Annotated else (form, ())


def _spelling(notes: tuple[Any, ...]) -> Spelling | None:
    return next((note for note in notes if isinstance(note, Spelling)), None)


def _writer_of_object(kind: type[Documented]) -> Callable[[Any], dict[str, Any]]:
    fields = [(name, _parts(form)[1], _writer(form)) for name, form in _fields(kind).items()]

    def document(value: Documented) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for name, notes, write in fields:
            part = getattr(value, name)
            written: Any = part if write is None else write(part)
            if INLINE in notes:
                members |= written
            elif OPTIONAL not in notes or part:
                members[name] = written
        return members

    return document


def _writer(form: Any) -> _Write | None:
    """How values of a type are written, None for those that JSON has."""
    form, notes = _parts(form)
    spelling, arguments = _spelling(notes), get_args(form)
    if spelling is not None:
        return spelling.write
    if get_origin(form) in (Union, UnionType):
        write = _writer(arguments[0])
        return None if write is None else lambda value: None if value is None else write(value)
    if get_origin(form) is tuple:
        writers = [_writer(part) for part in arguments if part is not Ellipsis]
        if not any(writers):
            return None
        given = [write or (lambda value: value) for write in writers]
        if arguments[-1] is Ellipsis:
            return lambda values: list(map(given[0], values))
        return lambda values: [write(value) for write, value in zip(given, values, strict=True)]
    return _writer_of_object(form) if isinstance(form, type) and issubclass(form, Documented) else None


def _reader_of_object(kind: type[Documented]) -> _Read:
    fields = [(name, _parts(form)[1], reader(form)) for name, form in _fields(kind).items()]

    def read(item: Member) -> Any:
        values = {}
        for name, notes, of_field in fields:
            if OPTIONAL not in notes or name in item.has(dict):
                values[name] = of_field(item if INLINE in notes else item.member(name))
        value = kind(**values)
        value.check_members(item)
        return value

    return read


def reader(form: Any) -> _Read:
    """How values of a type, with its notes, are read."""
    form, notes = _parts(form)
    spelling, origin, arguments = _spelling(notes), get_origin(form), get_args(form)
    expected = next((note for note in notes if isinstance(note, str)), None)
    if spelling is not None:
        return spelling.read
    if origin in (Union, UnionType):
        read = reader(arguments[0])
        return lambda item: None if item.value is None else read(item)
    if origin is Literal:
        return lambda item: item.one_of(arguments, expected)
    if origin is not tuple:
        return _reader_of_object(form) if issubclass(form, Documented) else lambda item: item.has(form)
    if arguments[-1] is Ellipsis:
        read = reader(arguments[0])
        return lambda item: tuple(map(read, item.items()))
    if expected is None and set(arguments) == {int}:
        return lambda item: item.numbers(len(arguments))  # tables are large: a fifth of the time
    readers = tuple(map(reader, arguments))
    return lambda item: tuple(
        read(part) for read, part in zip(readers, item.parts(len(readers), expected), strict=True)
    )


class DocumentedCertificate(Documented):
    """Evidence in a document, whose kind says what re-checks it."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The kind in a file, such as ``inductive-set``: a field of each class."""
        raise NotImplementedError


_Certificate = TypeVar("_Certificate", bound=DocumentedCertificate)
_Check = TypeVar("_Check", bound=Callable[..., None])


class Kinds(Struct, Generic[_Certificate, _Check], frozen=True):
    """``modules`` has a module for each kind. Its ``CERTIFICATE`` is the class of the kind's certificates, its
    ``check`` accepts what one claims, or raises CertificationError, or OutOfTimeError at the deadline.

    A module is imported when a certificate of the kind is read or checked: no check waits for the solvers of the
    others. ``unknown`` says what a document without a known kind lacks.
    """

    modules: Mapping[str, str]
    unknown: str

    def read(self, evidence: Member) -> _Certificate:
        """The certificate in a document. Raises InputError."""
        module = self.module(evidence.get("kind", str))
        if module is None:
            raise evidence.member("kind").wrong(self.unknown)
        certificate: _Certificate = module.CERTIFICATE.read(evidence)
        return certificate

    def check(self, certificate: _Certificate) -> _Check:
        """What re-checks a certificate. Raises CertificationError if nothing does."""
        module = self.module(certificate.kind)
        if module is None or not isinstance(certificate, module.CERTIFICATE):
            raise CertificationError(f"nothing re-checks certificates of the kind {certificate.kind}")
        check: _Check = module.check
        return check

    def module(self, kind: str) -> Any:
        """The module of a kind, None if there is none."""
        return importlib.import_module(self.modules[kind]) if kind in self.modules else None
