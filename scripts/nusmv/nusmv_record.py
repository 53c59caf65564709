"""Public models that need a preprocessor before NuSMV, and symag, can read them."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


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
