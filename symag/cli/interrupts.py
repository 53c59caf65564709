"""Signals that end a command as Ctrl-C does, so that it prints the answers that it has."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt, unless the process was started with them ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    mine = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in mine:
            signal.signal(number, _interrupt)
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
