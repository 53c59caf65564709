"""Runs symag where files cannot become large, as on a full disk."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import ROOT


def with_small_files(
    most_bytes: int, *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """``symag`` that can write no file of more than ``most_bytes``; ``environment`` has variables besides its own.

    Nor may Python write bytecode there: Python 3.11 keeps files of it that were cut off, and cannot import them later.
    """
    return subprocess.run(
        [sys.executable, "-m", "symag", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
        check=False,
    )
