"""The files that the options of a job name, and that its answer depends on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.core.options import declarations
from symag.engine.families import FAMILIES

#: Options that no family declares.
_OF_EVERY_FAMILY = ("--settings",)


def files_in(options: Sequence[str]) -> tuple[str, ...]:
    """The input files that options name, in their order. A proof to ``--reuse`` is none: no answer depends on it."""
    return tuple(_files_in(options, _flags())) if options else ()


def _files_in(options: Sequence[str], flags: frozenset[str]) -> Iterator[str]:
    words = iter(options)
    for word in words:
        flag, equals, value = word.partition("=")
        if flag in flags:
            file = value if equals else next(words, None)
            if file is not None:
                yield file


def _flags() -> frozenset[str]:
    kinds = (kind for family in FAMILIES for kind in (family.request, family.options))
    declared = (declaration for kind in kinds for declaration in declarations(kind))
    return frozenset((*_OF_EVERY_FAMILY, *(declaration.flag for declaration in declared if declaration.is_input)))
