"""Child processes that live from one request to the next."""

from __future__ import annotations

from typing import Any

from symag.process.child import Child
from symag.process.serving import Service


class Session:
    """A child for many requests, started when first needed and again after it was killed."""

    def __init__(self, service: Service, memory: int | None) -> None:
        self._service = service
        self._memory = memory
        self._child: Child | None = None
        #: Whether the child has answered before.
        self.reused = False

    def start(self, request: Any) -> Child:
        """The child, with the request."""
        self.reused = self._child is not None and not self._child.closed
        if self._child is None or self._child.closed:
            self._child = Child(self._service, self._memory)
        self._child.ask(request)
        return self._child

    def go_on(self, request: Any) -> Child:
        """The child, with this request if it is not at work on an earlier one."""
        if self._child is not None and not self._child.closed and self._child.is_at_work:
            return self._child
        return self.start(request)

    def close(self) -> None:
        """Kill the child if there is one."""
        if self._child is not None and not self._child.closed:
            self._child.finish()
