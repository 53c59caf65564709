"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from symag.core.errors import UsageError
from symag.core.input_files import refuse_input


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole, or leave the old one as it is. Raises UsageError if it cannot be written.

    A file that the same command has read is not written (see ``symag.core.input_files.inputs_kept``).

    Text is written in UTF-8; bytes of a file name that are not, as ``\\udcff``, which JSON reads back.

    A device or a pipe (``/dev/stdout``, ``/dev/null``) is written to, not replaced by a file. A symbolic link stays
    a link.
    """
    refuse_input(path)
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if is_device(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise UsageError(f"cannot write {os.fspath(path)}: {error.strerror}") from None


def is_device(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a device, a pipe or the like, which is written to and not replaced; False for a folder."""
    if os.path.isdir(path):
        return False
    if os.path.exists(path) and not os.path.isfile(path):
        return True
    return os.path.abspath(path).startswith(("/dev/", "/proc/"))


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def has_suffix(path: str, suffixes: str | tuple[str, ...]) -> bool:
    """Whether a name ends with one of some suffixes in small letters; in the name they may be in capitals."""
    return path.lower().endswith(suffixes)


def is_folder(path: str) -> bool:
    """Whether files go into a folder of this name: it exists, or the name ends with ``/``."""
    return path.endswith(os.sep) or Path(path).is_dir()
