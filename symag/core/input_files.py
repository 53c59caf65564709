"""The bytes of a file that the user names, or an error that says why it cannot be read and what to do."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from symag.core.errors import InputError, UsageError

#: Pipes and devices below these folders are read: standard input, and the files that a shell makes of ``<(command)``.
_READ_ANYWAY = ("/dev/stdin", "/dev/fd/", "/proc/", "/dev/null", "/dev/tty")

#: Bytes that are read from a pipe at most.
LONGEST_STREAM = 512 << 20
_PIECE = 1 << 20

#: How a file of another tool begins, what it is, and what to do.
_MAGIC: Mapping[bytes, str] = {
    b"\x1f\x8b": "this is a file compressed by gzip; 'gunzip FILE' unpacks it",
    b"\xfd7zXZ": "this is a file compressed by xz; 'unxz FILE' unpacks it",
    b"BZh": "this is a file compressed by bzip2; 'bunzip2 FILE' unpacks it",
    b"\x28\xb5\x2f\xfd": "this is a file compressed by zstd; 'unzstd FILE' unpacks it",
    b"PK\x03\x04": "this is a zip archive; 'unzip FILE' unpacks it",
    b"\x00\x8b\xaf": "this is an LTS in mCRL2's binary format, expected the text of a model ('ltsconvert' makes an "
    ".aut of it)",
}

_VERILOG = (
    "{} is not read; yosys makes AIGER of it: yosys -p 'read_verilog -sv -formal FILE; prep -flatten; memory_map; "
    "async2sync; dffunmap; techmap; aigmap; write_aiger -zinit -symbols OUTPUT.aig'"
)
#: Suffixes of models that other tools read, and what to do with such a file here.
_OTHER_FORMATS: Mapping[str, str] = {
    ".v": _VERILOG.format("Verilog"),
    ".sv": _VERILOG.format("SystemVerilog"),
    ".vhd": "VHDL is not read; yosys with GHDL makes AIGER of it",
    ".blif": "BLIF is not read; ABC makes AIGER of it: abc -c 'read FILE; strash; write_aiger OUTPUT.aig'",
    ".sm": "PRISM's suffix .sm is for Markov chains in continuous time (ctmc), which symag does not decide; a model of "
    "type mdp or dtmc is read under a name that ends in .nm, .pm or .prism",
    ".jani": "JANI is not read; a PRISM model (.nm, .pm, .prism) is, and explicit files (.tra)",
    ".drn": "Storm's .drn is not read; PRISM's explicit files (.tra) are",
    ".pml": "Promela is not read; SMV models (.smv) are, and FSP (.lts)",
    ".tla": "TLA+ is not read; SMV models (.smv) are, and FSP (.lts)",
    ".mcrl2": "mCRL2 is not read; its tools make an .aut of it: mcrl22lps, then lps2lts",
    ".lps": "mCRL2's .lps is not read; 'lps2lts FILE OUTPUT.aut' makes an .aut of it",
    ".gz": _MAGIC[b"\x1f\x8b"],
    ".xz": _MAGIC[b"\xfd7zXZ"],
    ".bz2": _MAGIC[b"BZh"],
    ".zst": _MAGIC[b"\x28\xb5\x2f\xfd"],
    ".zip": _MAGIC[b"PK\x03\x04"],
}


#: The paths of the files that a command has read; None where nobody asks for them. Files are read many layers below
#: where others are written, so the paths are in a context, which ends with the command and is apart in each thread.
_inputs: ContextVar[set[str] | None] = ContextVar("inputs", default=None)


@contextmanager
def inputs_kept() -> Iterator[None]:
    """Inside, ``refuse_input`` refuses the files that were read inside: for a command that reads and writes."""
    token = _inputs.set(set())
    try:
        yield
    finally:
        _inputs.reset(token)


def add_input(path: str) -> None:
    """Tell ``refuse_input`` of a file that was read."""
    inputs = _inputs.get()
    if inputs is not None:
        inputs.add(path)


def refuse_input(path: str | os.PathLike[str], inputs: Iterable[str] = ()) -> None:
    """Raises UsageError if a path, however it is spelled, is the file of an input: of one that was read, or of these.

    To write to it would lose the input.
    """
    if not os.path.isfile(path):
        return  # nothing is lost
    for name in (*inputs, *sorted(_inputs.get() or ())):
        with suppress(OSError):  # an input that is gone, such as a copy of standard input
            if os.path.samefile(path, name):
                given = os.fspath(path)
                raise UsageError(f"cannot write {given}: it is the input" + (f" {name}" if name != given else ""))


def content_of_file(path: str, may_be_replaced: bool = False) -> bytes:
    """The bytes of a file. Raises InputError for a folder, a pipe (which could wait for ever), a missing file, ...

    ``may_be_replaced``: the same command may write a new version of the file.
    """
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise InputError("this is a directory, expected a file", path)
        if not stat.S_ISREG(mode) and not path.startswith(_READ_ANYWAY):
            kind = "a named pipe" if stat.S_ISFIFO(mode) else "a device or a socket"
            raise InputError(f"this is {kind}, expected a file", path)
        with open(path, "rb") as file:
            before = os.fstat(file.fileno())
            content = _content(file, path, stat.S_ISREG(before.st_mode))
            after = os.fstat(file.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise InputError("the file changed while it was read", path)
        if not may_be_replaced:
            add_input(path)
        return content
    except FileNotFoundError:
        raise InputError("no such file", path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    except ValueError as error:  # a path with a NUL
        raise InputError(f"cannot be read: {error}", path) from None
    except MemoryError:
        raise InputError("cannot be read: it does not fit into memory", path) from None


def _content(file: IO[bytes], path: str, is_regular: bool) -> bytes:
    """All bytes of a file; of a pipe at most ``LONGEST_STREAM``, as it may never end."""
    if is_regular:
        return file.read()
    pieces, size = [], 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > LONGEST_STREAM:
            limit = f"more than {LONGEST_STREAM >> 20} MiB come from this pipe"
            raise InputError(f"{limit}; a model of that size is read from a file", path)
    return b"".join(pieces)


def content_of_model(path: str) -> bytes:
    """The bytes of a model. Raises InputError; for a format that symag does not read, the message says what to do."""
    if os.path.isdir(path):
        raise InputError(f"this is a directory, expected a model; 'symag batch {path}' checks all models in it", path)
    content = content_of_file(path)
    for begin, message in _MAGIC.items():
        if content.startswith(begin):
            raise InputError(message.replace("FILE", path), path)
    name = path.lower()
    for suffix, message in _OTHER_FORMATS.items():
        if name.endswith(suffix):
            raise InputError(message.replace("FILE", path), path)
    return content


def toml_of_file(path: Path) -> dict[str, Any]:
    """The document in a TOML file. Raises InputError."""
    import tomllib  # few commands read TOML

    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", str(path)) from error
