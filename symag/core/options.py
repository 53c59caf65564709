"""Options, declared once: as fields of a subclass of ``Options``, which the methods or readers of a family take.

The command line, the keywords of the library and the error for an option that a method does not read are derived
from the declarations. Users cannot set a field without a declaration; symag itself sets it.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar, Unpack, dataclass_transform

from msgspec import Struct, StructMeta, field

from symag.core.errors import UsageError

_Options = TypeVar("_Options", bound="Options")

#: ``switch``: yes or no; ``choice``: one of some words; ``list``: texts, each given by an option of its own.
Kind = Literal["switch", "choice", "whole", "number", "text", "list"]


class OptionDeclaration(Struct, frozen=True):
    """One option.

    ``field`` is the field of the class, ``keyword`` the name in the library, ``flag`` the name on the command line.
    ``methods`` are those that read it (none: all), ``commands`` those of the command line that take it (none: all).
    ``unless`` is the keyword of another option and the value with which no method reads this one.
    ``least`` is the smallest number that is accepted; a switch with ``only_yes`` has no negative flag. ``parse`` makes
    the value from the texts of the command line and raises ValueError with a message for a malformed text.
    ``is_input``: the value is a file, or several, that answers depend on.
    """

    field: str
    keyword: str
    flag: str
    kind: Kind
    default: Any
    help: str
    methods: tuple[str, ...] = ()
    unless: tuple[str, Any] | None = None
    commands: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    least: float | None = None
    metavar: str | None = None
    only_yes: bool = False
    is_input: bool = False
    parse: Callable[[Any], Any] | None = None

    @property
    def negative(self) -> str:
        """The flag that turns a switch off: ``--no-reordering``."""
        return f"--no-{self.flag.removeprefix('--')}"


class _Details(TypedDict, total=False):
    """What may be said of an option: fields of ``OptionDeclaration``."""

    flag: str
    keyword: str
    methods: tuple[str, ...]
    unless: tuple[str, Any]
    commands: tuple[str, ...]
    least: float
    metavar: str
    only_yes: bool
    is_input: bool
    parse: Callable[[Any], Any]


class _DeclaredField(Struct, frozen=True):
    """What stands for a declared field until its class is made."""

    default: Any
    help: str
    details: _Details


def option(default: Any, help: str, **details: Unpack[_Details]) -> Any:
    """A declared field of ``Options``; see ``OptionDeclaration``."""
    return _DeclaredField(default, help, details)


@dataclass_transform(field_specifiers=(field,))
class _OptionsMeta(StructMeta):
    """Lists the declared options of a class when it is defined.

    A command asks for them some twenty times, and to compile type hints takes time.
    """

    declarations: tuple[OptionDeclaration, ...]

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, *, frozen: bool = False
    ) -> _OptionsMeta:
        declared = {key: value for key, value in namespace.items() if isinstance(value, _DeclaredField)}
        for key, value in declared.items():
            # An own dictionary for each.
            default = value.default
            namespace[key] = field(default_factory=default.copy) if isinstance(default, dict) else default
        made = super().__new__(cls, name, bases, namespace, frozen=frozen)
        hints = typing.get_type_hints(made)
        made.declarations = tuple(_declaration(key, value, hints[key]) for key, value in declared.items())
        return made


class Options(Struct, metaclass=_OptionsMeta, frozen=True):
    """A base class of options: frozen values with declared fields, and with others that symag itself sets."""


def declarations(options: type[Options], command: str | None = None) -> tuple[OptionDeclaration, ...]:
    """The declared options of a class, in its order; with ``command`` only those that this command takes."""
    declared = options.declarations
    return tuple(option for option in declared if command is None or not option.commands or command in option.commands)


def _declaration(name: str, declared: _DeclaredField, hint: Any) -> OptionDeclaration:
    details: dict[str, Any] = {"flag": "--" + name.replace("_", "-"), "keyword": name, **declared.details}
    kind, choices = _kind(hint)
    if kind == "choice" and "parse" in details:
        kind, choices = "text", ()
    return OptionDeclaration(name, kind=kind, default=declared.default, help=declared.help, choices=choices, **details)


def _kind(hint: Any) -> tuple[Kind, tuple[str, ...]]:
    """The kind of an option from the type of its field (None aside), and the words of a choice."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hints = [arg for arg in typing.get_args(hint) if arg is not type(None)]
        hint = hints[0]
    if typing.get_origin(hint) is Literal:
        return "choice", tuple(typing.get_args(hint))
    if typing.get_origin(hint) in (tuple, list) or (typing.get_origin(hint) or hint) in (dict, Mapping):
        return "list", ()
    plain: dict[Any, Kind] = {bool: "switch", int: "whole", float: "number"}
    return plain.get(hint, "text"), ()


def constants_of(texts: Sequence[str]) -> dict[str, str]:
    """The constants in texts such as ``N=3,K=1/2``. Raises ValueError for other texts, and for a repeated constant."""
    given: dict[str, str] = {}
    for text in ",".join(texts).split(",") if texts else ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise ValueError(f"expected NAME=VALUE, found '{text}'")
        if name in given:
            raise ValueError(f"the constant {name} is given twice")
        given[name] = value
    return given


def made(options: type[_Options], given: Mapping[str, Any], **further: Any) -> _Options:
    """The options with given values, by their keywords; ``further`` are fields that symag itself sets.

    Raises UsageError for an unknown keyword.
    """
    declared = {declaration.keyword: declaration.field for declaration in declarations(options)}
    own = set(options.__struct_fields__) - set(declared.values())
    unknown = sorted(given.keys() - declared.keys() - own)
    if unknown:
        raise UsageError(f"no option '{unknown[0]}' for this kind of model; there are {', '.join(declared)}")
    values = {declared.get(keyword, keyword): value for keyword, value in given.items()}
    return options(**{**values, **further})


def check_values(options: Options) -> None:
    """Raises UsageError for a choice that is none of the declared words, and for a number that is too small."""
    for declaration in declarations(type(options)):
        value = getattr(options, declaration.field)
        if declaration.kind == "choice" and value not in (*declaration.choices, declaration.default):
            raise UsageError(f"{declaration.keyword} is one of {', '.join(declaration.choices)}, not {value!r}")
        if declaration.least is not None and value is not None and not value >= declaration.least:
            raise UsageError(f"{declaration.keyword} is at least {declaration.least}, not {value}")


def check_read(
    options: type[Options], given: Mapping[str, Any], deciding: Sequence[str], methods: Collection[str]
) -> None:
    """Raises UsageError for a given keyword that none of the methods ``deciding`` reads, or not with the other values.

    ``methods`` are all methods of the family. The message names the first of ``deciding``.
    """
    declared = {declaration.keyword: declaration for declaration in declarations(options)}
    for declaration in declared.values():
        if declaration.keyword not in given:
            continue
        flag = declaration.negative if declaration.default is True else declaration.flag
        if declaration.methods and not set(declaration.methods) & set(deciding):
            readers = ", ".join(name for name in methods if name in declaration.methods)
            raise UsageError(f"{flag} means nothing to method {deciding[0]}; it is for --method {readers}")
        if declaration.unless is not None:
            other, value = declaration.unless
            if given.get(other) == value:
                raise UsageError(f"{flag} means nothing with {declared[other].flag} {value}")
