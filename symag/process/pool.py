"""Several supervised commands at a time, awaited in one thread."""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Generic, TypeVar

from symag.process import tree as process_tree
from symag.process.kernel import be_subreaper
from symag.process.supervision import SupervisedCommand

_Tag = TypeVar("_Tag")


class CommandPool(Generic[_Tag]):
    """Running commands, each with a tag; leaving the ``with`` statement ends those that still run."""

    def __init__(self) -> None:
        # A process that loses its supervisor must become a child of this process, not of init.
        self._was_subreaper = be_subreaper(True)
        self._not_ours = frozenset(process_tree.children(os.getpid()))
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, tuple[_Tag, SupervisedCommand]] = {}

    def __enter__(self) -> CommandPool[_Tag]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # A second Ctrl-C must not interrupt the ending of the commands.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        for _, process in self._running.values():
            process.stop()
        for _, process in self._running.values():
            process.result()
        self._running.clear()
        self._selector.close()
        be_subreaper(self._was_subreaper)
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)

    def __len__(self) -> int:
        return len(self._running)

    def add(self, tag: _Tag, process: SupervisedCommand) -> None:
        """Watch one more command."""
        self._running[process.pid] = tag, process
        self._selector.register(process, selectors.EVENT_READ, process)

    def completed(self, commands: Iterator[tuple[_Tag, SupervisedCommand]], workers: int) -> Iterator[tuple[_Tag, Any]]:
        """Commands with their results as they end; the iterator starts the next while fewer than ``workers`` run."""
        while True:
            while len(self) < workers and (command := next(commands, None)) is not None:
                self.add(*command)
            if not self:
                return
            yield from self.wait(None)

    def wait(self, timeout: float | None) -> Sequence[tuple[_Tag, Any]]:
        """The commands that have ended, with their results; waits for the first, at most ``timeout`` seconds.

        A result is None if the command's supervisor was killed; then all processes of the command are ended.
        """
        ended = []
        for ready, _ in self._selector.select(timeout):
            process: SupervisedCommand = ready.data
            self._selector.unregister(process)
            tag, _ = self._running.pop(process.pid)
            result = process.result()
            if result is None:
                self._end_strays()
            ended.append((tag, result))
        return ended

    def _end_strays(self) -> None:
        known = self._not_ours.union(self._running)
        # Ending one makes its children ours, also those that are dead and not waited for.
        while strays := [child for child in process_tree.children(os.getpid()) if child not in known]:
            process_tree.kill_trees(strays)


def supervised(start: Callable[[], SupervisedCommand]) -> Any:
    """The result of one command, which ``start`` starts; None if its supervisor was killed."""
    with CommandPool[None]() as pool:
        pool.add(None, start())
        ((_, result),) = pool.wait(None)
    return result
