"""Signals that end a command as Ctrl-C does: it says what it has found out."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt, unless whoever started the process has them ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    mine = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    try:
        for each in mine:
            signal.signal(each, _interrupt)
        yield
    finally:
        for each in mine:
            signal.signal(each, signal.SIG_DFL)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
