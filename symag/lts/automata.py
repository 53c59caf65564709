"""The formats of files of one labelled transition system: those read, and those written.

Adding one is one module and one line here. A writer maps a ``symag.lts.convert.conversion.WrittenProcess`` to the text,
and warnings about what the text lacks.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from symag.core.errors import InputError
from symag.core.files import has_suffix
from symag.core.input_files import content_of_file
from symag.core.source import SourceText, decoded, source_of_file
from symag.core.tables import WrittenFormat

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lts.lts import Lts

#: By suffix the module, with ``parsed(source, name)``. It is imported when a file of the format is read.
AUTOMATA: Mapping[str, str] = {
    ".aut": "symag.lts.language.aldebaran",
    ".aut.gz": "symag.lts.language.aldebaran",
}

#: The ending of the names of compressed files.
_COMPRESSED = ".gz"


def suffix_of(path: str) -> str | None:
    """The suffix of a file that holds one system; None for other files."""
    return next((suffix for suffix in AUTOMATA if has_suffix(path, suffix)), None)


def automaton(path: str, name: str) -> Lts:
    """The LTS in a file with one of the suffixes, called ``name``. Raises InputError, and KeyError for other files."""
    read = cast("Callable[[SourceText, str], Lts]", importlib.import_module(AUTOMATA[suffix_of(path) or ""]).parsed)
    return read(_unpacked(path) if has_suffix(path, _COMPRESSED) else source_of_file(path), name)


def _unpacked(path: str) -> SourceText:
    # For start-up: few models are compressed.
    import gzip

    packed = content_of_file(path)
    try:
        content = gzip.decompress(packed)
    except EOFError:
        raise InputError("the file is cut: its compressed data has no end", path) from None
    except gzip.BadGzipFile as error:
        what = "this is no file compressed by gzip" if not packed.startswith(b"\x1f\x8b") else "it is damaged"
        raise InputError(f"{what}: {error}", path) from None
    except zlib.error as error:
        raise InputError(f"it is damaged: {error}", path) from None
    return SourceText.of(path, decoded(content, path), packed)


FORMATS: Mapping[str, WrittenFormat] = {
    "aut": WrittenFormat("symag.lts.convert.conversion:aldebaran_text", (".aut",)),
    "dot": WrittenFormat("symag.lts.convert.conversion:dot_text", (".dot",)),
    "fsp": WrittenFormat("symag.lts.convert.conversion:process_text", (".lts", ".fsp")),
}
